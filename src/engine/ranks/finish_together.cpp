#include "engine/ranks/finish_together.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>

#include "model/results_bytes.hpp"

namespace anachron::engine {
namespace {

transport::Bytes encoded(const Finished& finished, const Results& results) {
  transport::Bytes bytes;
  ByteWriter out(bytes);
  out.number(finished.next);
  const std::string cause = finished.failure ? finished.failure->cause() : std::string();
  out.flag(finished.failure.has_value());
  out.length(cause.size());
  out.bytes(cause.data(), cause.size());
  const transport::Bytes of_lps = detail::encoded(results);
  out.bytes(of_lps.data(), of_lps.size());
  return bytes;
}

}  // namespace

Finished finish_together(transport::Exchange& exchange, PeRange own, const lp::LpStore& lps, Time end_time,
                         Results& results, const std::function<bool()>& interrupted) {
  const std::vector<transport::Bytes> logs =
      exchange.gather(finish_rank(lps, own, end_time, results.span(), interrupted).log);
  transport::Bytes bytes;
  if (!logs.empty()) {
    const std::vector<std::span<const std::byte>> spans(logs.begin(), logs.end());
    const Finished finished = merge_ranks(lps, end_time, spans, results);
    bytes = encoded(finished, results);
  }
  bytes = exchange.broadcast(std::move(bytes));
  ByteReader in(bytes);
  Finished finished{.next = in.number<LpId>(), .failure = {}};
  const bool has_failed = in.flag();
  std::string cause(in.length_of(1), '\0');
  in.bytes(cause.data(), cause.size());
  if (has_failed) finished.failure.emplace(lps.name(finished.next - 1), "finish", end_time, std::move(cause));
  results = detail::decoded_results(std::span<const std::byte>(bytes).last(in.remaining()));
  return finished;
}

}  // namespace anachron::engine
