#include <anachron/event/recipients.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

namespace anachron::event {
namespace {

enum class Kind : std::uint8_t { range, group, part };

/// Numbers that ascend, each as its distance from the one before.
void write_ascending(ByteWriter& out, std::span<const std::uint32_t> numbers) {
  std::uint32_t least = 0;
  for (const std::uint32_t number : numbers) {
    out.length(number - least);
    least = number + 1;
  }
}

std::vector<std::uint32_t> read_ascending(ByteReader& in, std::size_t count, std::uint64_t end) {
  std::vector<std::uint32_t> numbers(count);
  std::uint64_t least = 0;
  for (std::uint32_t& number : numbers) {
    const std::uint64_t distance = in.length();
    if (least >= end || distance >= end - least)
      throw InputError(fmt::format("a recipient beyond the last, {}, among the bytes", end - 1));
    number = static_cast<std::uint32_t>(least + distance);
    least = number + std::uint64_t{1};
  }
  return numbers;
}

std::vector<std::uint32_t> members_of(const Recipients& to, std::span<const std::uint32_t> ks) {
  std::vector<std::uint32_t> members;
  members.reserve(ks.size());
  for (const std::uint32_t k : ks) members.push_back(to.members[k]);
  return members;
}

std::vector<std::uint32_t> places_of(const Recipients& to, std::span<const std::uint32_t> ks) {
  std::vector<std::uint32_t> places;
  places.reserve(ks.size());
  for (const std::uint32_t k : ks) places.push_back(to.place(k));
  return places;
}

}  // namespace

Recipients RecipientLists::keep(LpId first, std::vector<std::uint32_t> members,
                                std::vector<std::uint32_t> places) {
  const List& kept = *lists_.insert({first, std::move(members), std::move(places)}).first;
  return {first, static_cast<std::uint32_t>(kept.members.size()), kept.members.data(),
          kept.places.empty() ? nullptr : kept.places.data()};
}

void encode_recipients(ByteWriter& out, const Recipients& to) {
  if (to.places) {
    std::vector<std::uint32_t> all(to.count);
    std::iota(all.begin(), all.end(), 0u);
    return encode_recipients(out, to, all);
  }
  out.number(static_cast<std::uint8_t>(to.members ? Kind::group : Kind::range));
  out.length(to.count);
  if (to.members)
    write_ascending(out, {to.members, to.count});
  else
    out.number(to.first);
}

void encode_recipients(ByteWriter& out, const Recipients& to, std::span<const std::uint32_t> there) {
  if (!to.members) return encode_recipients(out, to);
  out.number(static_cast<std::uint8_t>(Kind::part));
  out.length(there.size());
  write_ascending(out, members_of(to, there));
  write_ascending(out, places_of(to, there));
}

Recipients decode_recipients(ByteReader& in, const LpTypeEntry& type, RecipientLists& lists) {
  const auto kind = in.number<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Kind::part))
    throw InputError(fmt::format("recipients of an unknown kind, {}, among the bytes", kind));
  if (kind == static_cast<std::uint8_t>(Kind::range)) {
    const std::uint64_t count = in.length();
    const auto first = in.number<LpId>();
    if (first < type.first || first - type.first >= type.count || count == 0 ||
        count > type.count - (first - type.first))
      throw InputError(fmt::format("{} recipients from LP {} on among the bytes, which are not of type {}",
                                   count, first, type.name()));
    return {first, static_cast<std::uint32_t>(count)};
  }
  const std::size_t count = in.length_of(1);
  if (count == 0) throw InputError("a broadcast to nobody among the bytes");
  auto members = read_ascending(in, count, type.count);
  auto places = kind == static_cast<std::uint8_t>(Kind::part)
                    ? read_ascending(in, count, std::uint64_t{1} << 32)
                    : std::vector<std::uint32_t>();
  return lists.keep(type.first, std::move(members), std::move(places));
}

}  // namespace anachron::event
