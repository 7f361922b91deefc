#include "support/misbehaving_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/hash.h"

namespace assay::test {
namespace {

constexpr int kLook = 20;  // milliseconds between two looks whether the end has come
constexpr std::size_t kLongestDelay = 8;

// A protocol: where messages end, and what the proxy has to know of them.
class Wire {
 public:
  virtual ~Wire() = default;
  // The size of the first message of these bytes; 0: it is not complete.
  virtual std::size_t client_message(std::string_view bytes) const = 0;
  virtual std::size_t server_message(std::string_view bytes) const = 0;
  // Each message passes here before it goes on.
  virtual void client_sent(std::string_view message) = 0;
  virtual void server_sent(std::string& message) = 0;

  bool has_begun() const { return begun_; }                 // a transaction, ever
  virtual bool is_row(std::string_view message) const = 0;  // the server has just sent it
  virtual bool ends_answer(std::string_view message) const = 0;
  virtual std::string end_transaction() const = 0;  // for the server
  // For the client, after a row; the server's answer to end_transaction() has ended so.
  virtual std::string error(std::string_view row, std::string_view end) const = 0;

 protected:
  bool begun_ = false;
};

// Type, length that counts itself, content. The client's first message has no type.
class PostgresWire final : public Wire {
 public:
  std::size_t client_message(std::string_view bytes) const override {
    return complete(bytes, started_ ? 1 : 0);
  }
  std::size_t server_message(std::string_view bytes) const override { return complete(bytes, 1); }

  void client_sent(std::string_view message) override {
    started_ = true;
    constexpr std::string_view kBindsBegin("\0begin\0", 7);  // to the portal without a name
    if (message[0] == 'B' && message.substr(5, kBindsBegin.size()) == kBindsBegin) begun_ = true;
  }
  void server_sent(std::string&) override {}

  bool is_row(std::string_view message) const override { return message[0] == 'D'; }
  bool ends_answer(std::string_view message) const override { return message[0] == 'Z'; }
  std::string end_transaction() const override { return typed('Q', std::string("SELECT 1/0", 11)); }
  std::string error(std::string_view, std::string_view end) const override {
    std::string fields;
    for (const char* field : {"SERROR", "VERROR", "C40001", "Mafter a row"})
      fields += field + std::string(1, '\0');
    return typed('E', fields + '\0') + std::string(end);
  }

 private:
  static std::size_t complete(std::string_view bytes, std::size_t before) {
    if (bytes.size() < before + 4) return 0;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + before, 4);
    const std::size_t size = before + ntohl(length);
    return bytes.size() < size ? 0 : size;
  }
  static std::string typed(char type, std::string_view content) {
    const std::uint32_t length = htonl(static_cast<std::uint32_t>(content.size()) + 4);
    std::string message(1, type);
    message.append(reinterpret_cast<const char*>(&length), 4);
    return message.append(content);
  }

  bool started_ = false;
};

// Three bytes of length, a number that counts the packets of a command, content.
class MariadbWire final : public Wire {
 public:
  std::size_t client_message(std::string_view bytes) const override { return server_message(bytes); }
  std::size_t server_message(std::string_view bytes) const override {
    if (bytes.size() < kHeader) return 0;
    const std::size_t size = kHeader + (byte(bytes, 0) | byte(bytes, 1) << 8 | byte(bytes, 2) << 16);
    return bytes.size() < size ? 0 : size;
  }

  void client_sent(std::string_view message) override {
    if (byte(message, 3) != 0) return;  // logging in
    const std::string_view content = message.substr(kHeader);
    constexpr char kQuery = 0x03, kExecute = 0x17;
    if (content[0] == kQuery && content.substr(1) == "BEGIN") begun_ = true;
    part_ = content[0] == kExecute ? Part::First : Part::NoResult;
  }
  void server_sent(std::string& message) override {
    if (!std::exchange(greeted_, true)) demand_ends_of_columns(message);
    const std::string_view content = std::string_view(message).substr(kHeader);
    switch (part_) {
      case Part::First:
        columns_ = byte(content, 0);
        part_ = columns_ == 0 || columns_ == 0xff ? Part::NoResult : Part::Columns;
        break;
      case Part::Columns:
        if (columns_-- == 0) part_ = Part::Rows;  // this was the packet that ends the columns
        break;
      case Part::Rows:
        if (is_end(content)) part_ = Part::NoResult;
        break;
      case Part::NoResult: break;
    }
  }

  bool is_row(std::string_view message) const override {
    return part_ == Part::Rows && !is_end(message.substr(kHeader));
  }
  bool ends_answer(std::string_view) const override { return part_ == Part::NoResult; }
  std::string end_transaction() const override { return packet(0, "\x03ROLLBACK"); }
  std::string error(std::string_view row, std::string_view) const override {
    return packet(byte(row, 3) + 1, "\xff\xbd\x04#40001after a row");  // 1213
  }

 private:
  static constexpr std::size_t kHeader = 4;
  enum class Part { NoResult, First, Columns, Rows };

  static unsigned byte(std::string_view bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes[at]);
  }
  static bool is_end(std::string_view content) {
    constexpr unsigned kEof = 0xfe, kError = 0xff;
    return byte(content, 0) == kError || (byte(content, 0) == kEof && content.size() < 9);
  }
  static std::string packet(unsigned number, std::string_view content) {
    std::string bytes{static_cast<char>(content.size()), 0, 0, static_cast<char>(number)};
    return bytes.append(content);
  }
  // Takes CLIENT_DEPRECATE_EOF from what the server says that it can.
  static void demand_ends_of_columns(std::string& greeting) {
    const std::size_t version = kHeader + 1, thread = greeting.find('\0', version) + 1;
    const std::size_t upper_capabilities = thread + 4 + 8 + 1 + 2 + 1 + 2;
    greeting[upper_capabilities + 1] &= ~1;
  }

  Part part_ = Part::NoResult;
  std::size_t columns_ = 0;
  bool greeted_ = false;
};

std::unique_ptr<Wire> make_wire(MisbehavingProxy::Protocol protocol) {
  if (protocol == MisbehavingProxy::Protocol::Postgresql) return std::make_unique<PostgresWire>();
  return std::make_unique<MariadbWire>();
}

// One end of a connection.
class Peer {
 public:
  explicit Peer(int socket) : socket_(socket) {}
  Peer(Peer&&) = delete;
  ~Peer() { close(socket_); }

  int socket() const { return socket_; }
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // False: there will be no more.
  bool receive() {
    char room[1 << 14];
    const ssize_t got = recv(socket_, room, sizeof room, 0);
    if (got > 0) bytes_.append(room, static_cast<std::size_t>(got));
    return got > 0;
  }
  std::string take(std::size_t size) {
    std::string message = bytes_.substr(0, size);
    bytes_.erase(0, size);
    return message;
  }
  std::string_view bytes() const { return bytes_; }

 private:
  const int socket_;
  std::string bytes_;  // received and not yet taken
};

// A client and its server.
class Pair {
 public:
  Pair(int client, int server, std::unique_ptr<Wire> wire, const Habits& habits, std::uint64_t seed,
       Misdeeds& misdeeds)
      : client_(client),
        server_(server),
        wire_(std::move(wire)),
        habits_(habits),
        random_(seed),
        misdeeds_(misdeeds) {}

  void serve(const std::atomic<bool>& behaves, const std::atomic<bool>& ends) {
    pollfd both[] = {{client_.socket(), POLLIN, 0}, {server_.socket(), POLLIN, 0}};
    while (!ends) {
      if (poll(both, 2, kLook) <= 0) continue;
      misbehaves_ = wire_->has_begun() && !behaves;
      if (both[0].revents != 0 && !(client_.receive() && pass_requests())) return;
      if (both[1].revents != 0 && !(server_.receive() && pass_answers())) return;
    }
  }

 private:
  bool happens(double probability, std::atomic<int>& misdeeds) {
    if (!misbehaves_ || !random_.chance(probability)) return false;
    ++misdeeds;
    return true;
  }
  void delay() {
    if (happens(habits_.delay, misdeeds_.delays))
      std::this_thread::sleep_for(std::chrono::milliseconds(1 + random_.below(kLongestDelay)));
  }
  std::string_view cut(std::string_view message) { return message.substr(0, random_.below(message.size())); }

  bool pass_requests() {
    while (const std::size_t size = wire_->client_message(client_.bytes())) {
      const std::string message = client_.take(size);
      wire_->client_sent(message);
      delay();
      if (happens(habits_.cut_request, misdeeds_.cut_requests)) {
        (void)server_.send(cut(message));
        return false;
      }
      if (!server_.send(message)) return false;
    }
    return true;
  }

  bool pass_answers() {
    while (const std::size_t size = wire_->server_message(server_.bytes())) {
      std::string message = server_.take(size);
      wire_->server_sent(message);
      const bool row = wire_->is_row(message);
      delay();
      if (happens(habits_.cut_answer, misdeeds_.cut_answers)) {
        (void)client_.send(cut(message));
        return false;
      }
      const bool twice = happens(row ? habits_.duplicate_row : habits_.duplicate, misdeeds_.duplicates);
      if (!client_.send(twice ? message + message : message)) return false;
      if (row && happens(habits_.late_error, misdeeds_.late_errors) && !fail_after(message)) return false;
    }
    return true;
  }

  bool fail_after(const std::string& row) {
    if (!swallow_answer() || !server_.send(wire_->end_transaction())) return false;
    const auto end = swallow_answer();
    return end && client_.send(wire_->error(row, *end));
  }
  // Its last message.
  std::optional<std::string> swallow_answer() {
    while (true) {
      while (const std::size_t size = wire_->server_message(server_.bytes())) {
        std::string message = server_.take(size);
        wire_->server_sent(message);
        if (wire_->ends_answer(message)) return message;
      }
      if (!server_.receive()) return std::nullopt;
    }
  }

  Peer client_, server_;
  const std::unique_ptr<Wire> wire_;
  const Habits& habits_;
  Random random_;
  Misdeeds& misdeeds_;
  bool misbehaves_ = false;
};

int connect_to(const std::string& file) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, file.c_str(), sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return socket;
  close(socket);
  return -1;
}

}  // namespace

MisbehavingProxy::MisbehavingProxy(Protocol protocol, std::string server_socket, const Habits& habits,
                                   std::uint64_t seed)
    : protocol_(protocol), server_socket_(std::move(server_socket)), habits_(habits), seed_(seed) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 64) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("the proxy cannot listen on loopback");
  port_ = ntohs(address.sin_port);
  listening_ = std::jthread([this] { listen_until_the_end(); });
}

MisbehavingProxy::~MisbehavingProxy() {
  ends_ = true;
  listening_.join();
  connections_.clear();
  close(listener_);
}

void MisbehavingProxy::listen_until_the_end() {
  pollfd listener{listener_, POLLIN, 0};
  while (!ends_) {
    if (poll(&listener, 1, kLook) <= 0) continue;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const int server = connect_to(server_socket_);
    if (client < 0 || server < 0) {
      close(client);
      close(server);
      continue;
    }
    const int now = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
    connections_.emplace_back([this, client, server, seed = mix(seed_, connections_.size())] {
      Pair(client, server, make_wire(protocol_), habits_, seed, misdeeds_).serve(behaves_, ends_);
    });
  }
}

}  // namespace assay::test
