#include "files/rows/zip_parts.h"

#ifdef TADA_HAS_WORKBOOKS
#include <expat.h>
#include <zip.h>

#include <algorithm>

#include "files/byte_source.h"

namespace tada {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 31;  // of a part, unpacked; the largest sheets have about a fifth of it
constexpr uint64_t kSmall = uint64_t{1} << 25;      // parts up to here may be packed as tightly as they like
constexpr uint64_t kMostTimes = 300;                // larger ones: as many times their packed size. Sheets have 5 to 50
constexpr size_t kPiece = 1 << 16;

std::string_view LocalName(const char* name) {
  const std::string_view whole(name);
  const size_t colon = whole.rfind(':');
  return colon == std::string_view::npos ? whole : whole.substr(colon + 1);
}

struct Parsing {
  const XmlEvents* events;
  XML_Parser parser;
  bool has_doctype = false;
};

void OnStart(void* data, const char* name, const char** given) {
  XmlAttributes attributes;
  for (; given[0] != nullptr; given += 2) attributes.emplace_back(LocalName(given[0]), given[1]);
  static_cast<Parsing*>(data)->events->start(LocalName(name), attributes);
}

void OnEnd(void* data, const char* name) { static_cast<Parsing*>(data)->events->end(LocalName(name)); }

void OnText(void* data, const char* text, int size) {
  static_cast<Parsing*>(data)->events->text({text, static_cast<size_t>(size)});
}

// No workbook declares a document type; entities that grow are declared in one.
void OnDoctype(void* data, const char*, const char*, const char*, int) {
  auto* parsing = static_cast<Parsing*>(data);
  parsing->has_doctype = true;
  XML_StopParser(parsing->parser, XML_FALSE);
}

}  // namespace

struct ZipParts::State {
  std::string path;
  zip_t* zip = nullptr;
  uint64_t bytes = 0;
  ~State() {
    if (zip != nullptr) zip_discard(zip);
  }
  Error Damaged(std::string_view why) const {
    return DataError("Damaged workbook: {}: {}", path, why)
        .WithHint(
            "Save it again as .xlsx, or save the sheet as CSV (UTF-8). Files that ask for a password cannot be read.");
  }
};

ZipParts::ZipParts(std::unique_ptr<State> state) : state_(std::move(state)) {}
ZipParts::ZipParts(ZipParts&&) noexcept = default;
ZipParts::~ZipParts() = default;

Result<ZipParts> ZipParts::Open(const std::string& path) {
  TADA_TRY(file, InputFile::Open(path));  // whose errors say what is wrong with the path
  auto state = std::make_unique<State>();
  state->path = path;
  state->bytes = file.size();
  int code = 0;
  state->zip = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (state->zip == nullptr) return state->Damaged("not a zip file");
  return ZipParts(std::move(state));
}

uint64_t ZipParts::stored_bytes() const { return state_->bytes; }

bool ZipParts::Has(const std::string& part) const { return zip_name_locate(state_->zip, part.c_str(), 0) >= 0; }

Status ZipParts::Read(const std::string& part, const XmlEvents& events) const {
  zip_stat_t about;
  if (zip_stat(state_->zip, part.c_str(), 0, &about) != 0) return state_->Damaged("it lacks " + part);
  const uint64_t most = std::min(kMostBytes, std::max(kSmall, about.comp_size * kMostTimes));
  if (about.size > most) return state_->Damaged(part + " unpacks to more than a table could be");
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen(state_->zip, part.c_str(), 0), &zip_fclose);
  if (file == nullptr) return state_->Damaged(part + " cannot be unpacked");
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  TADA_ASSERT(parser != nullptr);
  Parsing parsing{&events, parser.get()};
  XML_SetUserData(parser.get(), &parsing);
  XML_SetElementHandler(parser.get(), &OnStart, &OnEnd);
  XML_SetCharacterDataHandler(parser.get(), &OnText);
  XML_SetStartDoctypeDeclHandler(parser.get(), &OnDoctype);
  std::vector<char> piece(kPiece);
  for (uint64_t read = 0;;) {
    const zip_int64_t got = zip_fread(file.get(), piece.data(), piece.size());
    if (got < 0) return state_->Damaged(part + " is damaged");
    read += static_cast<uint64_t>(got);
    if (read > most) return state_->Damaged(part + " unpacks to more than a table could be");
    const bool good =
        XML_Parse(parser.get(), piece.data(), static_cast<int>(got), got == 0 ? 1 : 0) != XML_STATUS_ERROR;
    if (!good) return state_->Damaged(part + (parsing.has_doctype ? " declares a document type" : " is not XML"));
    if (got == 0 || !events.go_on()) return Ok();
  }
}

}  // namespace tada
#endif
