// What the bundled models declare of who sends to whom is what they do; and the groups of hierarchical PHOLD.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "epidemic/epidemic.hpp"
#include "partition/profile/survey.hpp"
#include "partition/quality.hpp"
#include "pcs/pcs.hpp"
#include "phold/phold.hpp"
#include "phold/receivers.hpp"
#include "queueing/queueing.hpp"
#include "tlm/tlm.hpp"
#include "traffic/traffic.hpp"

namespace anachron::test {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;
using partition::Profile;
using partition::Sent;

struct Profiles {
  Profile declared, counted;
};

Profiles profiles_of(std::unique_ptr<AnyModel> model, const Options& arguments, Time until) {
  auto options = model->options();
  for (const auto& [name, value] : arguments) {
    const auto option = std::find_if(options.begin(), options.end(),
                                     [&, &name = name](const Option& o) { return o.name == name; });
    if (option == options.end()) throw std::logic_error("no option " + name);
    option->set(value);
  }
  Profiles profiles;
  const auto survey = std::make_shared<partition::Survey>();
  survey->look = [&](const auto& types) { profiles.declared = partition::declared_profile(types); };
  survey->counted = [&](Profile profile) { profiles.counted = std::move(profile); };
  Config config;
  config.sync = Sync::sequential;
  config.until = until;
  config.survey = survey;
  model->run(config, {}, {});
  return profiles;
}

/// Blocks of the same number of LPs.
std::vector<PeId> blocks(std::size_t lps, unsigned pes) {
  std::vector<PeId> owners;
  for (std::size_t lp = 0; lp < lps; ++lp) owners.push_back(static_cast<PeId>(lp * pes / lps));
  return owners;
}

double remote_share(const Profile& profile, unsigned pes) {
  return partition::quality_of(profile, Owners(blocks(profile.work.size(), pes)), partition::Layout::of(pes))
      .remote;
}

// A whole day: every vehicle takes the route that was followed when vehicles were counted.
TEST(Neighbours, OfTrafficAreExact) {
  auto [declared, counted] =
      profiles_of(models::make_traffic(), {{"city", "7x5"}, {"vehicles", "900"}}, kForever);
  const auto before = [](const Sent& a, const Sent& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  };
  std::sort(declared.sent.begin(), declared.sent.end(), before);
  EXPECT_EQ(declared.sent, counted.sent);
}

TEST(Neighbours, OfPcsAreAboutRight) {
  for (const char* dwell : {"5", "none"}) {
    const auto [declared, counted] =
        profiles_of(models::make_pcs(), {{"grid", "16x12"}, {"dwell", dwell}, {"channels", "50"}}, 60);
    for (const unsigned pes : {2u, 6u})
      EXPECT_NEAR(remote_share(declared, pes), remote_share(counted, pes), 0.01) << dwell;
  }
}

// Where the wave has been, cells send the same along all lines.
TEST(Neighbours, OfTlmAreAboutRight) {
  const auto [declared, counted] =
      profiles_of(models::make_tlm(), {{"grid", "9x8x6"}, {"terrain", "hills"}, {"threshold", "0"}}, 150);
  for (const unsigned pes : {2u, 6u})
    EXPECT_NEAR(remote_share(declared, pes), remote_share(counted, pes), 0.01);
}

TEST(Neighbours, OfQueueingAreAboutRight) {
  for (const char* leave : {"0.2", "1"}) {
    const auto [declared, counted] =
        profiles_of(models::make_queueing(), {{"stations", "300"}, {"leave", leave}}, 100);
    for (const unsigned pes : {2u, 6u})
      EXPECT_NEAR(remote_share(declared, pes), remote_share(counted, pes), 0.01) << leave;
  }
}

// Who is infected does not send to those who are known to be infected already, so that less is sent than
// declared.
TEST(Neighbours, OfEpidemicsAreAboutRight) {
  const auto [declared, counted] = profiles_of(
      models::make_epidemic(), {{"nodes", "5000"}, {"graph", "watts-strogatz"}, {"group", "20"}}, kForever);
  for (const unsigned pes : {2u, 6u})
    EXPECT_NEAR(remote_share(declared, pes), remote_share(counted, pes), 0.05) << pes;
}

TEST(Neighbours, OfPholdAreAboutRight) {
  const std::vector<Options> receivers{{{"remote", "0.3"}},
                                       {{"receiver", "torus"}, {"range", "7"}},
                                       {{"receiver", "torus"}, {"range", "400"}},
                                       {{"receiver", "torus"}, {"range", "5000"}},  // round more than twice
                                       {{"receiver", "gaussian"}, {"sigma", "2"}},
                                       {{"receiver", "gaussian"}, {"sigma", "150"}},
                                       {{"receiver", "hierarchical"},
                                        {"local-size", "250"},
                                        {"region-size", "500"},
                                        {"remote", "0.1"},
                                        {"regional", "0.3"}},
                                       {{"receiver", "hierarchical"},
                                        {"local-size", "3"},
                                        {"region-size", "600"},
                                        {"remote", "0.2"},
                                        {"regional", "0.5"}}};
  for (Options arguments : receivers) {
    SCOPED_TRACE(arguments.back().first + " " + arguments.back().second);
    arguments.insert(arguments.end(), {{"lps", "2000"}, {"events-per-lp", "4"}});
    const auto [declared, counted] = profiles_of(models::make_phold(), arguments, 8);
    for (const unsigned pes : {2u, 8u, 40u})
      EXPECT_NEAR(remote_share(declared, pes), remote_share(counted, pes), 0.015) << pes;
  }
}

/// How far off counts are from all being the same, in standard deviations of what chance would do (chi
/// square).
double unevenness(const std::vector<double>& counts) {
  double sum = 0, chi_square = 0;
  for (const double count : counts) sum += count;
  const double expected = sum / static_cast<double>(counts.size());
  for (const double count : counts) chi_square += (count - expected) * (count - expected) / expected;
  const auto freedom = static_cast<double>(counts.size() - 1);
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

// Twelve blocks in three regions. The seed is fixed: what is allowed is far beyond what chance does, and a
// wrong distribution is much further off.
TEST(HierarchicalPhold, ThrowsAsItsReadmeSays) {
  constexpr double kSigmas = 5;
  constexpr std::uint32_t kLps = 96;
  const double remote = 0.15, regional = 0.25, local = 1 - remote - regional;
  const Profile profile = profiles_of(models::make_phold(),
                                      {{"lps", std::to_string(kLps)},
                                       {"events-per-lp", "8"},
                                       {"receiver", "hierarchical"},
                                       {"local-size", "8"},
                                       {"region-size", "32"},
                                       {"remote", std::to_string(remote)},
                                       {"regional", std::to_string(regional)}},
                                      100)
                              .counted;
  models::phold::Params params;
  params.local_size = 8;
  params.region_size = 32;

  using models::phold::Players;
  struct Kind {
    double share;
    Players (*of)(const models::phold::Params&, std::uint32_t, std::uint32_t);
    std::vector<double> counts;  // by place in the group
  };
  std::vector<Kind> kinds{{local, &Players::local, std::vector<double>(8)},
                          {regional, &Players::regional, std::vector<double>(24)},
                          {remote, &Players::remote, std::vector<double>(64)}};
  double all = 0;
  for (const Sent& sent : profile.sent) {
    int found = 0;
    for (Kind& kind : kinds) {
      const Players group = kind.of(params, sent.from, kLps);
      ASSERT_EQ(group.size(), kind.counts.size());
      for (std::uint32_t k = 0; k < group.size(); ++k) {
        if (group[k] != sent.to) continue;
        kind.counts[k] += sent.weight;
        ++found;
      }
    }
    EXPECT_EQ(found, 1) << "each receiver is in one group";
    all += sent.weight;
  }
  EXPECT_GT(all, 70'000);
  for (const Kind& kind : kinds) {
    double thrown = 0;
    for (const double count : kind.counts) thrown += count;
    EXPECT_NEAR(thrown / all, kind.share, kSigmas * std::sqrt(kind.share * (1 - kind.share) / all));
    EXPECT_LT(unevenness(kind.counts), kSigmas) << kind.share;
  }
}

}  // namespace
}  // namespace anachron::test
