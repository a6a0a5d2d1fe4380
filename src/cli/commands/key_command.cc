// tada key: a secret key for pseudonyms and manifests.

#include "cli/commands/command.h"
#include "commands/release/key.h"

namespace tada {
namespace {

Result<int> RunKey(const ParsedCommandLine& line, Console& console) {
  const std::string output = line.options.Text("output");
  if (output.empty() == line.operands.empty()) {
    return InvalidArgument("{}", output.empty() ? "-o is missing: where should the new key go?"
                                                : "A key is made with -o, or its public half is shown: not both")
        .WithHint("'tada key -o <file>' makes a key; 'tada key <file>' shows its public half.");
  }
  if (output.empty()) {
    TADA_TRY(known, PublicKeyOf(line.operands[0]));
    console.out << known << '\n';
    return 0;
  }
  TADA_TRY(made, MakeKey(output));
  console.out << fmt::format("Wrote a secret key to {}: keep it, and keep it to yourself.\n", output)
              << fmt::format("Its public half, for whoever checks your manifests: {}\n", made);
  return 0;
}

}  // namespace

Command MakeKeyCommand() {
  return {
      .name = "key",
      .summary = "make a secret key for pseudonyms and manifests",
      .description =
          "Make a secret key: 32 random bytes in a file that nobody but its owner may read. Pseudonyms are computed "
          "with it, and manifests are signed with it. It is never printed, and an existing file is never "
          "overwritten. Given a key, print its public half, by which everybody can check a signed manifest.",
      .usage = "-o <file>  |  tada key <file>",
      .min_operands = 0,
      .max_operands = 1,
      .examples = {{"A new key", "tada key -o secret.key"}, {"Its public half", "tada key secret.key"}},
      .options = KeyCommandOptions(),
      .exits = CommonExits({{0, "made, or shown"}}),
      .note =
          "Whoever has the key can compute the pseudonym of anybody whose identifier they know, and can sign in "
          "your name. Without the key, the same pseudonyms cannot be made again.",
      .run = &RunKey};
}

}  // namespace tada
