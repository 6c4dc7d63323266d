// The live view: how a run goes on, in a browser, with buttons that pause and end it (--live).
//
// A LiveView is given what the monitor thread tells of the run, five times a second, and keeps what charts
// need. Threads of its own serve browsers. The run looks at it where it asks whether to pause.
// Invariant: no request changes anything unless it has the token, and without --live nothing of this exists.
// Read on in live/server.hpp (connections), live/history.hpp (what is told), live/page.hpp (the page).
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include <anachron/base/figures.hpp>

#include "run/live/address.hpp"
#include "run/live/history.hpp"
#include "run/live/server.hpp"

namespace anachron::live {

class LiveView {
 public:
  /// What buttons do besides pausing. Called by a thread of the server.
  struct Actions {
    std::function<void()> end;   ///< as Ctrl-C does: at the next GVT, with a report
    std::function<void()> stop;  ///< at once, without a report
  };

  /// Listens from now on. `model`: the name of what runs. Throws as Server.
  LiveView(const Address& address, std::string_view model, Actions actions);
  /// What browsers show stays, and says how the run has ended.
  ~LiveView();

  /// What a user types into a browser.
  std::string url() const { return url_of(server_.address(), token_); }

  /// By the thread that watches the run.
  void show(const Progress& now);
  /// The run is over: "finished".
  void end(std::string_view how);

  /// Whether the run is to stand still. Any thread.
  bool is_paused() const { return is_paused_.load(std::memory_order_relaxed); }

 private:
  Response answer(const Request& request);
  Response page() const;
  Response act(std::string_view action);

  const std::string token_, page_;
  const Actions actions_;
  std::mutex mutex_;
  History history_;       // guarded by the mutex
  bool is_over_ = false;  // likewise
  // Written by threads of the server, read by the one that watches the run: relaxed, nothing else is passed
  // on.
  std::atomic<bool> is_paused_{false};
  Server server_;  // last: its threads use the rest
};

}  // namespace anachron::live
