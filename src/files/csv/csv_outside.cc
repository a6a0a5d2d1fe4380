#include "files/csv/csv_outside.h"

#include <zlib.h>

#include <memory>

#include "files/byte_source.h"

namespace tada {
namespace {

// The fields of a gzip header that hold texts (RFC 1952): how long it is, and what stands there.
size_t ListHeader(std::string_view bytes, std::vector<OutsideContent>& list) {
  constexpr size_t kFixed = 10;
  constexpr unsigned kHeaderDigest = 2, kExtra = 4, kName = 8, kComment = 16;
  if (bytes.size() < kFixed) return bytes.size();
  const auto flags = static_cast<unsigned char>(bytes[3]);
  size_t at = kFixed;
  if ((flags & kExtra) != 0 && at + 2 <= bytes.size()) {
    const size_t size =
        static_cast<unsigned char>(bytes[at]) | static_cast<size_t>(static_cast<unsigned char>(bytes[at + 1])) << 8;
    list.push_back({"extra field of the gzip header", std::string(bytes.substr(at + 2, size)), false});
    at += 2 + size;
  }
  for (const auto& [flag, where] :
       {std::pair{kName, "file name in the gzip header"}, {kComment, "comment in the gzip header"}}) {
    if ((flags & flag) == 0 || at >= bytes.size()) continue;
    const size_t end = std::min(bytes.find('\0', at), bytes.size());
    list.push_back({where, std::string(bytes.substr(at, end - at)), false});
    at = end + 1;
  }
  return std::min(bytes.size(), at + ((flags & kHeaderDigest) != 0 ? 2 : 0));
}

// How many bytes the member that `bytes` begin with takes; nothing if it is none.
size_t MemberSize(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return 0;
  std::string out(1 << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(std::min<size_t>(bytes.size(), UINT32_MAX));
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    code = inflate(&stream, Z_NO_FLUSH);
  }
  const size_t used = stream.total_in;
  inflateEnd(&stream);
  return code == Z_STREAM_END ? used : 0;
}

}  // namespace

Result<std::vector<OutsideContent>> ReadCsvOutside(const std::string& path, Format format) {
  std::vector<OutsideContent> list;
  if (format != Format::kCsvGz) return list;
  TADA_TRY(source, OpenBytes(path, Packing::kNone));  // as they are stored
  std::string bytes, piece(1 << 20, '\0');
  for (;;) {
    TADA_TRY(got, source->Read(piece.data(), piece.size()));
    if (got == 0) break;
    bytes.append(piece, 0, got);
  }
  std::string_view rest = bytes;
  while (rest.starts_with("\x1f\x8b")) {
    ListHeader(rest, list);
    const size_t size = MemberSize(rest);
    if (size == 0) break;
    rest.remove_prefix(size);
  }
  if (rest.find_first_not_of('\0') != std::string_view::npos) {
    list.push_back({"bytes behind the end of the packed table", std::string(rest), false});
  }
  return list;
}

}  // namespace tada
