#pragma once

// Options that several commands share, by subject. A command takes a group, or some of it (base/option.h: Only, Without), and adds
// what is its own; commands/option_table.h lists the commands. What may stand in a plan file is one of these, of a requirement
// (privacy/models) or of a method (partition/registry.h).

#include "base/option.h"

namespace tada {

/// Roles of columns, people and hierarchies.
OptionSpecs RoleOptions();
/// Pseudonyms, shifted dates and policies.
OptionSpecs ProtectOptions();
/// What the release is for, how groups are formed, and for how many controllers.
OptionSpecs MethodChoiceOptions();
/// How cells are made of groups, and whether groups may be formed by values.
OptionSpecs CellOptions();
/// Of all methods, each once.
OptionSpecs AllMethodOptions();
/// The plan file, and how tables are read.
OptionSpecs InputOptions();
/// A select instead of a table, for commands that read one.
OptionSpecs QueryOption();
/// What is written, and where.
OptionSpecs OutputOptions();
/// How it runs: seed, threads, memory, what is shown meanwhile.
OptionSpecs RunOptions();

/// The options that may stand in a plan file.
OptionSpecs PlanOptions();

}  // namespace tada
