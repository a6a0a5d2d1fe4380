#include "files/read.h"

#include <openssl/evp.h>

#include "files/byte_source.h"
#include "files/csv/csv_header.h"
#include "files/read_parts.h"

namespace tada {

Result<TableFile> ReadTable(const std::string& path, const ReadOptions& options, const Workers& workers,
                            Progress& progress) {
  TADA_TRY(format, FormatOf(path));
  switch (format) {
    case Format::kParquet:
      return ReadParquet(path, options, workers, progress);
    case Format::kArrow:
      return ReadArrow(path, options, workers, progress);
    case Format::kCsv:
    case Format::kCsvGz:
      break;
  }
  return ReadCsv(path, format, options, workers, progress);
}

Result<std::vector<std::string>> ReadHeader(const std::string& path, std::optional<char> delimiter) {
  TADA_TRY(format, FormatOf(path));
  if (format == Format::kParquet) return ReadParquetHeader(path);
  if (format == Format::kArrow) return ReadArrowHeader(path);
  TADA_TRY(source, OpenBytes(path, format));
  TADA_TRY(header, ReadCsvHeader(*source, InputName(path), delimiter));
  return std::move(header.names);
}

Result<std::string> FileSha256(const std::string& path) {
  TADA_TRY(source, OpenBytes(path, Format::kCsv));  // the bytes as they are stored, packed or not
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  TADA_ASSERT(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  std::string piece(1 << 20, '\0');
  for (;;) {
    TADA_TRY(got, source->Read(piece.data(), piece.size()));
    if (got == 0) break;
    TADA_ASSERT(EVP_DigestUpdate(context.get(), piece.data(), got) == 1);
  }
  TADA_CHECK_OK(source->CheckUnchanged());
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  TADA_ASSERT(EVP_DigestFinal_ex(context.get(), digest, &length) == 1);
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) fmt::format_to(std::back_inserter(hex), "{:02x}", digest[i]);
  return hex;
}

}  // namespace tada
