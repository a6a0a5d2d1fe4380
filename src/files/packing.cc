#include "files/packing.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#ifdef TADA_HAS_DEFLATE
#include <libdeflate.h>
#endif
#ifdef TADA_HAS_ZSTD
#include <zstd.h>
#endif
#ifdef TADA_HAS_BZIP2
#include <bzlib.h>
#endif
#ifdef TADA_HAS_LZ4
#include <lz4frame.h>
#endif

namespace tada {
namespace {

constexpr size_t kMost = 1 << 30;  // some libraries count in 32 bits

class Gunzip final : public Unpacker {
 public:
  Gunzip() { TADA_ASSERT(inflateInit2(&stream_, 15 + 16) == Z_OK); }  // the largest window; gzip's header and checksum
  ~Gunzip() override { inflateEnd(&stream_); }

  Result<bool> Unpack(std::string_view& in, char*& out, size_t& room) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(std::min(in.size(), kMost));
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(std::min(room, kMost));
    const int code = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(static_cast<size_t>(reinterpret_cast<const char*>(stream_.next_in) - in.data()));
    room -= static_cast<size_t>(reinterpret_cast<char*>(stream_.next_out) - out);
    out = reinterpret_cast<char*>(stream_.next_out);
    if (code == Z_MEM_ERROR) return DataError("not enough memory");
    if (code == Z_STREAM_END) Reset();
    if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)
      return DataError("{}", stream_.msg != nullptr ? stream_.msg : "not gzip");
    return code == Z_STREAM_END;
  }
  void Reset() override { TADA_ASSERT(inflateReset(&stream_) == Z_OK); }

 private:
  z_stream stream_{};
};

#ifdef TADA_HAS_ZSTD
class Unzstd final : public Unpacker {
 public:
  Unzstd() : stream_(ZSTD_createDStream(), &ZSTD_freeDStream) { TADA_ASSERT(stream_ != nullptr); }

  Result<bool> Unpack(std::string_view& in, char*& out, size_t& room) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, room, 0};
    const size_t left = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (ZSTD_isError(left) != 0) return DataError("{}", ZSTD_getErrorName(left));
    in.remove_prefix(from.pos);
    out += to.pos;
    room -= to.pos;
    return left == 0;
  }
  void Reset() override { ZSTD_DCtx_reset(stream_.get(), ZSTD_reset_session_only); }

 private:
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
};
#endif

#ifdef TADA_HAS_BZIP2
class Bunzip2 final : public Unpacker {
 public:
  Bunzip2() { Begin(); }
  ~Bunzip2() override { BZ2_bzDecompressEnd(&stream_); }

  Result<bool> Unpack(std::string_view& in, char*& out, size_t& room) override {
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = static_cast<unsigned>(std::min(in.size(), kMost));
    stream_.next_out = out;
    stream_.avail_out = static_cast<unsigned>(std::min(room, kMost));
    const int code = BZ2_bzDecompress(&stream_);
    in.remove_prefix(static_cast<size_t>(stream_.next_in - in.data()));
    room -= static_cast<size_t>(stream_.next_out - out);
    out = stream_.next_out;
    if (code != BZ_OK && code != BZ_STREAM_END) return DataError("not bzip2");
    if (code == BZ_STREAM_END) Reset();
    return code == BZ_STREAM_END;
  }
  void Reset() override {
    BZ2_bzDecompressEnd(&stream_);
    Begin();
  }

 private:
  void Begin() {
    stream_ = {};
    TADA_ASSERT(BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK);
  }
  bz_stream stream_{};
};
#endif

#ifdef TADA_HAS_LZ4
class Unlz4 final : public Unpacker {
 public:
  Unlz4() { TADA_ASSERT(LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) == 0); }
  ~Unlz4() override { LZ4F_freeDecompressionContext(context_); }

  Result<bool> Unpack(std::string_view& in, char*& out, size_t& room) override {
    size_t taken = in.size(), made = room;
    const size_t left = LZ4F_decompress(context_, out, &made, in.data(), &taken, nullptr);
    if (LZ4F_isError(left) != 0) return DataError("{}", LZ4F_getErrorName(left));
    in.remove_prefix(taken);
    out += made;
    room -= made;
    return left == 0;
  }
  void Reset() override { LZ4F_resetDecompressionContext(context_); }

 private:
  LZ4F_dctx* context_ = nullptr;
};
#endif

// A member without time stamp or name. libdeflate is more than twice as fast as zlib, and packs what is in memory as a whole.
#ifdef TADA_HAS_DEFLATE
std::string Gzip(std::string_view text) {
  constexpr int kLevel = 6;
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(kLevel), &libdeflate_free_compressor);
  TADA_ASSERT(compressor != nullptr);
  std::string packed(libdeflate_gzip_compress_bound(compressor.get(), text.size()), '\0');
  packed.resize(libdeflate_gzip_compress(compressor.get(), text.data(), text.size(), packed.data(), packed.size()));
  TADA_ASSERT(!packed.empty());
  return packed;
}
#else
std::string Gzip(std::string_view text) {
  z_stream stream{};
  TADA_ASSERT(text.size() < std::numeric_limits<uInt>::max() / 2);  // zlib counts in 32 bits
  TADA_ASSERT(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  TADA_ASSERT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}
#endif

}  // namespace

bool HasPacking(Packing packing) {
  switch (packing) {
    case Packing::kNone:
    case Packing::kGzip:
      return true;
#ifdef TADA_HAS_ZSTD
    case Packing::kZstd:
      return true;
#endif
#ifdef TADA_HAS_BZIP2
    case Packing::kBzip2:
      return true;
#endif
#ifdef TADA_HAS_LZ4
    case Packing::kLz4:
      return true;
#endif
    default:
      return false;
  }
}

Result<std::unique_ptr<Unpacker>> MakeUnpacker(Packing packing) {
  switch (packing) {
    case Packing::kGzip:
      return std::unique_ptr<Unpacker>(std::make_unique<Gunzip>());
#ifdef TADA_HAS_ZSTD
    case Packing::kZstd:
      return std::unique_ptr<Unpacker>(std::make_unique<Unzstd>());
#endif
#ifdef TADA_HAS_BZIP2
    case Packing::kBzip2:
      return std::unique_ptr<Unpacker>(std::make_unique<Bunzip2>());
#endif
#ifdef TADA_HAS_LZ4
    case Packing::kLz4:
      return std::unique_ptr<Unpacker>(std::make_unique<Unlz4>());
#endif
    default:
      return InvalidArgument("This build cannot unpack {}", PackingName(packing))
          .WithHint("Unpack the file first, or build tada where the library for it is installed.");
  }
}

std::string PackMember(std::string_view text, Packing packing) {
  std::string packed;
  switch (packing) {
    case Packing::kGzip:
      return Gzip(text);
#ifdef TADA_HAS_ZSTD
    case Packing::kZstd: {
      packed.resize(ZSTD_compressBound(text.size()));
      const size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3);
      TADA_ASSERT(ZSTD_isError(size) == 0);
      packed.resize(size);
      return packed;
    }
#endif
#ifdef TADA_HAS_BZIP2
    case Packing::kBzip2: {
      TADA_ASSERT(text.size() < std::numeric_limits<unsigned>::max() / 2);
      auto size = static_cast<unsigned>(text.size() + text.size() / 100 + 600);
      packed.resize(size);
      TADA_ASSERT(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                           static_cast<unsigned>(text.size()), 9, 0, 0) == BZ_OK);
      packed.resize(size);
      return packed;
    }
#endif
#ifdef TADA_HAS_LZ4
    case Packing::kLz4: {
      packed.resize(LZ4F_compressFrameBound(text.size(), nullptr));
      const size_t size = LZ4F_compressFrame(packed.data(), packed.size(), text.data(), text.size(), nullptr);
      TADA_ASSERT(LZ4F_isError(size) == 0);
      packed.resize(size);
      return packed;
    }
#endif
    default:
      TADA_ASSERT(false);
  }
  return packed;
}

}  // namespace tada
