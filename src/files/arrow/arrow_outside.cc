// What an Arrow file holds beside its cells: metadata, entries of dictionaries that no row has, values under nulls, and bytes that
// belong to no message or to no buffer of one.

#include <arrow/array.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/api.h>
#include <arrow/record_batch.h>
#include <arrow/util/bit_util.h>

#include <cstring>
#include <map>

#include "files/arrow/arrow_types.h"
#include "files/arrow/outside.h"

namespace tada {
namespace {

constexpr std::string_view kMagic = "ARROW1";

std::string BytesOf(const arrow::Buffer& buffer, int64_t begin, int64_t end) {
  return std::string(reinterpret_cast<const char*>(buffer.data()) + begin, static_cast<size_t>(end - begin));
}

class ArrayWalk {
 public:
  ArrayWalk(OutsideList& list, const std::string& name) : list_(list), name_(name) {}

  void Walk(const arrow::ArrayData& data) {
    using arrow::Type;
    const auto array = arrow::MakeArray(data.Copy());
    if (data.type->id() == Type::STRING) {
      WalkTexts<int32_t>(*array);
    } else if (data.type->id() == Type::LARGE_STRING) {
      WalkTexts<int64_t>(*array);
    } else if (data.type->id() == Type::DICTIONARY) {
      WalkDictionary(static_cast<const arrow::DictionaryArray&>(*array));
    } else if (arrow::is_primitive(data.type->id()) && data.type->id() != Type::BOOL) {
      WalkNumbers(*array);
    }
    for (const auto& child : data.child_data) Walk(*child);
  }

 private:
  // Texts that no row shows: under a null, before the first row's and behind the last row's.
  template <class Offset>
  void WalkTexts(const arrow::Array& array) {
    const arrow::ArrayData& data = *array.data();
    if (data.buffers[1] == nullptr || data.buffers[2] == nullptr || data.length == 0) return;
    const auto* offsets = data.GetValues<Offset>(1);
    for (int64_t i = 0; array.null_count() > 0 && i < data.length; ++i) {
      if (array.IsNull(i) && offsets[i + 1] > offsets[i])
        list_.AddValue("value under a null of column " + name_, BytesOf(*data.buffers[2], offsets[i], offsets[i + 1]));
    }
    if (offsets[0] > 0) Hidden(BytesOf(*data.buffers[2], 0, offsets[0]));
    if (offsets[data.length] < data.buffers[2]->size())
      Hidden(BytesOf(*data.buffers[2], offsets[data.length], data.buffers[2]->size()));
  }
  void Hidden(std::string bytes) { list_.AddBytes("bytes beside the texts of column " + name_, std::move(bytes)); }

  void WalkNumbers(const arrow::Array& array) {
    if (array.null_count() == 0 || array.data()->buffers[1] == nullptr) return;
    const int64_t width = arrow::bit_util::BytesForBits(array.type()->bit_width());
    // The same values without their nulls.
    auto shown = array.data()->Copy();
    shown->buffers[0] = nullptr;
    shown->null_count = 0;
    const auto all = arrow::MakeArray(shown);
    std::string scratch;
    for (int64_t i = 0; i < array.length(); ++i) {
      if (!array.IsNull(i)) continue;
      const int64_t at = (array.offset() + i) * width;
      const std::string bytes = BytesOf(*array.data()->buffers[1], at, at + width);
      if (bytes.find_first_not_of('\0') == std::string::npos) continue;
      std::string_view text = bytes;
      if (LeafType(*array.type())) ValueText(*all, i, scratch, text);
      list_.AddValue("value under a null of column " + name_, std::string(text));
    }
  }

  void WalkDictionary(const arrow::DictionaryArray& array) {
    auto& used = used_[array.dictionary().get()];
    used.resize(static_cast<size_t>(array.dictionary()->length()));
    for (int64_t i = 0; i < array.length(); ++i) {
      if (array.IsNull(i)) continue;
      const int64_t index = array.GetValueIndex(i);
      if (index >= 0 && index < array.dictionary()->length()) used[static_cast<size_t>(index)] = true;
    }
    dictionaries_[array.dictionary().get()] = array.dictionary();
    Walk(*array.dictionary()->data());
  }

 public:
  /// Lists what is not used, when all batches have been walked.
  void Finish() {
    std::string scratch;
    for (const auto& [key, dictionary] : dictionaries_) {
      for (int64_t i = 0; i < dictionary->length(); ++i) {
        if (used_[key][static_cast<size_t>(i)] || dictionary->IsNull(i)) continue;
        std::string_view text;
        if (LeafType(*dictionary->type())) ValueText(*dictionary, i, scratch, text);
        list_.AddValue("unused dictionary entry of column " + name_, std::string(text));
      }
    }
  }

 private:
  OutsideList& list_;
  std::string name_;
  std::map<const arrow::Array*, std::vector<bool>> used_;
  std::map<const arrow::Array*, std::shared_ptr<arrow::Array>> dictionaries_;
};

// The whole file in memory, whose arrays are parts of it.
class ArrowWalk {
 public:
  ArrowWalk(std::shared_ptr<arrow::Buffer> whole, OutsideList& list)
      : whole_(std::move(whole)),
        bytes_(reinterpret_cast<const char*>(whole_->data()), static_cast<size_t>(whole_->size())),
        is_file_(bytes_.starts_with(kMagic)),
        list_(list) {}

  arrow::Status Run() {
    ARROW_RETURN_NOT_OK(WalkBatches());
    for (auto& [name, walk] : walks_) walk.Finish();
    return WalkMessages();
  }

 private:
  arrow::Status Walk(const arrow::RecordBatch& batch) {
    ARROW_RETURN_NOT_OK(batch.ValidateFull());  // whoever wrote it may have lied about where texts stand
    for (int i = 0; i < batch.num_columns(); ++i) {
      const std::string& name = batch.schema()->field(i)->name();
      walks_.try_emplace(name, list_, name).first->second.Walk(*batch.column(i)->data());
      Cover(*batch.column(i)->data());
    }
    return arrow::Status::OK();
  }
  void Cover(const arrow::ArrayData& data) {
    for (const auto& buffer : data.buffers) {
      if (buffer != nullptr && buffer->size() > 0 && buffer->data() >= whole_->data() &&
          buffer->data() + buffer->size() <= whole_->data() + whole_->size()) {
        covered_.emplace(buffer->data() - whole_->data(), buffer->data() - whole_->data() + buffer->size());
      }
    }
    for (const auto& child : data.child_data) Cover(*child);
    if (data.dictionary != nullptr) Cover(*data.dictionary);
  }

  arrow::Status WalkBatches() {
    const auto input = std::make_shared<arrow::io::BufferReader>(whole_);
    if (is_file_) {
      ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::RecordBatchFileReader::Open(input));
      list_.AddSchema(*reader->schema());
      if (reader->metadata() != nullptr) {
        for (int64_t i = 0; i < reader->metadata()->size(); ++i)
          list_.AddMetadata(" of the file", reader->metadata()->key(i), reader->metadata()->value(i));
      }
      for (int i = 0; i < reader->num_record_batches(); ++i) {
        ARROW_ASSIGN_OR_RAISE(const auto batch, reader->ReadRecordBatch(i));
        ARROW_RETURN_NOT_OK(Walk(*batch));
      }
      return arrow::Status::OK();
    }
    ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::RecordBatchStreamReader::Open(input));
    list_.AddSchema(*reader->schema());
    for (;;) {
      ARROW_ASSIGN_OR_RAISE(const auto batch, reader->Next());
      if (batch == nullptr) return arrow::Status::OK();
      ARROW_RETURN_NOT_OK(Walk(*batch));
    }
  }

  // Messages stand one behind the other; a file has a magic word before and a directory behind them.
  arrow::Status WalkMessages() {
    int64_t end = whole_->size();  // of the messages
    if (is_file_ && end >= 18) {
      int32_t directory = 0;
      std::memcpy(&directory, bytes_.data() + end - 10, sizeof directory);
      end -= 10 + directory;
    }
    arrow::io::BufferReader stream(whole_);
    ARROW_RETURN_NOT_OK(stream.Seek(is_file_ ? 8 : 0));
    const auto messages = arrow::ipc::MessageReader::Open(&stream);
    int64_t reached = is_file_ ? 8 : 0;
    for (;;) {
      const auto message = messages->ReadNextMessage();
      if (!message.ok() || *message == nullptr) break;  // the end, or what is no message
      if (const auto& metadata = (*message)->custom_metadata()) {
        for (int64_t i = 0; i < metadata->size(); ++i)
          list_.AddMetadata(" of a message", metadata->key(i), metadata->value(i));
      }
      if ((*message)->body() != nullptr) ListBodyGaps(*(*message)->body());
      ARROW_ASSIGN_OR_RAISE(reached, stream.Tell());
    }
    if (reached + static_cast<int64_t>(kEndMark) <= end &&
        bytes_.substr(static_cast<size_t>(reached), kEndMark) == kEnd)
      reached += kEndMark;
    if (reached < end) {
      list_.AddBytes(
          "bytes " + std::to_string(reached) + " to " + std::to_string(end - 1) + ", which belong to no message",
          std::string(bytes_.substr(static_cast<size_t>(reached), static_cast<size_t>(end - reached))));
    }
    return arrow::Status::OK();
  }

  // What of a body no array refers to. Of one that is packed nothing is known: its arrays lie elsewhere.
  void ListBodyGaps(const arrow::Buffer& body) {
    const int64_t begin = body.data() - whole_->data(), end = begin + body.size();
    auto place = covered_.lower_bound(begin);
    if (place == covered_.end() || place->first >= end) return;
    int64_t reached = begin;
    const auto add = [&](int64_t to) {
      if (to > reached) list_.AddBytes("bytes between the buffers of a batch", BytesOf(*whole_, reached, to));
    };
    for (; place != covered_.end() && place->first < end; ++place) {
      add(place->first);
      reached = std::max(reached, place->second);
    }
    add(end);
  }

  static constexpr size_t kEndMark = 8;
  static constexpr std::string_view kEnd{"\xFF\xFF\xFF\xFF\0\0\0\0", kEndMark};
  std::shared_ptr<arrow::Buffer> whole_;
  std::string_view bytes_;
  bool is_file_;
  OutsideList& list_;
  std::map<std::string, ArrayWalk> walks_;
  std::multimap<int64_t, int64_t> covered_;  // from, to behind
};

}  // namespace

arrow::Status ListOutsideArrow(std::shared_ptr<arrow::io::RandomAccessFile> file, OutsideList& list) {
  ARROW_ASSIGN_OR_RAISE(const int64_t size, file->GetSize());
  ARROW_ASSIGN_OR_RAISE(auto whole, file->ReadAt(0, size));
  return ArrowWalk(std::move(whole), list).Run();
}

}  // namespace tada
