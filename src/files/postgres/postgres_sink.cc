#include "files/postgres/postgres_sink.h"

#include <unistd.h>

#include <algorithm>
#include <future>
#include <random>

#include "base/option_mark.h"
#include "files/postgres/copy_binary.h"
#include "files/postgres/copy_text.h"
#include "files/postgres/postgres.h"
#include "files/postgres/types.h"
#include "files/published.h"
#include "files/read_parts.h"
#include "files/write_parts.h"

namespace tada {
namespace {

constexpr size_t kBlockRows = 1 << 14;

// The different cells of a column as PostgreSQL's texts; nothing for a null.
std::vector<std::optional<std::string>> TextsOf(const Column& column, const ReleasedColumn& released,
                                                const ReleasedType& type) {
  std::vector<std::optional<std::string>> texts;
  if (released.recoded) {
    const bool ranges = type.literals && type.name != "text[]";
    for (std::string& text : CellTexts(column, released, type.literals ? CellForm::kPostgres : CellForm::kText)) {
      if (ranges && text.empty()) {
        texts.emplace_back();
      } else {
        texts.emplace_back(std::move(text));
      }
    }
    return texts;
  }
  for (Code code = 0; code < column.num_codes(); ++code) {
    const std::string_view text = column.text(code);
    const bool null = column.is_missing(code) && (text.empty() || type.name != "text");
    texts.push_back(null ? std::nullopt : std::optional<std::string>(text));
  }
  return texts;
}

// A release in a format of COPY: the cells of each column, and what stands around them.
struct CopyForm {
  bool binary = false;
  std::string row_begin, between, row_end;
  std::vector<std::vector<std::string>> cells;
};

// In the binary format if all cells have one there.
CopyForm FormOf(const std::vector<std::vector<std::optional<std::string>>>& texts,
                const std::vector<std::string>& types) {
  CopyForm form{.binary = true, .row_begin = CopyRowBegin(texts.size()), .between = "", .row_end = "", .cells = {}};
  for (size_t c = 0; c < texts.size() && form.binary; ++c) {
    std::vector<std::string>& cells = form.cells.emplace_back();
    for (const auto& text : texts[c]) {
      auto field = CopyField(types[c], text);
      form.binary = form.binary && field.has_value();
      if (!form.binary) break;
      cells.push_back(*std::move(field));
    }
  }
  if (form.binary) return form;
  form = {.binary = false, .row_begin = "", .between = "\t", .row_end = "\n", .cells = {}};
  for (const auto& column : texts) {
    std::vector<std::string>& cells = form.cells.emplace_back();
    for (const auto& text : column) cells.push_back(text ? CopyCell(*text) : "\\N");
  }
  return form;
}

std::string CopyBlock(const Release& release, const CopyForm& form, size_t begin, size_t end) {
  const std::vector<std::vector<std::string>>& cells = form.cells;
  const size_t rows = end - begin;
  std::vector<uint32_t> indices(rows * cells.size());
  for (size_t c = 0; c < cells.size(); ++c) {
    CellIndices(release, release.columns[c], begin, std::span(indices).subspan(c * rows, rows));
  }
  std::string block;
  block.reserve(rows * cells.size() * (form.binary ? 20 : 12));
  for (size_t row = 0; row < rows; ++row) {
    block += form.row_begin;
    for (size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) block += form.between;
      block += cells[c][indices[c * rows + row]];
    }
    block += form.row_end;
  }
  return block;
}

}  // namespace

PostgresSink::PostgresSink(PostgresAddress address, std::unique_ptr<PostgresConnection> connection, bool force)
    : address_(std::move(address)), connection_(std::move(connection)), force_(force) {}

Result<std::unique_ptr<Sink>> PostgresSink::Open(const std::string& path, bool force) {
  TADA_TRY(address, PostgresAddress::Parse(path));
  if (!address.query.empty()) {
    return InvalidArgument("A release goes to a table, not to a query: {}", address.shown)
        .WithHint("Add ?table=<name>.");
  }
  TADA_TRY(connection, PostgresConnection::Open(address, ErrorCode::kIo));
  std::unique_ptr<PostgresSink> sink(new PostgresSink(std::move(address), std::move(connection), force));
  TADA_CHECK_OK(sink->FindTarget());
  return std::unique_ptr<Sink>(std::move(sink));
}

// Looks for a table of that name, and refuses what could not be replaced without harm.
Status PostgresSink::FindTarget() {
  if (address_.schema.empty()) {
    TADA_TRY(schema, connection_->Rows("select current_schema()"));
    if (schema[0][0].empty())
      return connection_->Fail("there is no schema to make a table in; name one: ?table=schema.name");
    TADA_TRY(found,
             connection_->Rows(fmt::format(
                 "select n.nspname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace "
                 "where c.oid = to_regclass({})",
                 QuotedText(QuotedName(address_.table)))));
    address_.schema = found.empty() ? schema[0][0] : found[0][0];
  }
  TADA_TRY(found, connection_->Rows(fmt::format("select c.oid, c.relkind, c.relrowsecurity, exists (select 1 from "
                                                "pg_catalog.pg_policy p where p.polrelid = c.oid) "
                                                "from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = "
                                                "c.relnamespace where n.nspname = {} and c.relname = {}",
                                                QuotedText(address_.schema), QuotedText(address_.table))));
  replaced_.clear();
  if (found.empty()) return Ok();
  if (!force_) {
    return IoError("Output exists: {}", address_.shown)
        .WithHint("Add " TADA_OPTION("force") " to replace the table, or choose another name.");
  }
  if (found[0][1] != "r") {
    return IoError("Will not replace {}: it is no ordinary table", address_.shown).WithHint("Choose another name.");
  }
  if (found[0][2] == "t" || found[0][3] == "t") {
    return IoError("Will not replace {}: it has rules on rows (row level security), which a new table would not have",
                   address_.shown)
        .WithHint("Choose another name, or drop the table yourself.");
  }
  replaced_ = found[0][0];
  return Ok();
}

// Of names of types those that this database knows; others become text.
Result<std::vector<std::string>> PostgresSink::KnownTypes(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + QuotedText(name);
  TADA_TRY(rows,
           connection_->Rows(fmt::format(
               "select case when to_regtype(regexp_replace(t, '\\(.*\\)', '')) is null then 'text' else t end from "
               "unnest(array[{}]) with ordinality u(t, place) order by place",
               list)));
  std::vector<std::string> known;
  for (const std::vector<std::string>& row : rows) known.push_back(row[0]);
  return known;
}

Status PostgresSink::Write(const Release& release, const WriteOptions& options, const Workers& workers,
                           Progress& progress) {
  if (options.guard_formulas) {
    return InvalidArgument(TADA_OPTION("guard-formulas") " is for CSV: {}", address_.shown).WithHint("Leave it out.");
  }
  const auto* stored = dynamic_cast<const PostgresColumns*>(options.stored);
  std::vector<ReleasedType> types;
  std::vector<std::string> names;
  for (const ReleasedColumn& released : release.columns) {
    const Column& column = release.table->column(released.source);
    const PostgresType* own = nullptr;
    if (stored != nullptr && !options.changed.contains(column.name())) {
      const auto found = stored->by_name.find(column.name());
      if (found != stored->by_name.end()) own = &found->second;
    }
    types.push_back(ReleasedTypeOf(column, released, options.cells, own));
    names.push_back(types.back().name);
    columns_.push_back(column.name());
  }
  TADA_CHECK_OK(connection_->Run("begin"));
  TADA_TRY(known, KnownTypes(names));
  static thread_local std::random_device random;
  pending_ =
      QuotedName(address_.schema) + "." + QuotedName(fmt::format("tada_pending_{}_{:08x}", ::getpid(), random()));
  std::string definition, list;
  std::vector<std::vector<std::optional<std::string>>> texts;
  for (size_t i = 0; i < columns_.size(); ++i) {
    types[i].name = known[i];
    definition += fmt::format("{}{} {}", i == 0 ? "" : ", ", QuotedName(columns_[i]), known[i]);
    list += (i == 0 ? "" : ", ") + QuotedName(columns_[i]);
    texts.push_back(TextsOf(release.table->column(release.columns[i].source), release.columns[i], types[i]));
  }
  TADA_CHECK_OK(connection_->Run(fmt::format("create table {} ({})", pending_, definition)));
  const CopyForm form = FormOf(texts, known);
  texts.clear();
  TADA_CHECK_OK(connection_->BeginCopyIn(
      fmt::format("copy {} ({}) from stdin{}", pending_, list, form.binary ? " (format binary)" : "")));
  if (form.binary) TADA_CHECK_OK(connection_->Put(CopySignature()));
  const size_t rows = release.row_order.size();
  progress.Begin("write", rows);
  const size_t wave = kBlockRows * static_cast<size_t>(workers.threads());
  const auto render = [&](size_t begin) {
    const size_t count = std::min(wave, rows - begin);
    std::vector<std::string> blocks((count + kBlockRows - 1) / kBlockRows);
    workers.ForBlocks(count, kBlockRows, [&](size_t from, size_t to) {
      blocks[from / kBlockRows] = CopyBlock(release, form, begin + from, begin + to);
    });
    return blocks;
  };
  // The server takes a wave while the next is made.
  const std::launch how = workers.threads() > 1 ? std::launch::async : std::launch::deferred;
  std::future<std::vector<std::string>> next = std::async(how, render, 0);
  for (size_t begin = 0; begin < rows; begin += wave) {
    const std::vector<std::string> blocks = next.get();
    if (begin + wave < rows) next = std::async(how, render, begin + wave);
    for (const std::string& block : blocks) TADA_CHECK_OK(connection_->Put(block));
    progress.Advance(std::min(wave, rows - begin));
  }
  if (form.binary) TADA_CHECK_OK(connection_->Put(CopyEnd()));
  return connection_->EndCopyIn();
}

Result<Table> PostgresSink::ReadBack(const ReadOptions& options, const Workers& workers) {
  std::vector<ColumnBuilder> builders;
  std::string list;
  for (const std::string& name : columns_) {
    builders.emplace_back(name, OptionsOf(name, options));
    list += (list.empty() ? "" : ", ") + QuotedName(name);
  }
  NoProgress silent;
  TADA_CHECK_OK(CopyRows(*connection_, fmt::format("{} ({})", pending_, list), builders, workers, silent));
  return FinishColumns(std::move(builders), workers);
}

// Whoever could use the table before can use the new one, and nobody else.
Status PostgresSink::KeepGrants() {
  const std::string acl =
      "select a.privilege_type, case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end, "
      "a.is_grantable";
  TADA_TRY(made, connection_->Rows(fmt::format("{} from pg_catalog.pg_class c, aclexplode(c.relacl) a where c.oid = "
                                               "{}::regclass and a.grantee <> c.relowner",
                                               acl, QuotedText(pending_))));
  for (const auto& row : made)
    TADA_CHECK_OK(connection_->Run(fmt::format("revoke all on {} from {}", pending_, row[1])));
  TADA_TRY(owner,
           connection_->Rows(fmt::format("select quote_ident(pg_get_userbyid(relowner)), pg_get_userbyid(relowner) = "
                                         "current_user, coalesce(obj_description(oid, 'pg_class'), '') "
                                         "from pg_catalog.pg_class where oid = {}",
                                         replaced_)));
  if (owner.empty()) return connection_->Fail("the table that was there is gone");
  TADA_TRY(grants,
           connection_->Rows(fmt::format(
               "{} from pg_catalog.pg_class c, aclexplode(c.relacl) a where c.oid = {} and a.grantee <> c.relowner",
               acl, replaced_)));
  for (const auto& row : grants) {
    TADA_CHECK_OK(connection_->Run(
        fmt::format("grant {} on {} to {}{}", row[0], pending_, row[1], row[2] == "t" ? " with grant option" : "")));
  }
  TADA_TRY(
      columns,
      connection_->Rows(fmt::format(
          "{}, t.attname from pg_catalog.pg_attribute t, aclexplode(t.attacl) a where t.attrelid = {} and t.attnum > 0 "
          "and not t.attisdropped",
          acl, replaced_)));
  for (const auto& row : columns) {
    if (std::find(columns_.begin(), columns_.end(), row[3]) == columns_.end()) continue;
    TADA_CHECK_OK(connection_->Run(fmt::format("grant {} ({}) on {} to {}{}", row[0], QuotedName(row[3]), pending_,
                                               row[1], row[2] == "t" ? " with grant option" : "")));
  }
  if (!owner[0][2].empty())
    TADA_CHECK_OK(connection_->Run(fmt::format("comment on table {} is {}", pending_, QuotedText(owner[0][2]))));
  if (owner[0][1] == "t") return Ok();
  return connection_->Run(fmt::format("alter table {} owner to {}", pending_, owner[0][0]));
}

Status PostgresSink::Publish() {
  const bool replaces = !replaced_.empty();
  if (replaces) {
    TADA_CHECK_OK(connection_->Run(fmt::format("lock table {} in access exclusive mode", address_.Qualified())));
    TADA_CHECK_OK(FindTarget());
    TADA_CHECK_OK(KeepGrants());
    TADA_CHECK_OK(connection_->Run(fmt::format("drop table {}", address_.Qualified())));
  }
  TADA_CHECK_OK(connection_->Run(fmt::format("alter table {} rename to {}", pending_, QuotedName(address_.table))));
  const Status committed = connection_->Run("commit");
  if (!committed.ok() && connection_->lost()) {
    return Error(committed.error())
        .WithHint("The connection was lost while the server committed: look whether the table is there.");
  }
  TADA_CHECK_OK(committed);
  AddPublished(address_.shown);
  return Ok();
}

Result<std::unique_ptr<Sink>> OpenPostgresSink(const std::string& path, bool force) {
  return PostgresSink::Open(path, force);
}

}  // namespace tada
