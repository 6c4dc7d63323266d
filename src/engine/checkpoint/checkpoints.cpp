#include "engine/checkpoint/checkpoints.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/version.hpp>

#include "checkpoint/experiment.hpp"
#include "comm/transport/cluster.hpp"
#include "engine/ranks/archived.hpp"
#include "engine/results/model_files.hpp"
#include "pe/in_order.hpp"
#include "topo/process_copy.hpp"
#include "topo/processors.hpp"

namespace anachron::engine {
namespace {

std::string file_of(unsigned rank) { return fmt::format("rank-{}", rank); }

void check_options(const CheckpointOptions& options, Time until) {
  if (!options.every) return;
  if (!(*options.every > 0) || !std::isfinite(*options.every))
    throw InputError(
        fmt::format("--checkpoint-every: {}: valid is a time above 0", format_real(*options.every)));
  if (until == kForever)
    throw InputError("--checkpoint-every in simulated time needs an end of the run: set --until");
}

}  // namespace

Checkpoints::Checkpoints(Session& session) : Checkpoints(session, session.config().checkpoint) {}

Checkpoints::Checkpoints(Session& session, CheckpointOptions options)
    : session_(session),
      options_(std::move(options)),
      exchange_(pe::is_over_ranks(session.config()) ? &session.config().cluster->exchange() : nullptr),
      rank_(exchange_ ? session.config().cluster->rank() : 0) {
  check_options(options_, session.config().until);
  if (options_.folder.empty()) return;  // only its time is limited
  checkpoint::require_encodable(session.lps().types(), session.types());
  if (rank_ == 0) folder_.emplace(options_.folder, options_.resume);
}

/// While it lives, who shows the progress hears also that another rank is waited for between two stretches.
/// Simulated time stands then.
class Checkpoints::TellsOfWaits {
 public:
  using Show = std::function<void(const Progress&)>;

  TellsOfWaits(transport::Exchange* exchange, const Show& progress)
      : exchange_(exchange), progress_(progress) {
    if (!exchange_ || !progress_) return;
    exchange_->watch_waits([this](unsigned from, double seconds) {
      Progress now = last_;
      now.stall = Stall{.seconds = seconds, .waits_for = fmt::format("rank {}, between two stretches", from)};
      progress_(now);
    });
  }
  ~TellsOfWaits() {
    if (exchange_) exchange_->watch_waits({});
  }
  TellsOfWaits(const TellsOfWaits&) = delete;
  TellsOfWaits& operator=(const TellsOfWaits&) = delete;

  /// As `progress`.
  Show show() {
    if (!exchange_ || !progress_) return progress_;
    return [this](const Progress& now) {
      last_ = now;
      progress_(now);
    };
  }

 private:
  transport::Exchange* const exchange_;
  const Show& progress_;
  Progress last_;
};

Ending Checkpoints::run(const std::function<void(const Progress&)>& progress,
                        const std::function<bool()>& interrupted) {
  const Time until = session_.config().until;
  TellsOfWaits waits(exchange_, progress);
  for (;;) {
    Why why;
    const Time next = std::min(until, next_time());
    const Ending ending = session_.run_until(next, waits.show(), [&] {
      why.is_interrupted = why.is_interrupted || (interrupted && interrupted());
      why.is_out_of_time = is_out_of_time();
      return why.is_interrupted || why.is_out_of_time || is_due();
    });
    bool is_over = ending == Ending::stopped || (ending == Ending::finished && next == until);
    if (!is_over) {
      why = agree(why);
      is_over = ending == Ending::interrupted && (why.is_interrupted || why.is_out_of_time);
      if (!options_.folder.empty() && session_.is_set_up()) write(!is_over);
      has_run_out_of_time_ = why.is_out_of_time;
    }
    if (!is_over) continue;
    hear_of_copy();
    return ending;
  }
}

std::string Checkpoints::write_now() {
  write(false);
  if (!failures_.empty()) throw std::runtime_error(failures_.back().what);
  return written_.newest;
}

/// The multiple of the interval that comes next.
Time Checkpoints::next_time() const {
  if (!options_.every || options_.folder.empty()) return kForever;
  const double next = std::floor(session_.now() / *options_.every) + 1;
  const Time time = next * *options_.every;
  return time > session_.now() ? time : kForever;
}

/// While a copy writes, nothing is due: where others want the cores it may have little time, and the run does
/// not wait for it.
bool Checkpoints::is_due() {
  if (options_.folder.empty()) return false;
  if (aside_.valid()) {
    if (aside_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    hear_of_copy();
  }
  if (options_.asked && options_.asked()) return true;
  if (options_.every || options_.every_s <= 0) return false;
  return Clock::now() - last_ > std::chrono::duration<double>(options_.every_s);
}

bool Checkpoints::is_out_of_time() const {
  return options_.max_wall_s && Clock::now() - began_ > std::chrono::duration<double>(*options_.max_wall_s);
}

Checkpoints::Why Checkpoints::agree(const Why& own) const {
  if (!exchange_) return own;
  Why all;
  for (const transport::Bytes& rank : exchange_->gather_for_all(archived(own))) {
    const auto of_rank = unarchived<Why>(rank);
    all.is_interrupted |= of_rank.is_interrupted;
    all.is_out_of_time |= of_rank.is_out_of_time;
  }
  return all;
}

void Checkpoints::write(bool goes_on) {
  hear_of_copy();
  const auto began = Clock::now();
  session_.prepare_to_save();
  if (!goes_on || !can_copy() || !write_aside()) note(write_here());
  last_ = Clock::now();
  written_.seconds += std::chrono::duration<double>(last_ - began).count();
}

/// Where workers have all cores, a copy would take more of their time than a pause in which they write. MPI
/// libraries do not like processes to be copied.
bool Checkpoints::can_copy() const {
  return !exchange_ && *session_.config().workers < topo::usable_processors() && topo::ProcessCopy::fits();
}

/// All ranks go through these steps, whatever goes wrong on one of them.
Checkpoints::Files Checkpoints::write_here() {
  std::string error;
  const std::string place = shared([&] { return folder_->begin().string(); }, error);
  Files own{.error = error};
  if (!place.empty()) try {
      own.bytes = write_own(place, checkpoint::StateWriter::Threads::many);
    } catch (const std::exception& failure) {
      own.error = failure.what();
    }
  Files all = gather(own);
  error = all.error;
  all.place = shared([&] { return error.empty() ? complete(manifest(), all.bytes) : ""; }, error);
  all.error = std::move(error);
  return all;
}

/// Returns whether there is a copy that writes.
bool Checkpoints::write_aside() try {
  checkpoint::Manifest now = manifest();
  const std::filesystem::path place = folder_->begin();
  auto copy = std::make_shared<topo::ProcessCopy>(
      [&] { return write_own(place, checkpoint::StateWriter::Threads::one); });
  aside_ = std::async(std::launch::async, [this, copy, now = std::move(now)]() -> Files {
    try {
      const std::uint64_t bytes = copy->wait();
      return {.error = {}, .bytes = bytes, .place = complete(now, bytes)};
    } catch (const std::exception& failure) {
      return {.error = failure.what()};
    }
  });
  return true;
} catch (const std::runtime_error&) {
  return false;  // what is wrong shows again when this process writes
}

void Checkpoints::hear_of_copy() {
  if (aside_.valid()) note(aside_.get());
}

void Checkpoints::note(Files done) {
  if (done.error.empty()) {
    written_.newest = std::move(done.place);
    written_.bytes = done.bytes;
    ++written_.count;
    return;
  }
  note_failure(done.error);
  if (folder_) folder_->give_up();
}

void Checkpoints::note_failure(const std::string& what) {
  if (!failures_.empty() && failures_.back().what == what) {
    ++failures_.back().times;
    return;
  }
  failures_.push_back({what});
  if (rank_ == 0 && options_.failed) options_.failed(what);
}

/// On all ranks what `action` returns on rank 0; nothing when it throws there, and then `error` is why.
std::string Checkpoints::shared(const std::function<std::string()>& action, std::string& error) const {
  std::pair<std::string, std::string> result{{}, error};
  if (rank_ == 0) try {
      result.first = action();
    } catch (const std::exception& failure) {
      result.second = failure.what();
    }
  if (exchange_) result = unarchived<decltype(result)>(exchange_->broadcast(archived(result)));
  error = std::move(result.second);
  return std::move(result.first);
}

std::uint64_t Checkpoints::write_own(const std::filesystem::path& place,
                                     checkpoint::StateWriter::Threads threads) {
  checkpoint::StateWriter file(place / file_of(rank_), session_.lps(), session_.types(), threads);
  session_.save(file);
  if (options_.save_output)
    options_.save_output([&file](std::span<const std::byte> piece) { file.add_output(piece); });
  file.close();
  return file.bytes();
}

Checkpoints::Files Checkpoints::gather(const Files& own) const {
  if (!exchange_) return own;
  Files all;
  for (const transport::Bytes& rank : exchange_->gather_for_all(archived(own))) {
    auto of_rank = unarchived<Files>(rank);
    if (all.error.empty()) all.error = std::move(of_rank.error);
    all.bytes += of_rank.bytes;
  }
  return all;
}

checkpoint::Manifest Checkpoints::manifest() const {
  std::vector<std::string> files;
  for (unsigned rank = 0; rank < (exchange_ ? session_.config().cluster->ranks() : 1); ++rank)
    files.push_back(file_of(rank));
  return {.version = std::string(kVersion),
          .command = options_.command,
          .experiment = checkpoint::experiment_of(session_.config()),
          .position = session_.position(),
          .files = std::move(files),
          .trace_bytes = options_.sync_trace ? std::optional(options_.sync_trace()) : std::nullopt,
          .model_files = sync_files(session_.lps())};
}

std::string Checkpoints::complete(checkpoint::Manifest manifest, std::uint64_t bytes) {
  manifest.bytes = bytes;
  checkpoint::write_manifest(std::filesystem::path(options_.folder) / checkpoint::Folder::kBegun, manifest);
  return folder_->complete().string();
}

std::string write_checkpoint(Session& session, const std::string& folder) {
  const CheckpointOptions& given = session.config().checkpoint;
  CheckpointOptions options{.folder = folder,
                            .resume = session.written_to() == folder ? folder : given.resume,
                            .save_output = given.save_output};
  std::string place = Checkpoints(session, std::move(options)).write_now();
  session.note_written(folder);
  return place;
}

void Checkpoints::tell(Outcome& outcome) const {
  outcome.checkpoint = written_.newest;
  outcome.checkpoints = written_.count;
  outcome.checkpoint_s = written_.seconds;
  outcome.checkpoint_bytes = written_.bytes;
  outcome.is_out_of_time = has_run_out_of_time_;
  for (const Failure& failure : failures_)
    outcome.notes.push_back(
        failure.times == 1 ? fmt::format("a checkpoint was not written: {}", failure.what)
                           : fmt::format("{} checkpoints were not written: {}", failure.times, failure.what));
}

}  // namespace anachron::engine
