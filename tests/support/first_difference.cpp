#include "support/first_difference.hpp"

#include <exception>

#include "run/diff/diff.hpp"
#include "run/traces/trace_file.hpp"

namespace anachron::test {
namespace {

std::string trace_of(Config config, const std::function<void(const Config&)>& run) {
  std::string trace = trace_head();
  config.trace.show = [&trace](const CommittedEvent& event) { append_trace_row(event, trace); };
  try {
    run(config);
  } catch (const std::exception&) {  // what was committed until then is in the trace
  }
  return trace;
}

}  // namespace

std::string first_difference(const Config& a, const Config& b,
                             const std::function<void(const Config&)>& run) {
  const Differences found = diff_traces(trace_of(a, run), trace_of(b, run));
  return found.are_same ? "\nrun again, both had the same events" : '\n' + found.text;
}

}  // namespace anachron::test
