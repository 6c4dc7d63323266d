// The engine's options, a row each: all that is known of an option is in its row. The command line, its help,
// configuration files and the check of values go through these rows. So do the report, the comparison of
// ranks, and the notes about options without effect. To add an option: CONTRIBUTING.md lists the places.
#pragma once

#include <tuple>

#include <anachron/base/config.hpp>

#include "base/option_facts.hpp"

namespace anachron {

namespace options {
using enum OptionGroup;
using enum RunIs;

inline constexpr std::tuple kRows{
    OptionRow{OptionFacts{.name = "until",
                          .group = experiment,
                          .hint = "T",
                          .help = "End time: exactly the events before it are committed",
                          .form = ValueForm::time,
                          .is_valid = is_time,
                          .valid = "a time >= 0, or inf",
                          .ranks_agree = true},
              &Config::until},
    OptionRow{OptionFacts{.name = "seed",
                          .group = experiment,
                          .hint = "S",
                          .help = "Seed of all random numbers",
                          .ranks_agree = true},
              &Config::seed},
    OptionRow{OptionFacts{.name = "tie-seed",
                          .group = experiment,
                          .hint = "S",
                          .help = "Seed of the order of simultaneous events",
                          .ranks_agree = true},
              &Config::tie_seed},
    OptionRow{OptionFacts{.name = "warm-up",
                          .group = experiment,
                          .hint = "T",
                          .help = "Statistics do not count what is before this time",
                          .is_valid = is_finite_time,
                          .valid = "a finite time >= 0",
                          .no_effect = {without_statistics},
                          .ranks_agree = true},
              &Config::warm_up},
    OptionRow{OptionFacts{.name = "confidence",
                          .group = experiment,
                          .hint = "P",
                          .help = "Confidence of the intervals in the results",
                          .no_effect = {without_statistics, without_intervals},
                          .ranks_agree = true},
              &Config::confidence},

    OptionRow{
        OptionFacts{.name = "sync",
                    .help = "One event after the other; optimistically in parallel (Time Warp); in parallel "
                            "without ever going back, for models with lookahead; or what of these two is "
                            "found to be faster",
                    .default_text = "auto; sequential on a single core",
                    .ranks_agree = true},
        &Config::sync},
    OptionRow{OptionFacts{.name = "workers",
                          .hint = "N",
                          .help = "Threads",
                          .default_text = "one per usable core; 1 if sequential",
                          .least = 1,
                          .most = kMostPesOfRank},
              &Config::workers},
    OptionRow{OptionFacts{.name = "pes",
                          .hint = "N",
                          .help = "Processing elements, at least one per worker",
                          .default_text = "one per worker",
                          .least = 1,
                          .most = kMostPesOfRank},
              &Config::pes},
    OptionRow{
        OptionFacts{.name = "mapping",
                    .help = "Which worker runs which processing element; auto: as many workers as pay, found "
                            "out while running",
                    .no_effect = {sequential, of_one_pe}},
        &Config::mapping},
    OptionRow{
        OptionFacts{.name = "pe-choice",
                    .help = "Which processing element a worker takes next, of those that any may run: the "
                            "next in turn, or the one that is furthest behind in simulated time",
                    .no_effect = {sequential, of_one_pe, fixed_mapping, without_choice}},
        &Config::pe_choice},
    OptionRow{OptionFacts{.name = "orphan-turns",
                          .hint = "N",
                          .help = "Turns at a stretch of a processing element whose worker sleeps",
                          .least = 1,
                          .no_effect = {sequential, of_one_worker, without_orphans}},
              &Config::orphan_turns},
    OptionRow{
        OptionFacts{.name = "detector",
                    .help = "What finds out that others use a worker's core: its time per event, how soon it "
                            "gets the core back, or the system's own account",
                    .no_effect = {sequential, of_one_worker, without_sleep}},
        &Config::detector},
    OptionRow{OptionFacts{.name = "apte-threshold",
                          .hint = "X",
                          .help = "Detector apte: a worker is disturbed whose time per event is more than X "
                                  "times that of another",
                          .is_valid = is_ratio,
                          .valid = "a number above 1, at most 1e9",
                          .no_effect = {sequential, of_one_worker, without_sleep, without_apte}},
              &Config::apte_threshold},
    OptionRow{OptionFacts{.name = "detection-interval",
                          .hint = "N",
                          .help = "Events of a worker between two looks for that",
                          .default_text = "a quarter of the GVT interval",
                          .least = 1,
                          .no_effect = {sequential, of_one_worker, without_sleep}},
              &Config::detection_interval},
    OptionRow{
        OptionFacts{.name = "reactivation",
                    .help = "A worker that was put to sleep comes back: now and then, when its core is free "
                            "by its own timer, or the same on a signal of an active worker",
                    .no_effect = {sequential, of_one_worker, without_sleep}},
        &Config::reactivation},
    OptionRow{
        OptionFacts{.name = "core-swap",
                    .help = "A worker that is ahead gives its core to one that others have stopped, and one "
                            "that is alone takes turns with a second one; auto: with --mapping auto, where "
                            "the workers are bound to all cores",
                    .no_effect = {sequential, of_one_worker}},
        &Config::core_swap},
    OptionRow{
        OptionFacts{.name = "channel",
                    .help = "How events go from one processing element to another: a channel from each to "
                            "each, one queue each, or several (MUSE's inter-thread event queues) with a "
                            "lock, a spin lock, or bounded without",
                    .default_text = "what suits their number",
                    .no_effect = {sequential, of_one_pe, of_one_pe_in_rank}},
        &Config::channel},
    OptionRow{OptionFacts{.name = "channel-queues",
                          .hint = "K",
                          .help = "Inter-thread event queues of each processing element",
                          .default_text = "half as many as there are processing elements",
                          .least = 1,
                          .most = kMostPesOfRank,
                          .no_effect = {sequential, of_one_pe, of_one_pe_in_rank, without_queues}},
              &Config::channel_queues},
    OptionRow{OptionFacts{.name = "channel-capacity",
                          .hint = "N",
                          .help = "Events that a bounded queue holds; what is too much stays with its sender",
                          .least = 1,
                          .most = kMostChannelCapacity,
                          .no_effect = {sequential, of_one_pe, of_one_pe_in_rank, without_bounded_queue}},
              &Config::channel_capacity},
    OptionRow{
        OptionFacts{.name = "events",
                    .help = "An event that goes from one processing element of a process to another: shared "
                            "by both, or copied, one for each",
                    .no_effect = {sequential, of_one_pe, of_one_pe_in_rank}},
        &Config::events},
    OptionRow{
        OptionFacts{.name = "pool",
                    .help = "Memory of events: the engine's own pools, the C library's malloc, jemalloc or "
                            "mimalloc"},
        &Config::pool},
    OptionRow{
        OptionFacts{.name = "numa",
                    .help = "Memory of an event on the memory node where its receiver runs; auto: where "
                            "workers are bound to cores of several nodes",
                    .no_effect = {sequential, of_one_worker}},
        &Config::numa},
    OptionRow{
        OptionFacts{.name = "bind",
                    .help = "auto: each worker stays on a core of its own where there are enough; none: the "
                            "system moves them",
                    .no_effect = {sequential, of_one_worker}},
        &Config::bind},
    OptionRow{OptionFacts{.name = "queue", .help = "Pending-event set"}, &Config::queue},
    OptionRow{OptionFacts{.name = "partition",
                          .help = "How LPs are dealt to processing elements",
                          .no_effect = {sequential, of_one_pe},
                          .ranks_agree = true},
              &Config::partition},
    OptionRow{
        OptionFacts{.name = "migration",
                    .help = "LPs move to processing elements that have less to do, and back where that does "
                            "not pay; auto: where the partition is chosen by the engine",
                    .no_effect = {sequential, of_one_pe, of_one_worker_in_all},
                    .ranks_agree = true},
        &Config::migration},
    OptionRow{
        OptionFacts{.name = "levels",
                    .help = "Graph partitions: 1: for all processing elements at once; 2: for the ranks "
                            "first; auto: 2 with several ranks",
                    .no_effect = {sequential, of_one_pe, without_graph, on_one_rank}},
        &Config::levels},
    OptionRow{
        OptionFacts{.name = "rollback",
                    .help = "auto: as each event handler asks for; copy: state saving for all, to find a "
                            "wrong reverse handler",
                    .no_effect = {sequential_unchecked, conservative_to_the_end, alone},
                    .ranks_agree = true},
        &Config::rollback},
    OptionRow{
        OptionFacts{.name = "checkpoint-interval",
                    .hint = "N",
                    .help = "State saving: events of an LP to a copy of its state; 1: a copy before every "
                            "event",
                    .least = 1,
                    .most = kMostCheckpointInterval,
                    .no_effect = {sequential_unchecked, conservative_to_the_end, alone}},
        &Config::checkpoint_interval},
    OptionRow{
        OptionFacts{.name = "throttle",
                    .help = "What bounds optimism; atw, atw-repaired: adaptive time window (MUSE), mtw: "
                            "moving time window (Devastator)",
                    .no_effect = {sequential, conservative, alone}},
        &Config::throttle},
    OptionRow{OptionFacts{.name = "window",
                          .hint = "T",
                          .help = "Fixed throttle: how far beyond GVT events may run, in simulated time",
                          .is_valid = is_positive,
                          .valid = "a time above 0",
                          .no_effect = {sequential, conservative, alone, without_window}},
              &Config::window},
    OptionRow{OptionFacts{.name = "batch",
                          .hint = "N",
                          .help = "Events between two looks at the inbox",
                          .least = 1,
                          .no_effect = {sequential, alone}},
              &Config::batch},
    OptionRow{
        OptionFacts{.name = "gvt",
                    .help = "Global virtual time: epoch: asynchronously, nobody waits; barrier: everybody "
                            "stops for it",
                    .no_effect = {sequential, alone},
                    .ranks_agree = true},
        &Config::gvt},
    OptionRow{OptionFacts{.name = "gvt-interval",
                          .hint = "N",
                          .help = "Events of a processing element between two GVT rounds",
                          .least = 1,
                          .no_effect = {sequential, alone}},
              &Config::gvt_interval},
    OptionRow{OptionFacts{.name = "lps-per-group",
                          .hint = "N",
                          .help = "LPs that share a history and roll back together",
                          .least = 1,
                          .no_effect = {sequential_unchecked, conservative_to_the_end, alone}},
              &Config::lps_per_group},
    OptionRow{OptionFacts{.name = "run-lookahead",
                          .hint = "T",
                          .help = "Conservative: least delay of what LPs send to others, in simulated time",
                          .default_text = "as the LP types declare",
                          .is_valid = is_positive,
                          .valid = "a time above 0",
                          .no_effect = {sequential, optimistic},
                          .ranks_agree = true},
              &Config::lookahead},
    OptionRow{
        OptionFacts{.name = "cancellation",
                    .help = "What a rolled-back event had sent is cancelled at once, or when it does not "
                            "send it again",
                    .no_effect = {sequential, conservative_to_the_end, alone}},
        &Config::cancellation},
    OptionRow{
        OptionFacts{.name = "history",
                    .help = "auto: kept where events may have to be undone, so not by one processing element "
                            "alone; always: to see what it costs",
                    .no_effect = {sequential, conservative}},
        &Config::history},
    OptionRow{
        OptionFacts{.name = "memory",
                    .hint = "SIZE",
                    .help = "What LPs, events and histories may take together; near it optimism is taken "
                            "back",
                    .default_text = "80% of what is available when the run starts",
                    .form = ValueForm::size,
                    .least = 1},
        &Config::memory},

    OptionRow{
        OptionFacts{.name = "comm",
                    .group = ranks,
                    .help = "Who talks to other ranks: a thread of its own, or the workers between their "
                            "events; auto: a thread where there is a core for it",
                    .no_effect = {on_one_rank}},
        &Config::comm},
    OptionRow{OptionFacts{.name = "message-size",
                          .group = ranks,
                          .hint = "SIZE",
                          .help = "What a message between ranks holds at most",
                          .default_text = "what was measured to be good",
                          .form = ValueForm::size,
                          .least = 1 << 10,
                          .most = 64 << 20,
                          .no_effect = {on_one_rank}},
              &Config::message_size},
    OptionRow{
        OptionFacts{.name = "consolidation",
                    .group = ranks,
                    .help = "Events for the same rank share messages; off: each has its own, to compare with",
                    .no_effect = {on_one_rank}},
        &Config::consolidation},
    OptionRow{OptionFacts{.name = "send-buffers",
                          .group = ranks,
                          .hint = "N",
                          .help = "Messages of a rank that may be under way at a time, half of them to the "
                                  "same rank",
                          .least = 1,
                          .most = kMostMessageBuffers,
                          .no_effect = {on_one_rank},
                          .ranks_agree = true},
              &Config::send_buffers},
    OptionRow{OptionFacts{.name = "receive-buffers",
                          .group = ranks,
                          .hint = "N",
                          .help = "Receives that a rank has posted for messages of others",
                          .least = 1,
                          .most = kMostMessageBuffers,
                          .no_effect = {on_one_rank},
                          .ranks_agree = true},
              &Config::receive_buffers},
    OptionRow{OptionFacts{.name = "polling-period",
                          .group = ranks,
                          .hint = "N",
                          .help = "Of so many rounds of communication one looks for messages",
                          .default_text = "adapts to how often there are some",
                          .least = 1,
                          .no_effect = {on_one_rank}},
              &Config::polling_period},
    OptionRow{OptionFacts{.name = "emulate-latency",
                          .group = ranks,
                          .hint = "SECONDS",
                          .help = "Each message takes at least so long, as if the machines were far apart",
                          .is_valid = is_latency,
                          .valid = "0 to 10 seconds",
                          .no_effect = {on_one_rank}},
              &Config::emulate_latency},

    OptionRow{
        OptionFacts{.name = "trace-lp",
                    .group = files,
                    .hint = "TYPE:FIRST-LAST",
                    .help = "LPs whose events are traced, e.g. Player:17; may be repeated; without it all "
                            "are",
                    .no_effect = {without_trace},
                    .ranks_agree = true},
        [](auto& config) -> auto& { return config.trace.lps; }},
    OptionRow{OptionFacts{.name = "trace-from",
                          .group = files,
                          .hint = "T",
                          .help = "Trace no event before this time",
                          .is_valid = is_number,
                          .valid = "a time",
                          .no_effect = {without_trace},
                          .ranks_agree = true},
              [](auto& config) -> auto& { return config.trace.from; }},
    OptionRow{OptionFacts{.name = "trace-to",
                          .group = files,
                          .hint = "T",
                          .help = "Trace events before this time only",
                          .form = ValueForm::time,
                          .no_effect = {without_trace},
                          .ranks_agree = true},
              [](auto& config) -> auto& { return config.trace.to; }},
    OptionRow{
        OptionFacts{.name = "profile-lps",
                    .group = files,
                    .hint = "N",
                    .help = "Report figures of the N LPs with most events, with most rollbacks, and that "
                            "caused most rollbacks; as many as there are: of all",
                    .ranks_agree = true},
        &Config::profile_lps},
    OptionRow{
        OptionFacts{.name = "time-events",
                    .group = files,
                    .help = "Take the time of each event: the report has the longest chain of causes in "
                            "seconds instead of events",
                    .ranks_agree = true},
        &Config::time_events},

    OptionRow{OptionFacts{.name = "check-rollback",
                          .group = testing,
                          .help = "Execute every event, undo it, compare the state, execute it again"},
              &Config::check_rollback},
    OptionRow{OptionFacts{.name = "test-chaos",
                          .group = testing,
                          .hint = "S",
                          .help = "Provoke stragglers and yields at random with this seed; 0: do not",
                          .no_effect = {sequential}},
              &Config::test_chaos}};
}  // namespace options

/// Calls `visit(facts, of)` for each option; `std::invoke(of, config)` is its value in a Config.
template <class Visit>
void for_each_option(Visit&& visit) {
  for_each_row(options::kRows, visit);
}

}  // namespace anachron
