#pragma once

// Object stores by tada._remote, which has pyarrow's file systems reach them.

#include <memory>
#include <string>
#include <vector>

#include "doors.h"
#include "files/stores/remote.h"

namespace tada {

// Calls into tada._remote; the engine's threads come here without the interpreter's lock. Words of pyarrow are those of an error at the store.
template <class T, class F>
Result<T> AtStore(std::string_view what, ErrorCode code, const std::string& address, F&& call) {
  const nb::gil_scoped_acquire locked;
  try {
    return call(nb::module_::import_("tada._remote"));
  } catch (const nb::python_error& raised) {
    if (raised.matches(nb::module_::import_("tada._errors").attr("TadaError"))) return ErrorOf(raised);
    return CannotAtStore(what, code, address, nb::cast<std::string>(nb::str(raised.value())));
  }
}

class PythonUpload final : public Upload {
 public:
  PythonUpload(nb::object stream, std::string address) : stream_(std::move(stream)), address_(std::move(address)) {}
  // pyarrow completes a stream that it forgets, and cannot abort one: so one that is not complete is never forgotten.
  ~PythonUpload() override {
    const nb::gil_scoped_acquire locked;
    if (completed_) {
      stream_.reset();
    } else {
      static_cast<void>(stream_.release());
    }
  }
  Status Write(std::string_view bytes) override {
    return Call([&] { stream_.attr("write")(nb::bytes(bytes.data(), bytes.size())); });
  }
  Status Complete() override {
    TADA_CHECK_OK(Call([&] { stream_.attr("close")(); }));
    completed_ = true;
    return Ok();
  }

 private:
  template <class F>
  Status Call(F&& call) {
    TADA_CHECK_OK(AtStore<bool>("write", ErrorCode::kIo, address_, [&](const nb::object&) {
      call();
      return true;
    }));
    return Ok();
  }
  nb::object stream_;
  std::string address_;
  bool completed_ = false;
};

class PythonRemote final : public Remote {
 public:
  Result<std::vector<std::string>> List(const std::string& address) override {
    return AtStore<std::vector<std::string>>("list", ErrorCode::kData, address, [&](const nb::object& remote) {
      return nb::cast<std::vector<std::string>>(remote.attr("names")(address));
    });
  }
  Status Fetch(const std::string& address, const std::string& name, int descriptor) override {
    TADA_CHECK_OK(AtStore<bool>("read", ErrorCode::kData, address, [&](const nb::object& remote) {
      remote.attr("fetch")(address, name, descriptor);
      return true;
    }));
    return Ok();
  }
  Result<bool> Exists(const std::string& address) override {
    return AtStore<bool>("look at", ErrorCode::kIo, address,
                         [&](const nb::object& remote) { return nb::cast<bool>(remote.attr("exists")(address)); });
  }
  Result<std::unique_ptr<Upload>> Open(const std::string& address, const std::string& name) override {
    return AtStore<std::unique_ptr<Upload>>("write", ErrorCode::kIo, address, [&](const nb::object& remote) {
      return std::unique_ptr<Upload>(std::make_unique<PythonUpload>(remote.attr("upload")(address, name), address));
    });
  }
  Status Remove(const std::string& address, const std::string& name) override {
    TADA_CHECK_OK(AtStore<bool>("remove", ErrorCode::kIo, address, [&](const nb::object& remote) {
      remote.attr("remove")(address, name);
      return true;
    }));
    return Ok();
  }
};

}  // namespace tada
