// The live view as a browser meets it: who gets in, what is told, what buttons do.
#include "run/live/live_view.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <nlohmann/json.hpp>

#include "run/live/page.hpp"
#include "run/live/token.hpp"

namespace anachron::live {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

/// A connection to a port of this machine. A test that waits for ten seconds has failed.
class Caller {
 public:
  explicit Caller(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{10, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    is_connected = ::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  ~Caller() { ::close(socket_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void say(std::string_view text) { EXPECT_GT(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL), 0); }
  /// Until there is `wanted`, or the other end closes.
  std::string hear(std::string_view wanted = {}) {
    char bytes[4096];
    while (wanted.empty() || heard_.find(wanted) == std::string::npos) {
      const ssize_t n = ::recv(socket_, bytes, sizeof bytes, 0);
      if (n <= 0) break;
      heard_.append(bytes, static_cast<std::size_t>(n));
    }
    return heard_;
  }

  bool is_connected = false;

 private:
  int socket_;
  std::string heard_;
};

class LiveViews : public testing::Test {
 protected:
  std::uint16_t port() { return parse_address(view_.url().substr(7, view_.url().find("/?") - 7)).port; }
  std::string token() { return view_.url().substr(view_.url().find("token=") + 6); }
  std::string ask(const std::string& method, const std::string& target, const std::string& host = "127.0.0.1",
                  const std::string& more = "") {
    Caller caller(port());
    caller.say(fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n{}\r\n", method, target, host, more));
    return caller.hear();
  }
  std::string with_token(const std::string& path) { return path + "?token=" + token(); }
  static bool is(int status, const std::string& answer) {
    return answer.starts_with(fmt::format("HTTP/1.1 {} ", status));
  }
  /// The data of the events of this name.
  static std::vector<Json> told(std::string text, const std::string& name) {
    std::vector<Json> out;
    const std::string begin = "event: " + name + "\ndata: ";
    for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos; at += begin.size()) {
      const std::size_t first = at + begin.size(), end = text.find("\n\n", first);
      if (end != std::string::npos) out.push_back(Json::parse(text.substr(first, end - first)));
    }
    return out;
  }
  static Progress at(double wall_s) {
    return {.gvt = 10 * wall_s, .committed = 900, .executed = 1000, .wall_s = wall_s, .pes = {1.5, kForever}};
  }

  std::atomic<int> ends_{0}, stops_{0};
  LiveView view_{Address(), "a <model>", {.end = [this] { ++ends_; }, .stop = [this] { ++stops_; }}};
};

TEST_F(LiveViews, ShowThePageToWhoHasTheToken) {
  const std::string page = ask("GET", with_token("/"));
  EXPECT_TRUE(is(200, page)) << page;
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("<h1>A run of a &lt;model&gt;</h1>"), std::string::npos);
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_TRUE(is(200, ask("GET", "/", "localhost:80", "X-Anachron-Token: " + token() + "\r\n")));
}

TEST_F(LiveViews, RefuseWithoutTheToken) {
  for (const char* target : {"/", "/events", "/?token=", "/?token=0123456789abcdef0123456789abcdef", "/x"})
    EXPECT_TRUE(is(403, ask("GET", target))) << target;
  EXPECT_TRUE(is(403, ask("POST", "/stop")));
  EXPECT_TRUE(is(403, ask("POST", "/pause?token=" + token() + "0")));
  EXPECT_FALSE(view_.is_paused());
  EXPECT_EQ(stops_, 0);
}

TEST_F(LiveViews, RefuseNamesThatOthersLetPointHere) {
  for (const char* host : {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[x]"})
    EXPECT_TRUE(is(403, ask("GET", with_token("/"), host))) << host;
  for (const char* host : {"127.0.0.1:1", "LocalHost", "[::1]:8080", "192.0.2.7"})
    EXPECT_TRUE(is(200, ask("GET", with_token("/"), host))) << host;
}

TEST_F(LiveViews, ChangeNothingByLooking) {
  for (const char* action : {"/pause", "/resume", "/end", "/stop"}) {
    const std::string answer = ask("GET", with_token(action));
    EXPECT_TRUE(is(405, answer)) << answer;
    EXPECT_NE(answer.find("Allow: POST"), std::string::npos);
  }
  EXPECT_TRUE(is(405, ask("POST", with_token("/"))));
  EXPECT_TRUE(is(404, ask("GET", with_token("/nothing"))));
  EXPECT_FALSE(view_.is_paused());
  EXPECT_EQ(ends_ + stops_, 0);
}

TEST_F(LiveViews, DoWhatButtonsSay) {
  EXPECT_TRUE(is(200, ask("POST", with_token("/pause"))));
  EXPECT_TRUE(view_.is_paused());
  EXPECT_TRUE(is(200, ask("POST", with_token("/resume"))));
  EXPECT_FALSE(view_.is_paused());
  // It is done when the answer is sent, which may be a moment before or after it is heard.
  const auto wait_for = [](const std::atomic<int>& count) {
    for (int tries = 0; tries < 1000 && count == 0; ++tries) std::this_thread::sleep_for(5ms);
    return count.load();
  };
  EXPECT_TRUE(is(200, ask("POST", with_token("/end"))));
  EXPECT_EQ(wait_for(ends_), 1);
  EXPECT_EQ(stops_, 0);
  EXPECT_TRUE(is(200, ask("POST", with_token("/stop"))));
  EXPECT_EQ(wait_for(stops_), 1);
}

TEST_F(LiveViews, TellHowTheRunGoesOn) {
  view_.show(at(1));
  view_.show(at(2));
  Caller caller(port());
  caller.say(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", with_token("/events")));
  std::string text = caller.hear("event: now");
  text = caller.hear("\"all_pes\":2}\n\n");
  EXPECT_NE(text.find("Content-Type: text/event-stream"), std::string::npos);
  ASSERT_EQ(told(text, "history").size(), 1u) << text;
  EXPECT_EQ(told(text, "history")[0].size(), 2u);
  EXPECT_EQ(told(text, "history")[0][1][0], 2.0) << "wall time";
  Progress paused = at(2);
  paused.is_paused = true;
  view_.show(paused);
  text = caller.hear("\"paused\":true");
  view_.show(at(3));
  text = caller.hear("\"wall\":3.0");
  view_.end("finished");
  text = caller.hear("over\ndata: {\"ending\":\"finished\"}\n\n");
  const auto now = told(text, "now");
  ASSERT_EQ(now.size(), 3u) << text;
  EXPECT_EQ(now[2]["gvt"], 30.0);
  EXPECT_EQ(now[2]["pes"][0], 1.5);
  EXPECT_TRUE(now[2]["pes"][1].is_null()) << "there is no infinity in JSON";
  EXPECT_FALSE(now[2].contains("long_event"));
}

TEST(LiveView, SaysGoodbyeAndCloses) {
  std::string heard;
  std::uint16_t port = 0;
  std::jthread listener;  // outlives the view
  {
    LiveView view(Address(), "model", {});
    const std::string url = view.url();
    port = parse_address(url.substr(7, url.find("/?") - 7)).port;
    auto caller = std::make_unique<Caller>(port);
    caller->say("GET /events" + url.substr(url.find('?')) + " HTTP/1.1\r\nHost: [::1]\r\n\r\n");
    caller->hear("history");
    listener = std::jthread([&heard, caller = std::move(caller)] { heard = caller->hear(); });
    const Caller idle(port);  // says nothing, and holds nothing up
  }
  listener.join();
  EXPECT_NE(heard.find("event: over\ndata: {\"ending\":\"ended\"}"), std::string::npos) << heard;
  EXPECT_FALSE(Caller(port).is_connected);
}

TEST_F(LiveViews, LiveThroughWhatIsNoRequest) {
  for (const std::string& text :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / SPDY/9\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), std::string(100'000, 'x')}) {
    Caller caller(port());
    caller.say(text);
    const std::string answer = caller.hear();
    EXPECT_TRUE(answer.empty() || is(400, answer) || is(403, answer) || is(414, answer)) << answer;
  }
  std::vector<std::unique_ptr<Caller>> many;  // more than it takes at a time
  for (int i = 0; i < 12; ++i) {
    many.push_back(std::make_unique<Caller>(port()));
    many.back()->say(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", with_token("/events")));
  }
  EXPECT_TRUE(is(503, many.back()->hear()));
  many.clear();
  EXPECT_TRUE(is(200, ask("GET", with_token("/"))));
}

TEST(LiveHistory, StaysSmallAndKeepsTheBeginning) {
  History history;
  for (int i = 1; i <= 100'000; ++i) history.add({.gvt = double(i), .wall_s = double(i)});
  std::uint64_t seen = 0;
  const std::string text = history.since(seen);
  const std::size_t first = text.find("data: ") + 6;
  const Json rows = Json::parse(text.substr(first, text.find('\n', first) - first));
  EXPECT_LE(rows.size(), 1024u);
  EXPECT_GE(rows.size(), 500u);
  EXPECT_EQ(rows[0][0], 1.0);
  EXPECT_GT(rows.back()[0], 99'000.0);
  EXPECT_EQ(history.since(seen), "");
}

TEST(LiveAddress, IsAPortOrAnAddressWithOne) {
  const auto text = [](std::string_view given) {
    const Address address = parse_address(given);
    return fmt::format("{} {}", address.host, address.port);
  };
  EXPECT_EQ(text("8080"), "127.0.0.1 8080");
  EXPECT_EQ(text("0"), "127.0.0.1 0");
  EXPECT_EQ(text("true"), "127.0.0.1 0");
  EXPECT_EQ(text("0.0.0.0:8080"), "0.0.0.0 8080");
  EXPECT_EQ(text("localhost:1"), "127.0.0.1 1");
  EXPECT_EQ(text("[::1]:8080"), "::1 8080");
  EXPECT_EQ(url_of(parse_address("[::1]:80"), "t"), "http://[::1]:80/?token=t");
  for (const char* bad : {"", "x", "65536", "-1", "80 ", ":80", "host:80", "1.2.3:80", "::1", "::1:80",
                          "[127.0.0.1]:80", "1.2.3.4:", "[]:80", "false"})
    EXPECT_THROW(parse_address(bad), InputError) << bad;
}

TEST(LiveAddress, ThatIsTakenIsAnErrorThatSaysSo) {
  const LiveView first(Address(), "model", {});
  const std::string url = first.url();
  try {
    const LiveView second(parse_address(url.substr(7, url.find("/?") - 7)), "model", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--live: cannot listen at port "), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("in use"), std::string::npos) << error.what();
  }
}

TEST(LiveToken, IsLongAndNeverTheSame) {
  const std::string token = make_token();
  EXPECT_EQ(token.size(), 32u);
  EXPECT_NE(token, make_token());
  EXPECT_TRUE(is_same_token(token, token));
  EXPECT_FALSE(is_same_token(token, make_token()));
  EXPECT_FALSE(is_same_token("", token));
  EXPECT_FALSE(is_same_token(token.substr(1), token));
}

TEST(LivePage, NeedsNothingFromElsewhere) {
  const std::string text = page("model");
  for (const char* other : {"src=", "http://", "https://", "@import", "url("}) {
    std::size_t at = text.find(other);
    if (at != std::string::npos && text.substr(at).starts_with("http://www.w3.org/2000/svg"))  // a name
      at = text.find(other, at + 1);
    EXPECT_EQ(at, std::string::npos) << other;
  }
}

}  // namespace
}  // namespace anachron::live
