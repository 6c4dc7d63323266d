// The memory of states that grows: containers in it do what those of the standard library do, and all that an
// event writes is undone to the last bit.
#include <anachron/model/region/region.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/event/frame.hpp>
#include <anachron/mem/arena.hpp>
#include <anachron/model/region/dictionary.hpp>
#include <anachron/model/region/list.hpp>
#include <anachron/model/region/priority_queue.hpp>
#include <anachron/model/region/text.hpp>

#include "scale.hpp"

namespace anachron::region {
namespace {

struct State {
  Region* region;
  List list;
  Dictionary dictionary;
  PriorityQueue queue;
  Text text;
};
using Element = std::uint64_t;
constexpr std::uint32_t kSize = sizeof(Element);
constexpr EntryLayout kLayout{8, 8};

Element value_at(const std::byte* at) {
  Element value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// What the containers of a state should have.
struct Likeness {
  std::deque<Element> list;
  std::vector<std::pair<Element, Element>> dictionary;  // in the order of insertion
  std::vector<std::pair<std::pair<double, std::uint64_t>, Element>> queue;
  std::uint64_t pushed = 0;
  std::string text;
};

class RegionTest : public testing::Test {
 protected:
  RegionTest() {
    frame_.arena = &arena_;
    state_.region = &first_;
  }
  ~RegionTest() override { Region::destroy_state(&state_); }

  /// An event that does some things, at random; the same to the likeness.
  void change(Likeness& like, bool keeps_undo) {
    frame_.effects = nullptr;
    Region& region = Region::begin(&state_, frame_, keeps_undo);
    for (int i = 0; i < 6; ++i) {
      change_list(region, like);
      change_dictionary(region, like);
      change_queue(region, like);
      change_text(region, like);
    }
  }

  void undo() {
    for (event::Effect* effect = frame_.effects; effect; effect = effect->next)
      effect->ops->undo(*effect, &state_);
    frame_.effects = nullptr;
  }

  void expect_like(const Likeness& like) const {
    const Region& region = Region::of(static_cast<const void*>(&state_));
    ASSERT_EQ(state_.list.count, like.list.size());
    for (std::uint32_t i = 0; i < state_.list.count; ++i)
      EXPECT_EQ(value_at(element(region, state_.list, i, kSize)), like.list[i]);
    ASSERT_EQ(state_.dictionary.count, like.dictionary.size());
    std::uint32_t entry = next_entry(region, state_.dictionary, 0);
    for (const auto& [key, value] : like.dictionary) {
      ASSERT_NE(entry, kNoEntry);
      EXPECT_EQ(value_at(key_of(region, state_.dictionary, kLayout, entry)), key);
      EXPECT_EQ(value_at(value_of(region, state_.dictionary, kLayout, entry)), value);
      EXPECT_EQ(find(region, state_.dictionary, kLayout, &key), entry);
      entry = next_entry(region, state_.dictionary, entry + 1);
    }
    EXPECT_EQ(entry, kNoEntry);
    ASSERT_EQ(state_.queue.count, like.queue.size());
    ASSERT_EQ(state_.text.size, like.text.size());
    if (!like.text.empty()) {
      EXPECT_EQ(std::memcmp(region.data(state_.text.offset), like.text.data(), like.text.size()), 0);
    }
  }

  std::mt19937 random_{5};
  mem::Arena arena_;
  event::Frame frame_;
  Region first_{sizeof(State)};
  State state_{};

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  void change_list(Region& region, Likeness& like) {
    const Element value = random_();
    const auto count = static_cast<std::uint32_t>(like.list.size());
    const auto put = [&](std::byte* at) { std::memcpy(at, &value, sizeof value); };
    switch (below(count > 200 ? 8 : 6)) {
      case 0:
      case 1:
        put(push_back(region, state_.list, kSize));
        return like.list.push_back(value);
      case 2:
        put(push_front(region, state_.list, kSize));
        return like.list.push_front(value);
      case 3: {
        const std::uint32_t i = below(count + 1);
        put(insert(region, state_.list, i, kSize));
        like.list.insert(like.list.begin() + i, value);
        return;
      }
      case 4:
        if (count == 0) return;
        put(write_element(region, state_.list, count / 2, kSize));
        like.list[count / 2] = value;
        return;
      case 5: {
        if (count == 0) return;
        const std::uint32_t i = below(count);
        erase(region, state_.list, i, kSize);
        like.list.erase(like.list.begin() + i);
        return;
      }
      default:
        clear(region, state_.list, kSize);
        like.list.clear();
    }
  }

  void change_text(Region& region, Likeness& like) {
    like.text.assign(below(4) ? below(30) : below(300), static_cast<char>('a' + below(26)));
    std::byte* const to = write(region, state_.text, static_cast<std::uint32_t>(like.text.size()));
    if (to) std::memcpy(to, like.text.data(), like.text.size());
    EXPECT_EQ(to == nullptr, like.text.empty());
  }

  void change_dictionary(Region& region, Likeness& like) {
    const Element key = below(40), value = random_();
    const auto found = std::find_if(like.dictionary.begin(), like.dictionary.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (below(3) > 0) {
      const std::uint32_t entry = find_or_add(region, state_.dictionary, kLayout, &key);
      std::memcpy(write_value(region, state_.dictionary, kLayout, entry), &value, sizeof value);
      if (found != like.dictionary.end())
        found->second = value;
      else
        like.dictionary.emplace_back(key, value);
      return;
    }
    EXPECT_EQ(erase(region, state_.dictionary, kLayout, &key), found != like.dictionary.end());
    if (found != like.dictionary.end()) like.dictionary.erase(found);
  }

  void change_queue(Region& region, Likeness& like) {
    if (below(2) == 0) {
      const Element value = random_();
      const double priority = below(10);
      std::memcpy(push(region, state_.queue, priority, kSize), &value, sizeof value);
      like.queue.push_back({{priority, like.pushed++}, value});
    } else if (!like.queue.empty()) {
      const auto first = std::min_element(like.queue.begin(), like.queue.end());
      EXPECT_EQ(top_priority(region, state_.queue), first->first.first);
      EXPECT_EQ(value_at(top(region, state_.queue)), first->second);
      EXPECT_EQ(value_at(pop(region, state_.queue, kSize)), first->second);
      like.queue.erase(first);
    }
  }
};

TEST_F(RegionTest, ContainersDoWhatThoseOfTheStandardLibraryDo) {
  Likeness like;
  for (int event = 0; event < test::scaled(400); ++event) {
    change(like, event % 2 == 0);
    expect_like(like);
  }
}

TEST_F(RegionTest, WhatAnEventWritesIsUndone) {
  Likeness like;
  for (int event = 0; event < test::scaled(400); ++event) {
    State before;
    std::memset(&before, 0, sizeof before);
    Region::copy_state(&before, &state_);
    Likeness other = like;
    change(other, true);
    expect_like(other);
    EXPECT_FALSE(Region::equal_states(&before, &state_) && Region::of(&state_).bytes().size() > 1024);
    undo();
    EXPECT_TRUE(Region::equal_states(&before, &state_));
    expect_like(like);
    Region::destroy_state(&before);
    change(like, false);
  }
}

// What an event wrote and that was undone shows no more than in equal states.
TEST_F(RegionTest, IsEncodedAsWhatIsInIt) {
  Likeness like;
  const auto encoded = [&] {
    std::vector<std::byte> bytes;
    EXPECT_FALSE(Region::encode_state(&state_, bytes));
    return bytes;
  };
  for (int event = 0; event < test::scaled(100); ++event) {
    const auto before = encoded();
    Likeness other = like;
    change(other, true);
    undo();
    EXPECT_EQ(encoded(), before);
    State copy;
    std::memset(&copy, 0, sizeof copy);
    Region::copy_state(&copy, &state_);
    change(like, false);
    const auto bytes = encoded();
    ByteReader in(bytes);
    EXPECT_FALSE(Region::decode_state(&copy, in));
    EXPECT_EQ(in.remaining(), 0u);
    EXPECT_TRUE(Region::equal_states(&copy, &state_));
    for (const std::size_t cut : {bytes.size() - 1, bytes.size() / 2, std::size_t{3}}) {
      ByteReader less(std::span<const std::byte>(bytes).first(cut));
      EXPECT_TRUE(Region::decode_state(&copy, less)) << cut;
    }
    Region::destroy_state(&copy);
  }
}

TEST_F(RegionTest, ACopyIsItsOwn) {
  Likeness like;
  for (int event = 0; event < 20; ++event) change(like, false);
  State copy;
  std::memset(&copy, 0, sizeof copy);
  Region::copy_state(&copy, &state_);
  Likeness other = like;
  change(other, false);
  Region::restore_state(&state_, &copy);
  expect_like(like);
  EXPECT_TRUE(Region::equal_states(&copy, &state_));
  Region::destroy_state(&copy);
}

}  // namespace
}  // namespace anachron::region
