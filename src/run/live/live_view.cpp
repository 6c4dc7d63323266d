#include "run/live/live_view.hpp"

#include <utility>

#include <fmt/format.h>

#include "run/live/page.hpp"
#include "run/live/token.hpp"

namespace anachron::live {

namespace {

Response refusal(int status, std::string_view why) {
  return {.status = status, .body = fmt::format("{}\n", why)};
}

}  // namespace

LiveView::LiveView(const Address& address, std::string_view model, Actions actions)
    : token_(make_token()),
      page_(live::page(model)),
      actions_(std::move(actions)),
      server_(address, {.request = [this](const Request& request) { return answer(request); },
                        .news =
                            [this](std::uint64_t& seen) {
                              const std::scoped_lock lock(mutex_);
                              return history_.since(seen);
                            }}) {}

LiveView::~LiveView() { end("ended"); }

void LiveView::show(const Progress& now) {
  {
    const std::scoped_lock lock(mutex_);
    history_.add(now);
  }
  server_.publish();
}

void LiveView::end(std::string_view how) {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(is_over_, true)) return;
    history_.end(how);
  }
  server_.publish();
}

/// The name of the host comes first: a page that let its own name point here is to learn nothing.
Response LiveView::answer(const Request& request) {
  if (!is_own_host(request.host))
    return refusal(403, "open the live view at its IP address, localhost or the name of its machine");
  if (!is_same_token(request.token, token_))
    return refusal(403, "the token is missing or wrong: open the address that the run has printed");

  const std::string_view action = std::string_view(request.path).substr(1);
  const bool is_action = action == "pause" || action == "resume" || action == "end" || action == "stop";
  const std::string_view method = is_action ? "POST" : "GET";
  if (!is_action && request.path != "/" && request.path != "/events")
    return refusal(404, "there is no such page");
  if (request.method != method) {
    Response response = refusal(405, fmt::format("{} needs {}", request.path, method));
    response.headers.emplace_back("Allow", method);
    return response;
  }
  if (is_action) return act(action);
  if (request.path == "/events") return {.type = "text/event-stream", .is_stream = true};
  return page();
}

Response LiveView::page() const {
  return {.type = "text/html; charset=utf-8",
          .body = page_,
          .headers = {
              {"Content-Security-Policy",
               "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}}};
}

Response LiveView::act(std::string_view action) {
  Response done{.body = "done\n"};
  if (action == "pause" || action == "resume")
    is_paused_.store(action == "pause", std::memory_order_relaxed);
  else
    done.then = action == "end" ? actions_.end : actions_.stop;
  return done;
}

}  // namespace anachron::live
