#include "files/postgres/connection.h"

#include <dlfcn.h>
#include <fmt/format.h>
#ifdef TADA_HAS_LIBPQ
#include <libpq-fe.h>
#endif

#include <algorithm>

namespace tada {

#ifdef TADA_HAS_LIBPQ
namespace {

// What we use of libpq, by the names it has there.
struct Libpq {
#define TADA_LIBPQ(name) decltype(&::name) name = nullptr;
#include "files/postgres/libpq_names.inc"
#undef TADA_LIBPQ
  bool loaded = false;
};

Libpq Load() {
  Libpq libpq;
  void* const library = ::dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return libpq;
  libpq.loaded = true;
#define TADA_LIBPQ(name)                                                     \
  libpq.name = reinterpret_cast<decltype(&::name)>(::dlsym(library, #name)); \
  libpq.loaded = libpq.loaded && libpq.name != nullptr;
#include "files/postgres/libpq_names.inc"
#undef TADA_LIBPQ
  return libpq;
}

const Libpq& Pq() {
  static const Libpq libpq = Load();
  return libpq;
}

std::string Trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

struct PostgresConnection::State {
  PGconn* connection = nullptr;
  ErrorCode code = ErrorCode::kData;
  std::string shown;
  char* line = nullptr;  // what NextLine() gave last

  ~State() {
    if (line != nullptr) Pq().PQfreemem(line);
    if (connection != nullptr) Pq().PQfinish(connection);
  }
};

namespace {

using ResultPtr = std::unique_ptr<PGresult, void (*)(PGresult*)>;

ResultPtr Own(PGresult* result) { return {result, Pq().PQclear}; }

// What the server says, without the values that its messages about data quote.
std::string Words(const PGresult* result, const PGconn* connection) {
  const char* const state = result == nullptr ? nullptr : Pq().PQresultErrorField(result, PG_DIAG_SQLSTATE);
  if (state == nullptr) return Trimmed(Pq().PQerrorMessage(connection));
  const std::string_view sqlstate = state;
  if (sqlstate.starts_with("22") || sqlstate.starts_with("23")) {
    const char* const column = Pq().PQresultErrorField(result, PG_DIAG_COLUMN_NAME);
    return fmt::format("a value that it does not take{}{} (SQLSTATE {})", column == nullptr ? "" : ", column ",
                       column == nullptr ? "" : column, sqlstate);
  }
  const char* const primary = Pq().PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return fmt::format("{} (SQLSTATE {})", primary == nullptr ? "failed" : Trimmed(primary), sqlstate);
}

}  // namespace

PostgresConnection::~PostgresConnection() = default;

Result<std::unique_ptr<PostgresConnection>> PostgresConnection::Open(const PostgresAddress& address, ErrorCode code) {
  if (!Pq().loaded) {
    return InvalidArgument("PostgreSQL needs the library libpq, which is not here: {}", address.shown)
        .WithHint("Install it: apt-get install libpq5.");
  }
  std::unique_ptr<PostgresConnection> made(new PostgresConnection());
  made->state_ = std::make_unique<State>();
  State& state = *made->state_;
  state.code = code;
  state.shown = address.shown;
  const char* const names[] = {"dbname", "fallback_application_name", "client_encoding", nullptr};
  const char* const values[] = {address.connection.c_str(), "tada", "UTF8", nullptr};
  state.connection = Pq().PQconnectdbParams(names, values, 1);
  if (state.connection == nullptr || Pq().PQstatus(state.connection) != CONNECTION_OK) {
    return Error{code,
                 fmt::format("Cannot connect to {}: {}", address.shown, Trimmed(Pq().PQerrorMessage(state.connection))),
                 "Check host, database and user; passwords come from PGPASSFILE or a service, see docs/nightly.md."};
  }
  Pq().PQsetNoticeProcessor(state.connection, [](void*, const char*) {}, nullptr);
  TADA_CHECK_OK(made->Run(
      "set datestyle = 'ISO'; set timezone = 'UTC'; set intervalstyle = 'iso_8601'; set extra_float_digits = 1; "
      "set bytea_output = 'hex'; set synchronize_seqscans = off; set max_parallel_workers_per_gather = 0; "
      "set idle_in_transaction_session_timeout = 0; set standard_conforming_strings = on"));
  return made;
}

bool PostgresConnection::lost() const { return Pq().PQstatus(state_->connection) != CONNECTION_OK; }

Error PostgresConnection::Fail(std::string_view what) const {
  return {state_->code, fmt::format("{}: {}", state_->shown, what), ""};
}

Status PostgresConnection::Run(const std::string& sql) {
  const ResultPtr result = Own(Pq().PQexec(state_->connection, sql.c_str()));
  const ExecStatusType status = Pq().PQresultStatus(result.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return Ok();
  return Fail(Words(result.get(), state_->connection));
}

Result<std::vector<std::vector<std::string>>> PostgresConnection::Rows(const std::string& sql) {
  const ResultPtr result = Own(Pq().PQexec(state_->connection, sql.c_str()));
  if (Pq().PQresultStatus(result.get()) != PGRES_TUPLES_OK) return Fail(Words(result.get(), state_->connection));
  std::vector<std::vector<std::string>> rows(static_cast<size_t>(Pq().PQntuples(result.get())));
  for (size_t row = 0; row < rows.size(); ++row) {
    for (int column = 0; column < Pq().PQnfields(result.get()); ++column) {
      rows[row].emplace_back(Pq().PQgetvalue(result.get(), static_cast<int>(row), column));
    }
  }
  return rows;
}

Result<std::vector<PostgresConnection::ColumnType>> PostgresConnection::Describe(const std::string& select) {
  ResultPtr result = Own(Pq().PQprepare(state_->connection, "", select.c_str(), 0, nullptr));
  if (Pq().PQresultStatus(result.get()) != PGRES_COMMAND_OK) return Fail(Words(result.get(), state_->connection));
  result = Own(Pq().PQdescribePrepared(state_->connection, ""));
  if (Pq().PQresultStatus(result.get()) != PGRES_COMMAND_OK) return Fail(Words(result.get(), state_->connection));
  std::vector<ColumnType> columns;
  for (int i = 0; i < Pq().PQnfields(result.get()); ++i) {
    columns.push_back({Pq().PQfname(result.get(), i), Pq().PQftype(result.get(), i), Pq().PQfmod(result.get(), i)});
  }
  if (columns.empty()) return Fail("it gives no columns");
  return columns;
}

Status PostgresConnection::BeginCopyOut(const std::string& sql) {
  const ResultPtr result = Own(Pq().PQexec(state_->connection, sql.c_str()));
  if (Pq().PQresultStatus(result.get()) == PGRES_COPY_OUT) return Ok();
  return Fail(Words(result.get(), state_->connection));
}

Result<std::string_view> PostgresConnection::NextLine() {
  if (state_->line != nullptr) Pq().PQfreemem(state_->line);
  state_->line = nullptr;
  const int length = Pq().PQgetCopyData(state_->connection, &state_->line, 0);
  if (length > 0) return std::string_view(state_->line, static_cast<size_t>(length));
  if (length == -2) return Fail(Words(nullptr, state_->connection));
  Status outcome = Ok();
  while (PGresult* const next = Pq().PQgetResult(state_->connection)) {
    const ResultPtr result = Own(next);
    if (Pq().PQresultStatus(next) != PGRES_COMMAND_OK && outcome.ok()) outcome = Fail(Words(next, state_->connection));
  }
  TADA_CHECK_OK(std::move(outcome));
  return std::string_view();
}

Status PostgresConnection::BeginCopyIn(const std::string& sql) {
  const ResultPtr result = Own(Pq().PQexec(state_->connection, sql.c_str()));
  if (Pq().PQresultStatus(result.get()) == PGRES_COPY_IN) return Ok();
  return Fail(Words(result.get(), state_->connection));
}

Status PostgresConnection::Put(std::string_view bytes) {
  constexpr size_t kMost = 1 << 24;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kMost, bytes.size()))) {
    const auto count = static_cast<int>(std::min(kMost, bytes.size()));
    if (Pq().PQputCopyData(state_->connection, bytes.data(), count) != 1)
      return Fail(Words(nullptr, state_->connection));
  }
  return Ok();
}

Status PostgresConnection::EndCopyIn() {
  if (Pq().PQputCopyEnd(state_->connection, nullptr) != 1) return Fail(Words(nullptr, state_->connection));
  Status outcome = Ok();
  while (PGresult* const next = Pq().PQgetResult(state_->connection)) {
    const ResultPtr result = Own(next);
    if (Pq().PQresultStatus(next) != PGRES_COMMAND_OK && outcome.ok()) outcome = Fail(Words(next, state_->connection));
  }
  return outcome;
}

#else  // a build without libpq's headers

struct PostgresConnection::State {};
PostgresConnection::~PostgresConnection() = default;
Result<std::unique_ptr<PostgresConnection>> PostgresConnection::Open(const PostgresAddress& address, ErrorCode) {
  return InvalidArgument("This build cannot talk to PostgreSQL: {}", address.shown)
      .WithHint("Build it where libpq-dev is installed.");
}
bool PostgresConnection::lost() const { return true; }
Error PostgresConnection::Fail(std::string_view what) const { return InvalidArgument("{}", what); }
Status PostgresConnection::Run(const std::string&) { return Fail(""); }
Result<std::vector<std::vector<std::string>>> PostgresConnection::Rows(const std::string&) { return Fail(""); }
Result<std::vector<PostgresConnection::ColumnType>> PostgresConnection::Describe(const std::string&) {
  return Fail("");
}
Status PostgresConnection::BeginCopyOut(const std::string&) { return Fail(""); }
Result<std::string_view> PostgresConnection::NextLine() { return Fail(""); }
Status PostgresConnection::BeginCopyIn(const std::string&) { return Fail(""); }
Status PostgresConnection::Put(std::string_view) { return Fail(""); }
Status PostgresConnection::EndCopyIn() { return Fail(""); }

#endif

}  // namespace tada
