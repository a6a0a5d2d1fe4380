#include "server/http/listener.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <limits>
#include <sstream>

#include "base/option_mark.h"
#include "server/http/guard.h"
#include "server/http/problem.h"

namespace tada {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Ec = boost::system::error_code;

constexpr int kMaxConnections = 64;
constexpr uint32_t kMaxHead = 16 * 1024;
constexpr uint64_t kMaxBody = 1024 * 1024;
constexpr size_t kPiece = 64 * 1024;
constexpr auto kHeadTime = seconds(10), kPieceTime = seconds(30), kHeartbeat = seconds(15);
constexpr auto kEventTime = milliseconds(100), kCancelTime = milliseconds(50);
constexpr int kAnswerThreads = 4;

struct Shared {
  Application& application;
  uint64_t max_upload;
  asio::thread_pool& answers;
  std::atomic<int> connections{0};
};

HttpRequest HeadOf(const http::request_header<>& head, bool& well_formed) {
  HttpRequest request;
  request.method = std::string(head.method_string());
  for (const auto& field : head) {
    std::string name(field.name_string());
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    request.headers.emplace_back(std::move(name), std::string(field.value()));
  }
  well_formed = SplitTarget({head.target().data(), head.target().size()}, request);
  return request;
}

/// Whether a file could not be written; errors of the network have the same category.
bool IsOfDisk(const Ec& error) {
  namespace errc = boost::system::errc;
  return error == errc::no_space_on_device || error == errc::file_too_large || error == errc::io_error ||
         error == errc::read_only_file_system || error == Ec(EDQUOT, boost::system::generic_category());
}

/// One client. Keeps itself alive by the handlers that wait for it; all of them run on the one network thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket socket, Shared& shared)
      : stream_(std::move(socket)), timer_(stream_.get_executor()), shared_(shared) {
    buffer_.reserve(kPiece);  // without it uploads crawl
    ++shared_.connections;
  }
  ~Connection() {
    DropUpload();
    --shared_.connections;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void ReadHead() {
    head_.emplace();
    head_->header_limit(kMaxHead);
    head_->body_limit(std::numeric_limits<uint64_t>::max());  // none would be exceeded by any (Boost 1.74)
    stream_.expires_after(kHeadTime);
    http::async_read_header(stream_, buffer_, *head_, [self = shared_from_this()](Ec error, size_t) {
      if (error == http::error::header_limit)
        return self->Refuse(ProblemResponse(431, "The head of the request is too large", ""));
      if (error && error.category() == http::make_error_code(http::error::bad_method).category() &&
          error != http::error::end_of_stream && error != http::error::partial_message)
        return self->Refuse(ProblemResponse(400, "The request is not well formed", ""));
      if (!error) self->TakeHead();
    });
  }

 private:
  void TakeHead() {
    bool well_formed = false;
    request_ = HeadOf(head_->get(), well_formed);
    if (!well_formed) return Refuse(ProblemResponse(400, "The address is not well formed", ""));
    if (auto refused = shared_.application.Refuse(request_)) return Refuse(std::move(*refused));
    keep_alive_ = head_->get().keep_alive();
    auto path = shared_.application.UploadPath(request_);
    if (!path.ok()) return Refuse(ProblemResponse(path.error()));
    const uint64_t limit = path->empty() ? kMaxBody : shared_.max_upload;
    request_.body_file = std::move(*path);
    storing_ = !request_.body_file.empty();
    if (const auto length = head_->content_length(); length && *length > limit) return TooLarge();
    const bool asks = beast::iequals(head_->get()[http::field::expect], "100-continue");
    if (asks) SayContinue();
    if (!storing_) return ReadBody();
    ReadUpload();
  }

  void SayContinue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    Ec error;
    asio::write(stream_.socket(), asio::buffer(kContinue.data(), kContinue.size()), error);  // fits any socket's buffer
  }

  void TooLarge() {
    Refuse(ProblemResponse(
        413, "The request is too large",
        request_.body_file.empty()
            ? "What the page may send at once is 1 MB. Use the command line, with the plan or the hierarchy in a file."
            : "Name the file when starting instead, 'tada serve <file>', or allow more with --max-upload."));
  }

  void ReadBody() {
    text_.emplace(std::move(*head_));
    text_->body_limit(kMaxBody);
    stream_.expires_after(kPieceTime);
    http::async_read(stream_, buffer_, *text_, [self = shared_from_this()](Ec error, size_t) {
      if (error == http::error::body_limit) return self->TooLarge();
      if (error) return;
      self->request_.body = std::move(self->text_->get().body());
      self->Answer();
    });
  }

  void ReadUpload() {
    upload_.emplace(std::move(*head_));
    upload_->body_limit(shared_.max_upload);
    Ec error;
    upload_->get().body().open(request_.body_file.c_str(), beast::file_mode::write_new, error);
    if (error) return Refuse(ProblemResponse(507, "The upload cannot be stored", error.message(), 5));
    ReadPiece();
  }

  void ReadPiece() {
    if (upload_->is_done()) {
      upload_->get().body().close();
      storing_ = false;
      return Answer();
    }
    stream_.expires_after(kPieceTime);
    http::async_read_some(stream_, buffer_, *upload_, [self = shared_from_this()](Ec error, size_t) {
      if (error == http::error::body_limit) return self->TooLarge();
      if (IsOfDisk(error)) return self->Refuse(ProblemResponse(507, "The upload cannot be stored", error.message(), 5));
      if (!error) self->ReadPiece();
    });
  }

  /// Removes what came of an upload that did not finish, with the folder that was made for it.
  void DropUpload() {
    if (!storing_) return;
    storing_ = false;
    unlink(request_.body_file.c_str());
    rmdir(request_.body_file.substr(0, request_.body_file.rfind('/')).c_str());
  }

  void Answer() {
    stream_.expires_never();
    if (shared_.application.AtOnce(request_)) return Send(shared_.application.Answer(request_));
    asio::post(shared_.answers, [self = shared_from_this()] {
      auto response = std::make_shared<HttpResponse>(self->shared_.application.Answer(self->request_));
      asio::post(self->stream_.get_executor(), [self, response] { self->Send(std::move(*response)); });
    });
  }

  void Refuse(HttpResponse response) {
    DropUpload();
    keep_alive_ = false;
    Send(std::move(response));
  }

  template <class Body>
  void AddHead(http::response<Body>& message) {
    message.version(11);
    message.result(static_cast<unsigned>(response_.status));
    message.keep_alive(keep_alive_ && !response_.events);
    for (const auto& [name, value] : SecurityHeaders()) {
      message.set(std::string(name), beast::string_view(value.data(), value.size()));
    }
    for (const auto& [name, value] : response_.headers) message.set(name, value);
    if (response_.status != 204) message.set(http::field::content_type, response_.type);
  }

  void Send(HttpResponse response) {
    response_ = std::move(response);
    if (response_.events) return SendEvents();
    if (!response_.file.empty()) return SendFile();
    auto message = std::make_shared<http::response<http::span_body<const char>>>();
    const std::string_view body = response_.embedded.empty() ? std::string_view(response_.body) : response_.embedded;
    message->body() = beast::span<const char>(body.data(), body.size());
    AddHead(*message);
    if (response_.status != 204) message->content_length(body.size());
    stream_.expires_after(kPieceTime);
    http::async_write(stream_, *message, [self = shared_from_this(), message](Ec error, size_t) { self->Sent(error); });
  }

  void SendFile() {
    file_.emplace();
    Ec error;
    file_->body().open(response_.file.c_str(), beast::file_mode::scan, error);
    if (error) {
      response_ = ProblemResponse(404, "The file is gone", "");
      return Send(std::move(response_));
    }
    AddHead(*file_);
    file_->prepare_payload();
    file_writer_.emplace(*file_);
    SendPiece();
  }

  void SendPiece() {
    stream_.expires_after(kPieceTime);
    http::async_write_some(stream_, *file_writer_, [self = shared_from_this()](Ec error, size_t) {
      if (error || self->file_writer_->is_done()) return self->Sent(error);
      self->SendPiece();
    });
  }

  void SendEvents() {
    http::response<http::empty_body> message;
    AddHead(message);
    std::ostringstream head;
    head << message.base();
    pending_ = head.str();
    quiet_since_ = std::chrono::steady_clock::now();
    NextEvents();
  }

  void NextEvents() {
    bool last = false;
    pending_ += response_.events->Next(last);
    const auto now = std::chrono::steady_clock::now();
    if (pending_.empty() && now - quiet_since_ > kHeartbeat) pending_ = ": still here\n\n";
    if (pending_.empty() && !last) return WaitForEvents();
    quiet_since_ = now;
    sending_ = std::exchange(pending_, {});
    stream_.expires_after(kPieceTime);
    asio::async_write(stream_, asio::buffer(sending_), [self = shared_from_this(), last](Ec error, size_t) {
      if (error || last) return self->Close();
      self->WaitForEvents();
    });
  }

  void WaitForEvents() {
    timer_.expires_after(kEventTime);
    timer_.async_wait([self = shared_from_this()](Ec error) {
      if (!error) self->NextEvents();
    });
  }

  void Sent(Ec error) {
    file_writer_.reset();
    file_.reset();
    if (response_.then) response_.then();
    if (error || !keep_alive_) return Close();
    text_.reset();
    upload_.reset();
    response_ = {};
    ReadHead();
  }

  // Says that nothing more will come, and reads for a moment what the other side still sends: a connection that is closed
  // with unread bytes is reset, and the answer may be lost with it.
  void Close() {
    Ec ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    buffer_.consume(buffer_.size());
    stream_.expires_after(seconds(1));
    stream_.async_read_some(buffer_.prepare(kPiece), [self = shared_from_this()](Ec error, size_t) {
      if (!error && ++self->drained_ < 64) self->DrainMore();
    });
  }
  void DrainMore() {
    stream_.async_read_some(buffer_.prepare(kPiece), [self = shared_from_this()](Ec error, size_t) {
      if (!error && ++self->drained_ < 64) self->DrainMore();
    });
  }

  beast::tcp_stream stream_;
  asio::steady_timer timer_;
  Shared& shared_;
  beast::flat_buffer buffer_{kPiece * 2};
  std::optional<http::request_parser<http::empty_body>> head_;
  std::optional<http::request_parser<http::string_body>> text_;
  std::optional<http::request_parser<http::file_body>> upload_;
  std::optional<http::response<http::file_body>> file_;
  std::optional<http::response_serializer<http::file_body>> file_writer_;
  HttpRequest request_;
  HttpResponse response_;
  bool keep_alive_ = false, storing_ = false;
  int drained_ = 0;
  std::string pending_, sending_;
  std::chrono::steady_clock::time_point quiet_since_;
};

}  // namespace

struct Listener::State {
  asio::io_context io{1};
  Tcp::acceptor acceptor{io};
  asio::steady_timer timer{io};

  void Accept(Shared& shared) {
    acceptor.async_accept([this, &shared](Ec error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error && shared.connections < kMaxConnections)
        std::make_shared<Connection>(std::move(socket), shared)->ReadHead();
      Accept(shared);
    });
  }
  void Watch(const Cancel& cancel) {
    if (cancel.requested()) return io.stop();
    timer.expires_after(kCancelTime);
    timer.async_wait([this, &cancel](Ec) { Watch(cancel); });
  }
};

Listener::Listener(std::unique_ptr<State> state) : state_(std::move(state)) {}
Listener::Listener(Listener&&) noexcept = default;
Listener& Listener::operator=(Listener&&) noexcept = default;
Listener::~Listener() = default;

Result<Listener> Listener::Open(uint16_t port) {
  auto state = std::make_unique<State>();
  const Tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  Ec error;
  state->acceptor.open(endpoint.protocol(), error);
  if (!error) state->acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) state->acceptor.bind(endpoint, error);
  if (!error) state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return IoError("Cannot listen on 127.0.0.1:{}: {}", port, error.message())
        .WithHint("Leave " TADA_OPTION("port") " out to take any free port.");
  }
  return Listener(std::move(state));
}

uint16_t Listener::port() const { return state_->acceptor.local_endpoint().port(); }

void Listener::Run(Application& application, uint64_t max_upload, const Cancel& cancel) {
  asio::thread_pool answers(kAnswerThreads);
  Shared shared{application, max_upload, answers};
  state_->Accept(shared);
  state_->Watch(cancel);
  state_->io.run();
  answers.join();
  state_ = std::make_unique<State>();  // lets go of connections while what they refer to is there
}

}  // namespace tada
