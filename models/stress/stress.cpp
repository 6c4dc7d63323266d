#include "stress/stress.hpp"

#include <anachron/anachron.hpp>
#include <anachron/run/run_lps.hpp>

#include "stress/model.hpp"

namespace anachron::models {
namespace stress {
namespace {

class Model : public AnyModel {
 public:
  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::vector<Option> options() override { return options_of(params_); }
  std::optional<Time> default_until() const override { return kUntil; }
  bool may_stop() override { return false; }
  std::unique_ptr<AnyModel> copy() override { return std::make_unique<Model>(*this); }

  Report run(const Config& config, const ProgressCallback& progress,
             const std::function<bool()>& interrupted) override {
    switch (params_.kind) {
      case Kind::laggard:
        return run_lps<Laggard>(name_, params_, config, progress, interrupted);
      case Kind::burst:
        return run_lps<Burst>(name_, params_, config, progress, interrupted);
      case Kind::tide:
        return run_lps<Tide>(name_, params_, config, progress, interrupted);
      case Kind::slope:
        return run_lps<Slope>(name_, params_, config, progress, interrupted);
      case Kind::hotspot:
        return run_lps<Hotspot>(name_, params_, config, progress, interrupted);
    }
    throw InputError("--kind: not one of those that are compiled in");
  }

 private:
  static constexpr Time kUntil = 10;

  std::string name_ = "stress";
  std::string summary_ =
      "cases that are hard on optimism: an LP far behind, bursts of events, tides, hot spots";
  Params params_;
};

}  // namespace
}  // namespace stress

std::unique_ptr<AnyModel> make_stress() { return std::make_unique<stress::Model>(); }

}  // namespace anachron::models
