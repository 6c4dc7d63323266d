#include "pcs/pcs.hpp"

#include <algorithm>
#include <string_view>

#include <anachron/anachron.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/run/run_lps.hpp>

#include "pcs/model.hpp"

namespace anachron::models {
namespace pcs {
namespace {

constexpr std::string_view kNone = "none";

class Model : public AnyModel {
 public:
  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::vector<Option> options() override {
    std::vector<Option> all = options_of(params_);
    // Beside a number, `none`.
    Option& dwell = *std::find_if(all.begin(), all.end(), [](const Option& o) { return o.name == "dwell"; });
    dwell.set = [this, number = std::move(dwell.set)](const std::string& text) {
      if (text == kNone) {
        params_.dwell = kNever;
        return;
      }
      try {
        number(text);
      } catch (const InputError&) {
        throw bad_value("dwell", text, "a number >= 1e-09, or none");
      }
    };
    dwell.text = [this, number = std::move(dwell.text)] {
      return params_.dwell == kNever ? std::string(kNone) : number();
    };
    return all;
  }
  std::optional<Time> default_until() const override { return Cell::until; }
  bool may_stop() override { return false; }
  std::unique_ptr<AnyModel> copy() override { return std::make_unique<Model>(*this); }

  Report run(const Config& config, const ProgressCallback& progress,
             const std::function<bool()>& interrupted) override {
    return run_lps<Cell>(name_, params_, config, progress, interrupted);
  }

 private:
  std::string name_ = "pcs";
  std::string summary_ = "telephone calls that move between cells with few channels";
  Params params_;
};

}  // namespace
}  // namespace pcs

std::unique_ptr<AnyModel> make_pcs() { return std::make_unique<pcs::Model>(); }

}  // namespace anachron::models
