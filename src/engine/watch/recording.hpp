// The flight recorder of a run: what is recorded, and the traces that are made of it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <thread>

#include <anachron/base/config.hpp>

#include "gvt/gvt_manager.hpp"
#include "lp/lp_store.hpp"
#include "mem/budget.hpp"
#include "observe/flight/flight_recorder.hpp"
#include "observe/flight/timeline.hpp"
#include "observe/run_control.hpp"
#include "topo/clocks/clocks.hpp"

namespace anachron::engine {

/// Used by the thread that has started the run.
class Recording {
 public:
  /// What it asks others for. All of it must outlive the recording.
  struct Parts {
    const Config& config;
    const lp::LpStore& lps;
    const topo::TickLength& tick;
    observe::RunControl& control;
    PeRange own_pes;
    std::optional<unsigned> rank;  ///< none: there is one
  };

  /// The clocks and the GVT manager record from now on.
  Recording(const Parts& parts, std::span<topo::WorkerClock> clocks, gvt::GvtManager& manager,
            mem::Budget& budget);

  /// Writes the timeline, if one is wanted, on a thread of its own, until the destructor.
  class Streaming {
   public:
    explicit Streaming(Recording& recording);
    ~Streaming();
    Streaming(const Streaming&) = delete;
    Streaming& operator=(const Streaming&) = delete;

   private:
    std::jthread thread_;
  };

  /// The reasons for a record of a run that fails. The model's errors are the same in every mode, and say
  /// all.
  static constexpr std::string_view kModelError = "an error of the model", kError = "an error";

  /// Whether a user wants a flight record.
  bool is_wanted() const;
  /// Hands over what the rings have. Of an error or an alarm only the first time: what follows from it says
  /// less.
  void write(std::string_view reason, bool is_asked_for = false);

 private:
  void stream(const std::stop_token& stop);
  observe::TimelineOf timeline_of() const;

  const Parts parts_;
  observe::FlightRecorder recorder_;
  std::optional<observe::Timeline> timeline_;
  bool is_written_ = false;
};

}  // namespace anachron::engine
