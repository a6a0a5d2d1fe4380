#include "commands/option_table.h"

#include "commands/judge/attack.h"
#include "commands/judge/audit.h"
#include "commands/judge/compare.h"
#include "commands/judge/compose.h"
#include "commands/judge/evaluate.h"
#include "commands/judge/inspect.h"
#include "commands/release/advise.h"
#include "commands/release/anonymize.h"
#include "commands/release/apply.h"
#include "commands/release/decode.h"
#include "commands/release/hierarchy.h"
#include "commands/release/key.h"

namespace tada {
namespace {

struct Entry {
  std::string_view command;
  OptionSpecs options;
};

const std::vector<Entry>& Entries() {
  static const std::vector<Entry> kTable = {
      {"anonymize", AnonymizeCommandOptions()}, {"apply", ApplyCommandOptions()},
      {"audit", AuditCommandOptions()},         {"attack", AttackCommandOptions()},
      {"compare", CompareCommandOptions()},     {"compose", ComposeCommandOptions()},
      {"decode", DecodeCommandOptions()},       {"inspect", InspectCommandOptions()},
      {"evaluate", EvaluateCommandOptions()},   {"advise", AdviseCommandOptions()},
      {"hierarchy", HierarchyCommandOptions()}, {"key", KeyCommandOptions()},
  };
  return kTable;
}

}  // namespace

std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names;
  for (const Entry& entry : Entries()) names.push_back(entry.command);
  return names;
}

const OptionSpecs& OptionsOfCommand(std::string_view command) {
  for (const Entry& entry : Entries()) {
    if (entry.command == command) return entry.options;
  }
  TADA_ASSERT(false && "a command without options in the table");
  return Entries().front().options;
}

}  // namespace tada
