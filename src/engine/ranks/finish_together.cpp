#include "engine/ranks/finish_together.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>

#include "model/results/results_bytes.hpp"

namespace anachron::engine {
namespace {

transport::Bytes encoded(const Finished& finished, const Results& results) {
  transport::Bytes bytes;
  ByteWriter out(bytes);
  out.number(finished.next);
  out.number(finished.hash_of_results);
  const std::string cause = finished.failure ? finished.failure->cause() : std::string();
  out.flag(finished.failure.has_value());
  out.text(cause);
  const transport::Bytes figures = detail::encoded_figures(results);
  out.bytes(figures.data(), figures.size());
  return bytes;
}

}  // namespace

Finished finish_together(transport::Exchange& exchange, PeRange own, const lp::LpStore& lps, Time end_time,
                         Results& results, const std::function<bool()>& interrupted) {
  const std::vector<transport::Bytes> logs =
      exchange.gather(finish_rank(lps, own, end_time, results.span(), interrupted).log);
  if (!logs.empty()) {
    const std::vector<std::span<const std::byte>> spans(logs.begin(), logs.end());
    Finished finished = merge_ranks(lps, end_time, spans, results);
    exchange.broadcast(encoded(finished, results));
    return finished;
  }
  const transport::Bytes bytes = exchange.broadcast({});
  ByteReader in(bytes);
  Finished finished{.next = in.number<LpId>(), .failure = {}, .hash_of_results = in.number<std::uint64_t>()};
  const bool has_failed = in.flag();
  std::string cause = in.text();
  if (has_failed) finished.failure.emplace(lps.name(finished.next - 1), "finish", end_time, std::move(cause));
  results = detail::decoded_results(std::span<const std::byte>(bytes).last(in.remaining()));
  results.complete();
  return finished;
}

}  // namespace anachron::engine
