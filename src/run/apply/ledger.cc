#include "run/apply/ledger.h"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "base/words.h"
#include "compose/compose.h"
#include "run/apply/released_people.h"
#include "run/audit/released_columns.h"
#include "table/column_builder.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kWho = "(who)";
constexpr size_t kMostReleases = 15;  // beside the new one: what can be composed at a time

std::string CodeOf(const SecretKey& key, const std::string& who) {
  const SecretKey::Bytes code = key.Code("ledger", who);
  return HexOf(code.data(), 16);
}

// Values of a release in a row: its cells and sensitive values, as the file shows them.
std::vector<std::string> Shown(const Release& release, const std::vector<const ReleasedColumn*>& columns, RowId row) {
  std::vector<std::string> texts;
  for (const ReleasedColumn* released : columns) {
    const Column& column = release.table->column(released->source);
    if (!released->recoded) {
      texts.emplace_back(column.text(column.codes()[row]));
      continue;
    }
    const uint32_t cell = released->cell_of_group[release.group_of_row[row]];
    texts.push_back(CellText(column, *released, released->cells[cell]));
  }
  return texts;
}

}  // namespace

Result<Ledger> Ledger::Open(const std::string& path) {
  Ledger ledger;
  if (::access(path.c_str(), F_OK) != 0) {
    ledger.key_ = SecretKey::Make();
    return ledger;
  }
  const auto text = ReadWholeFile(path);
  if (!text.ok()) return DataError("Cannot read the ledger: {}: {}", path, text.error().message);
  const auto damaged = [&](std::string_view what) {
    return DataError("The ledger is damaged: {}: {}", path, what).WithHint("Restore it from a copy.");
  };
  try {
    const Json json = Json::parse(*text);
    if (json.at("ledger") != 1) return damaged("of another form than this version reads");
    ledger.key_ = SecretKey::FromText(json.at("key").get<std::string>());
    if (!ledger.key_) return damaged("its key is none");
    for (const Json& entry : json.at("releases")) {
      ledger.entries_.push_back({entry.at("name"), entry.at("sha256"), entry.at("input"), entry.at("quasi"),
                                 entry.at("sensitive"), entry.at("rows")});
      const Entry& read = ledger.entries_.back();
      for (const auto& row : read.rows) {
        if (row.size() != 1 + read.quasi.size() + read.sensitive.size()) return damaged("a row of another length");
      }
    }
  } catch (const Json::parse_error& error) {
    return damaged(fmt::format("byte {}: this is no JSON", error.byte));
  } catch (const Json::exception&) {
    return damaged("something is missing in it");
  }
  return ledger;
}

Ledger::Entry Ledger::EntryOf(const std::string& input_sha256, const FinishedRelease& done) const {
  const Table& table = done.input->table;
  const Anonymized& made = done.made;
  Entry entry{.name = done.outcome.output_path, .sha256 = done.outcome.release_sha256};
  if (made.bound.person.empty()) entry.input_sha256 = input_sha256;
  std::vector<const ReleasedColumn*> columns;
  for (const auto& [ids, names] :
       {std::pair(&made.bound.roles.quasi, &entry.quasi), std::pair(&made.bound.roles.sensitive, &entry.sensitive)}) {
    for (const ColumnId id : *ids) {
      names->push_back(table.column(id).name());
      columns.push_back(&*std::ranges::find(made.release.columns, id, &ReleasedColumn::source));
    }
  }
  for (const RowId row : made.release.row_order) {
    const std::string who =
        made.bound.person.empty() ? fmt::format("{}", row) : PersonText(table, made.bound.person, row);
    std::vector<std::string>& line = entry.rows.emplace_back();
    line.push_back(who.empty() ? "" : CodeOf(*key_, who));
    for (std::string& text : Shown(made.release, columns, row)) line.push_back(std::move(text));
  }
  return entry;
}

Result<Table> Ledger::TableOf(const Entry& entry, const Plan& plan) const {
  std::vector<std::string> names{std::string(kWho)};
  names.insert(names.end(), entry.quasi.begin(), entry.quasi.end());
  names.insert(names.end(), entry.sensitive.begin(), entry.sensitive.end());
  const auto options = ReleasedColumnOptions(plan);
  std::vector<Column> columns;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool quasi = i > 0 && i <= entry.quasi.size();
    const auto given = options.find(names[i]);
    ColumnOptions own{.kind = Kind::kCategorical, .missing = plan.missing};
    if (quasi) own.missing.clear();
    if (!quasi && given != options.end()) own = given->second;
    ColumnBuilder builder(names[i], own);
    for (const auto& row : entry.rows) builder.AppendText(row[i]);
    TADA_TRY(column, builder.Finish());
    columns.push_back(std::move(column));
  }
  return Table(std::move(columns));
}

Status Ledger::Judge(const std::string& input_sha256, const Workers& workers, const FinishedRelease& done) {
  const Plan& plan = done.outcome.plan;
  if (plan.requirement.persons == Persons::kApart && !done.made.bound.person.empty()) {
    return InvalidArgument(TADA_OPTION("ledger") ": rows of a person stand in several classes (" TADA_OPTION(
                               "person=...:apart") ")")
        .WithHint("Use " TADA_OPTION("person=...:together") ".");
  }
  if (done.made.bound.person.empty() && input_sha256.empty()) {
    return InvalidArgument(TADA_OPTION("ledger") ": the input is no file, and who its rows are is not known")
        .WithHint("Name people with " TADA_OPTION("person") ".");
  }
  Entry entry = EntryOf(input_sha256, done);
  if (entry.name.empty()) entry.name = fmt::format("release {}", entries_.size() + 1);
  std::vector<Table> tables;
  std::vector<ComposedRelease> releases;
  std::set<std::string> quasi(entry.quasi.begin(), entry.quasi.end()),
      sensitive(entry.sensitive.begin(), entry.sensitive.end());
  const size_t first = entries_.size() > kMostReleases ? entries_.size() - kMostReleases : 0;
  for (size_t i = first; i < entries_.size(); ++i) {
    const Entry& earlier = entries_[i];
    if (earlier.input_sha256 != entry.input_sha256) {
      return InvalidArgument(TADA_OPTION("ledger") ": who is in this release and in {} is not known", earlier.name)
          .WithHint("Name people with " TADA_OPTION(
              "person") " in all releases; without it only releases of one file are compared.");
    }
    TADA_TRY(table, TableOf(earlier, plan));
    tables.push_back(std::move(table));
    quasi.insert(earlier.quasi.begin(), earlier.quasi.end());
    sensitive.insert(earlier.sensitive.begin(), earlier.sensitive.end());
  }
  TADA_TRY(own, TableOf(entry, plan));
  tables.push_back(std::move(own));
  entries_.push_back(std::move(entry));
  if (tables.size() < 2) return Ok();
  for (size_t i = 0; i < tables.size(); ++i) releases.push_back({entries_[first + i].name, &tables[i]});
  ComposeOptions options;
  options.quasi.assign(quasi.begin(), quasi.end());
  options.sensitive.assign(sensitive.begin(), sensitive.end());
  options.key = kWho;
  options.requirement = plan.requirement;
  options.missing = plan.missing;
  TADA_TRY(composed, Compose(releases, options, workers));
  if (composed.passed) return Ok();
  return Infeasible(
             "Together with {} of the ledger it breaks the requirement: {} of {} people who are in more than one have "
             "k={}{} in the worst case",
             Plural(tables.size() - 1, "release"), composed.people_below, composed.people, composed.k,
             composed.l > 0 ? fmt::format(", l={}", composed.l) : "")
      .WithHint("Release by the same cuts ('tada apply'), ask for more, or leave these people out.");
}

std::string Ledger::FileText() const {
  Json json = {{"ledger", 1}, {"key", key_->FileText()}, {"releases", Json::array()}};
  for (const Entry& entry : entries_) {
    json["releases"].push_back({{"name", entry.name},
                                {"sha256", entry.sha256},
                                {"input", entry.input_sha256},
                                {"quasi", entry.quasi},
                                {"sensitive", entry.sensitive},
                                {"rows", entry.rows}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
