#include "commands/release/apply.h"

#include "base/option_mark.h"
#include "plan/option_groups.h"

namespace tada {

OptionSpecs ApplyCommandOptions() {
  using enum OptionType;
  const std::string_view cuts = "Cuts";
  return Join(
      {{{.name = "misfits",
         .type = kChoice,
         .value_name = "what",
         .default_text = "up",
         .choices = {"up", "withhold"},
         .section = cuts,
         .help = "Release all rows of the smallest enclosing box that meets the requirement with that box's "
                 "cells where a box alone does not, or withhold the rows of that box."},
        {.name = "append",
         .type = kFlag,
         .section = cuts,
         .help = "State that these are further rows of the same table, of other people: they are compared with "
                 "the distribution of the first release, and those that do not fill their box wait."},
        {.name = "released-people",
         .type = kText,
         .value_name = "file.json",
         .section = cuts,
         .help = "Refuse people whom this file of --save-people has; needs the same --key."},
        WithHelp(*FindOption(ProtectOptions(), "key"),
                 "Read the secret key of --released-people, --save-people and the signature of --manifest from this "
                 "file; 'tada key -o <file>' makes one.")},
       LastingOptions(),
       Without(InputOptions(), {"plan", "missing"}),
       Without(OutputOptions(), {"resume"}),
       Only(AnonymizeCommandOptions(), {"manifest"}),
       Without(RunOptions(), {"seed"})});
}

Result<AnonymizeRequest> ApplyRequestFrom(Cuts cuts, const std::string& path, const OptionValues& options) {
  OptionValues stronger;
  for (const auto& [name, given] : options.all()) {
    if (name != "key") stronger.Set(name, given);  // in a plan it is for pseudonyms, which cuts do not have
  }
  TADA_TRY(plan, PlanOfCuts(cuts, path, stronger));
  TADA_TRY(request, AnonymizeRequestOf(std::move(plan), options));
  request.apply.append = options.Flag("append");
  const bool withhold = options.Text("misfits") == "withhold" || (request.apply.append && !options.Has("misfits"));
  request.apply.misfits = withhold ? Misfits::kWithhold : Misfits::kUp;
  if (request.apply.append && !request.plan.person.empty() && request.people.empty()) {
    return InvalidArgument(TADA_OPTION("append") " with " TADA_OPTION("person") " needs " TADA_OPTION(
                               "released-people") ", the file of those who were released before")
        .WithHint("Make the first release with " TADA_OPTION("save-people=<file>") " " TADA_OPTION("key=<file>") ".");
  }
  request.cuts = std::make_shared<const Cuts>(std::move(cuts));
  return request;
}

}  // namespace tada
