#include "run/options/command_line.hpp"

#include <anachron/base/error.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

class CommandLine : public testing::Test {
 protected:
  Arguments parse(const std::vector<std::string>& arguments) {
    return parse_arguments(engine_options(options_), arguments, "prog --help");
  }
  std::string refusal(const std::vector<std::string>& arguments) {
    return message_of<InputError>([&] { parse(arguments); });
  }

  RunOptions options_;
};

using Values = std::vector<std::pair<std::string, std::string>>;

TEST_F(CommandLine, TakesValuesInBothForms) {
  EXPECT_EQ(parse({"--seed", "7", "--workers=3"}).values, (Values{{"seed", "7"}, {"workers", "3"}}));
  EXPECT_EQ(parse({}).values, Values{});
}

TEST_F(CommandLine, TheLastOfARepeatedOptionCounts) {
  EXPECT_EQ(parse({"--seed", "7", "--seed=8"}).values, (Values{{"seed", "8"}}));
}

TEST_F(CommandLine, SwitchesTakeNoArgumentButMaySayFalse) {
  EXPECT_EQ(parse({"--quiet", "--seed", "1"}).values, (Values{{"seed", "1"}, {"quiet", "true"}}));
  EXPECT_EQ(parse({"--quiet=false"}).values, (Values{{"quiet", "false"}}));
  EXPECT_EQ(parse({"--quiet=maybe"}).values, (Values{{"quiet", "maybe"}}));
}

TEST_F(CommandLine, SomeOptionsMayStandAlone) {
  EXPECT_EQ(parse({"--live"}).values, (Values{{"live", "true"}}));
  EXPECT_EQ(parse({"--live", "--quiet"}).values, (Values{{"live", "true"}, {"quiet", "true"}}));
  EXPECT_EQ(parse({"--live", "8080", "--quiet"}).values, (Values{{"live", "8080"}, {"quiet", "true"}}));
  EXPECT_EQ(parse({"--live=0.0.0.0:80"}).values, (Values{{"live", "0.0.0.0:80"}}));
  EXPECT_EQ(refusal({"--live="}), "--live: the value is missing: expected --live [[ADDRESS:]PORT]");
}

TEST_F(CommandLine, LeavesOddValuesToTheOption) {
  EXPECT_EQ(parse({"--until", "-1"}).values, (Values{{"until", "-1"}}));
  EXPECT_EQ(parse({"--report", "-"}).values, (Values{{"report", "-"}}));
  EXPECT_EQ(parse({"--report", "[a,b].json"}).values, (Values{{"report", "[a,b].json"}}));
  EXPECT_EQ(parse({"--report", "a b=c"}).values, (Values{{"report", "a b=c"}}));
}

TEST_F(CommandLine, SuggestsForMisspeltNames) {
  EXPECT_EQ(refusal({"--worker", "2"}),
            "unknown option '--worker'; did you mean '--workers'? ('prog --help' lists the valid ones)");
  EXPECT_EQ(refusal({"-seed", "2"}),
            "unknown option '-seed'; did you mean '--seed'? ('prog --help' lists the valid ones)");
  EXPECT_EQ(refusal({"--tie_seed=2"}),
            "unknown option '--tie_seed'; did you mean '--tie-seed'? ('prog --help' lists the valid ones)");
  EXPECT_EQ(refusal({"--zzz"}), "unknown option '--zzz' ('prog --help' lists the valid ones)");
}

TEST_F(CommandLine, RefusesLooseArguments) {
  EXPECT_EQ(refusal({"phold"}),
            "unexpected argument 'phold': options have the form --NAME VALUE ('prog --help' lists them)");
  EXPECT_EQ(refusal({"--quiet", "true"}),
            "unexpected argument 'true': options have the form --NAME VALUE ('prog --help' lists them)");
  EXPECT_NE(refusal({"--", "--seed", "1"}), "");
}

TEST_F(CommandLine, NoticesMissingValues) {
  EXPECT_EQ(refusal({"--seed"}), "--seed: the value is missing: expected --seed S");
  EXPECT_EQ(refusal({"--seed="}), "--seed: the value is missing: expected --seed S");
  EXPECT_EQ(refusal({"--seed=", "3"}), "--seed: the value is missing: expected --seed S");
  EXPECT_EQ(refusal({"--report", "--quiet"}), "--report: the value is missing: expected --report FILE");
}

TEST_F(CommandLine, HelpAndVersionWinOverTheRest) {
  EXPECT_TRUE(parse({"--help"}).help);
  EXPECT_TRUE(parse({"-h", "stray", "--unknown"}).help);
  EXPECT_TRUE(parse({"--version"}).version);
}

TEST_F(CommandLine, HelpShowsEveryOption) {
  const auto options = engine_options(options_);
  const std::string help = help_text(options, "a title", "prog run x");
  EXPECT_NE(help.find("a title\nUsage: prog run x [options]\n"), std::string::npos) << help;
  for (const auto& [group, option] : options) {
    EXPECT_NE(help.find("  --" + option.name + " "), std::string::npos) << option.name;
    EXPECT_NE(help.find("\n" + group + ":\n"), std::string::npos) << group;
  }
  EXPECT_NE(help.find("sequential|optimistic"), std::string::npos);
}

TEST(EngineOptions, SetTheConfiguration) {
  RunOptions options;
  const auto set = [&](const std::string& name, const std::string& text) {
    for (const auto& [group, option] : engine_options(options))
      if (option.name == name) {
        option.set(text);
        return option.text();
      }
    return std::string("no such option");
  };
  const Config& config = options.config;
  EXPECT_EQ(set("sync", "sequential"), "sequential");
  EXPECT_EQ(config.sync, Sync::sequential);
  EXPECT_EQ(set("workers", "3"), "3");
  EXPECT_EQ(config.workers, 3u);
  EXPECT_EQ(set("workers", "auto"), "auto");
  EXPECT_EQ(config.workers, std::nullopt);
  EXPECT_EQ(set("pes", "4"), "4");
  EXPECT_EQ(set("until", "1e3"), "1000");
  EXPECT_EQ(config.until, 1000);
  EXPECT_EQ(set("until", "inf"), "inf");
  EXPECT_EQ(config.until, kForever);
  EXPECT_EQ(set("seed", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(set("tie-seed", "2"), "2");
  EXPECT_EQ(set("queue", "heap"), "heap");
  EXPECT_EQ(config.queue, Queue::heap);
  EXPECT_EQ(set("partition", "round-robin"), "round-robin");
  EXPECT_EQ(config.partition, Partition::round_robin);
  EXPECT_EQ(set("partition", "parts/city.txt"), "parts/city.txt");
  EXPECT_EQ(config.partition_file, "parts/city.txt");
  EXPECT_EQ(set("partition", "metis"), "metis");
  EXPECT_EQ(config.partition, Partition::metis);
  EXPECT_EQ(config.partition_file, "");
  EXPECT_THROW(set("partition", "meits"), InputError);
  EXPECT_EQ(set("levels", "2"), "2");
  EXPECT_EQ(config.levels, Levels::two);
  EXPECT_EQ(set("rollback", "copy"), "copy");
  EXPECT_EQ(config.rollback, Rollback::copy);
  EXPECT_EQ(set("throttle", "none"), "none");
  EXPECT_EQ(config.throttle, Throttle::none);
  EXPECT_EQ(set("window", "0.25"), "0.25");
  EXPECT_EQ(config.window, 0.25);
  EXPECT_EQ(set("batch", "1k"), "1000");
  EXPECT_EQ(config.batch, 1000u);
  EXPECT_EQ(set("gvt-interval", "10k"), "10000");
  EXPECT_EQ(config.gvt_interval, 10'000u);
  EXPECT_EQ(set("checkpoint-interval", "8"), "8");
  EXPECT_EQ(config.checkpoint_interval, 8u);
  EXPECT_EQ(set("checkpoint-interval", "auto"), "auto");
  EXPECT_FALSE(config.checkpoint_interval);
  EXPECT_EQ(set("lps-per-group", "16"), "16");
  EXPECT_EQ(set("memory", "1536MiB"), "1536MiB");
  EXPECT_EQ(set("memory", "auto"), "auto");
  EXPECT_EQ(config.lps_per_group, 16u);
  EXPECT_EQ(set("check-rollback", "true"), "true");
  EXPECT_TRUE(config.check_rollback);
  EXPECT_EQ(set("test-chaos", "5"), "5");
  EXPECT_EQ(config.test_chaos, 5u);
  EXPECT_EQ(set("report", "a.json"), "a.json");
  EXPECT_EQ(options.report_file, "a.json");
  EXPECT_EQ(set("out", "d"), "d");
  EXPECT_EQ(options.out_folder, "d");
  EXPECT_EQ(set("quiet", "true"), "true");
  EXPECT_TRUE(options.quiet);
}

TEST(EngineOptions, NameWhatIsValid) {
  RunOptions options;
  const auto refusal = [&](const std::string& name, const std::string& text) {
    for (const auto& [group, option] : engine_options(options))
      if (option.name == name) return message_of<InputError>([&option = option, &text] { option.set(text); });
    return std::string("no such option");
  };
  EXPECT_EQ(refusal("sync", "optimstic"),
            "--sync: 'optimstic' is not valid: expected one of auto, sequential, optimistic, conservative; "
            "did you mean "
            "'optimistic'?");
  EXPECT_EQ(refusal("sync", "parallel"),
            "--sync: 'parallel' is not valid: expected one of auto, sequential, optimistic, conservative");
  EXPECT_EQ(refusal("workers", "5G"), "--workers: '5G' is out of range: expected 0 to 4294967295");
  EXPECT_EQ(refusal("until", "nan"),
            "--until: 'nan' is not valid: expected a finite decimal number such as 0.5, 2 or 1e-3");
  EXPECT_EQ(refusal("window", "inf"),
            "--window: 'inf' is not valid: expected a finite decimal number such as 0.5, 2 or 1e-3");
  EXPECT_EQ(refusal("cancellation", "late"),
            "--cancellation: 'late' is not valid: expected one of aggressive, lazy");
  EXPECT_EQ(refusal("quiet", "maybe"), "--quiet: 'maybe' is not valid: expected true or false");
}

}  // namespace
}  // namespace anachron::test
