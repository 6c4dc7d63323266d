#include "strain/strain.hpp"

#include <anachron/anachron.hpp>

#include "strain/model.hpp"

namespace anachron::models {
namespace strain {
namespace {

class Model : public AnyModel {
 public:
  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::vector<Option> options() override { return options_of(params_); }
  std::optional<Time> default_until() const override { return kUntil; }

  Report run(const Config& config, const ProgressCallback& progress,
             const std::function<bool()>& interrupted) override {
    switch (params_.kind) {
      case Kind::laggard:
        return run_with<Laggard>(config, progress, interrupted);
      case Kind::burst:
        return run_with<Burst>(config, progress, interrupted);
      case Kind::tide:
        return run_with<Tide>(config, progress, interrupted);
    }
    throw InputError("--kind: not one of those that are compiled in");
  }

 private:
  static constexpr Time kUntil = 10;

  template <class Lp>
  Report run_with(const Config& config, const ProgressCallback& progress,
                  const std::function<bool()>& interrupted) {
    Simulation<Lp> simulation;
    simulation.config = config;
    simulation.template params<Params>() = params_;
    Report report = simulation.run(progress, interrupted);
    report.model = name_;
    return report;
  }

  std::string name_ = "strain";
  std::string summary_ = "cases that are hard on optimism: an LP far behind, bursts of events, tides";
  Params params_;
};

}  // namespace
}  // namespace strain

std::unique_ptr<AnyModel> make_strain() { return std::make_unique<strain::Model>(); }

}  // namespace anachron::models
