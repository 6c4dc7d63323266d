#include "phold/phold.hpp"

#include <fmt/format.h>

#include <anachron/anachron.hpp>
#include <anachron/run/run_lps.hpp>

#include "phold/model.hpp"

namespace anachron::models {
namespace phold {

void check(const Params& params) {
  if (params.mean <= 0 && params.lookahead <= 0)
    throw InputError("--mean 0 with --lookahead 0: time would not advance; one of them must be above 0");
  if (params.receiver != Receiver::hierarchical) {
    if (params.regional > 0) throw InputError("--regional needs --receiver hierarchical");
    return;
  }
  if (params.remote + params.regional > 1)
    throw InputError(
        fmt::format("--remote {} and --regional {} add up to more than 1", params.remote, params.regional));
  if (params.region_size % params.local_size != 0)
    throw InputError(fmt::format("--region-size {} is not a multiple of --local-size {}", params.region_size,
                                 params.local_size));
  if (params.remote > 0 && params.lps <= params.region_size)
    throw InputError(fmt::format("--remote {}: {} players are a single region of --region-size {}",
                                 params.remote, params.lps, params.region_size));
  const std::uint32_t last_region = params.lps % params.region_size;
  const std::uint32_t smallest = last_region == 0 ? params.region_size : last_region;
  if (params.regional > 0 && smallest <= params.local_size)
    throw InputError(fmt::format("--regional {}: a region of {} players is a single block of --local-size {}",
                                 params.regional, smallest, params.local_size));
}

namespace {

class Model : public AnyModel {
 public:
  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::vector<Option> options() override { return options_of(params_); }
  std::optional<Time> default_until() const override { return Player<0>::until; }
  bool may_stop() override { return false; }
  std::unique_ptr<AnyModel> copy() override { return std::make_unique<Model>(*this); }

  Report run(const Config& config, const ProgressCallback& progress,
             const std::function<bool()>& interrupted) override {
    check(params_);
    const auto run_with = [&]<std::size_t kStateBytes>() {
      return run_lps<Player<kStateBytes>>(name_, params_, config, progress, interrupted);
    };
    switch (params_.state) {
      case State::none:
        return run_with.operator()<0>();
      case State::b64:
        return run_with.operator()<64>();
      case State::b256:
        return run_with.operator()<256>();
      case State::b1024:
        return run_with.operator()<1024>();
      case State::b4096:
        return run_with.operator()<4096>();
    }
    throw InputError("--state: not a size that is compiled in");
  }

 private:
  std::string name_ = "phold";
  std::string summary_ = "the standard synthetic benchmark of the field";
  Params params_;
};

}  // namespace
}  // namespace phold

std::unique_ptr<AnyModel> make_phold() { return std::make_unique<phold::Model>(); }

}  // namespace anachron::models
