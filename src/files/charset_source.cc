#include "files/charset_source.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/option_mark.h"
#include "files/format.h"

namespace tada {
namespace {

constexpr size_t kPiece = 1 << 16;

class Converter {
 public:
  explicit Converter(const std::string& charset) : handle_(iconv_open("UTF-8", charset.c_str())) {}
  ~Converter() {
    if (ok()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  bool ok() const { return handle_ != reinterpret_cast<iconv_t>(-1); }
  void Reset() { iconv(handle_, nullptr, nullptr, nullptr, nullptr); }
  /// Takes off `in` what it converts; the error number if it stopped before the end.
  int Convert(char*& in, size_t& in_size, char*& out, size_t& room) {
    return iconv(handle_, &in, &in_size, &out, &room) == static_cast<size_t>(-1) ? errno : 0;
  }

 private:
  iconv_t handle_;
};

class CharsetSource final : public ByteSource {
 public:
  CharsetSource(std::unique_ptr<ByteSource> bytes, std::string name, std::string charset, size_t mark)
      : bytes_(std::move(bytes)),
        name_(std::move(name)),
        charset_(std::move(charset)),
        mark_(mark),
        converter_(charset_) {}
  bool ok() const { return converter_.ok(); }

  Status Rewind() override {
    TADA_CHECK_OK(bytes_->Rewind());
    converter_.Reset();
    in_.clear();
    ready_.clear();
    at_ = 0;
    taken_ = 0;
    ended_ = false;
    return SkipMark();
  }
  Status SkipMark() {
    std::string mark(mark_, '\0');
    for (size_t read = 0; read < mark_;) {
      TADA_TRY(got, bytes_->Read(mark.data() + read, mark_ - read));
      if (got == 0) break;
      read += got;
    }
    return Ok();
  }
  Result<size_t> Read(char* out, size_t count) override {
    while (at_ == ready_.size() && !ended_) TADA_CHECK_OK(Step());
    const size_t take = std::min(count, ready_.size() - at_);
    std::memcpy(out, ready_.data() + at_, take);
    at_ += take;
    return take;
  }
  uint64_t stored_size() const override { return bytes_->stored_size(); }
  uint64_t stored_position() const override { return bytes_->stored_position(); }
  Status CheckUnchanged() const override { return bytes_->CheckUnchanged(); }
  std::string charset() const override { return charset_; }

 private:
  // Converts a piece; characters that are not whole wait for the next.
  Status Step() {
    const size_t kept = in_.size();
    in_.resize(kept + kPiece);
    TADA_TRY(got, bytes_->Read(in_.data() + kept, kPiece));
    in_.resize(kept + got);
    ended_ = got == 0;
    if (ended_ && kept > 0) return Bad("it ends in the middle of a character");
    ready_.resize(in_.size() * 4 + 16);
    at_ = 0;
    char* from = in_.data();
    char* to = ready_.data();
    size_t left = in_.size(), room = ready_.size();
    const int failed = converter_.Convert(from, left, to, room);
    ready_.resize(ready_.size() - room);
    taken_ += in_.size() - left;
    in_.erase(0, in_.size() - left);
    if (failed != 0 && failed != EINVAL) return Bad("there is no such character");  // EINVAL: not whole
    return Ok();
  }
  Error Bad(std::string_view why) const {
    return DataError("{}: not {}: byte {}: {}", name_, charset_, mark_ + taken_ + 1, why)
        .WithHint("Name with " TADA_OPTION(
            "charset") " what it is written in: cp1252, latin1, utf-16, or another that iconv knows.");
  }

  std::unique_ptr<ByteSource> bytes_;
  std::string name_, charset_;
  size_t mark_;  // bytes of the byte order mark
  Converter converter_;
  std::string in_, ready_;  // bytes to convert, and converted ones
  size_t at_ = 0;           // in `ready_`
  uint64_t taken_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenText(const std::string& path, Packing packing, const std::string& charset) {
  TADA_TRY(bytes, OpenBytes(path, packing));
  char mark[4] = {0, 0, 0, 0};
  size_t read = 0;
  while (read < sizeof mark) {
    TADA_TRY(got, bytes->Read(mark + read, sizeof mark - read));
    if (got == 0) break;
    read += got;
  }
  TADA_CHECK_OK(bytes->Rewind());
  const std::string_view begin(mark, read);
  std::string found;
  if (begin.starts_with("\xFF\xFE")) found = "UTF-16LE";
  if (begin.starts_with("\xFE\xFF")) found = "UTF-16BE";
  const size_t mark_size = found.empty() ? 0 : 2;
  if (found.empty() && !begin.starts_with("\xEF\xBB\xBF")) found = charset;
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  constexpr std::string_view kUtf8 = "utf-8";
  if (found.empty() || std::equal(found.begin(), found.end(), kUtf8.begin(), kUtf8.end(), same)) return bytes;
  auto source = std::make_unique<CharsetSource>(std::move(bytes), InputName(path), found, mark_size);
  if (!source->ok()) {
    return InvalidArgument(TADA_OPTION("charset") " is not known: {}", charset)
        .WithHint("For example cp1252, latin1, utf-8, utf-16; 'iconv -l' lists all that there are.");
  }
  TADA_CHECK_OK(source->SkipMark());
  return std::unique_ptr<ByteSource>(std::move(source));
}

}  // namespace tada
