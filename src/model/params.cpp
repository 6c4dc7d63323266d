#include <anachron/model/params.hpp>

#include <algorithm>
#include <concepts>
#include <stdexcept>

#include <anachron/base/parse.hpp>

namespace anachron::detail {

namespace {

bool is_within(auto x, auto limit, Bound::Kind kind) {  // false for NaN
  switch (kind) {
    case Bound::Kind::at_least:
      return x >= limit;
    case Bound::Kind::above:
      return x > limit;
    case Bound::Kind::at_most:
      return x <= limit;
    case Bound::Kind::below:
      return x < limit;
  }
  return false;
}

std::string_view words(Bound::Kind kind) {
  switch (kind) {
    case Bound::Kind::at_least:
      return ">= ";
    case Bound::Kind::above:
      return "> ";
    case Bound::Kind::at_most:
      return "<= ";
    case Bound::Kind::below:
      return "< ";
  }
  return "";
}

template <class M>
M limit_of(const Bound& bound) {
  M limit;
  std::memcpy(&limit, bound.value, sizeof limit);
  return limit;
}

// "a number >= 1 and < 10".
template <class M>
std::string bounds_text(const Parameter& parameter) {
  std::string text;
  for (const Bound& bound : parameter.bounds)
    text.append(!text.empty()      ? " and "
                : std::integral<M> ? "a whole number "
                                   : "a number ")
        .append(words(bound.kind))
        .append(format_value(limit_of<M>(bound)));
  return text;
}

// `text`: the value as it was given.
template <class M>
void check_bounds(const Parameter& parameter, const M& value, const std::string& text) {
  if constexpr (kIsNumber<M>)
    for (const Bound& bound : parameter.bounds)
      if (!is_within(value, limit_of<M>(bound), bound.kind))
        throw bad_value(parameter.name, text, bounds_text<M>(parameter));
}

template <class M>
void set(const Parameter& parameter, void* member, const std::string& text) {
  M value = parse_value<M>(parameter.name, text);
  check_bounds(parameter, value, text);
  *static_cast<M*>(member) = std::move(value);
}

template <class M>
std::string value_text(const Parameter&, const void* member) {
  return format_value(*static_cast<const M*>(member));
}

template <class M>
void check(const Parameter& parameter, const void* member) {
  check_bounds(parameter, *static_cast<const M*>(member), value_text<M>(parameter, member));
}

template <class M>
constexpr std::string_view hint_of() {
  if constexpr (std::same_as<M, bool>)
    return "";
  else if constexpr (std::same_as<M, std::string>)
    return "NAME";
  else
    return std::floating_point<M> ? "X" : "N";
}

template <class M>
constexpr MemberOps kOps{hint_of<M>(), &set<M>, &value_text<M>, &check<M>};

std::vector<std::string> names(const Parameter& parameter) {
  std::vector<std::string> all;
  for (const Choice& choice : parameter.choices) all.push_back(choice.name);
  return all;
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text.append(text.empty() ? "" : "|").append(one);
  return text;
}

}  // namespace

const MemberOps& member_ops(const bool*) { return kOps<bool>; }
const MemberOps& member_ops(const signed char*) { return kOps<signed char>; }
const MemberOps& member_ops(const unsigned char*) { return kOps<unsigned char>; }
const MemberOps& member_ops(const short*) { return kOps<short>; }
const MemberOps& member_ops(const unsigned short*) { return kOps<unsigned short>; }
const MemberOps& member_ops(const int*) { return kOps<int>; }
const MemberOps& member_ops(const unsigned*) { return kOps<unsigned>; }
const MemberOps& member_ops(const long*) { return kOps<long>; }
const MemberOps& member_ops(const unsigned long*) { return kOps<unsigned long>; }
const MemberOps& member_ops(const long long*) { return kOps<long long>; }
const MemberOps& member_ops(const unsigned long long*) { return kOps<unsigned long long>; }
const MemberOps& member_ops(const float*) { return kOps<float>; }
const MemberOps& member_ops(const double*) { return kOps<double>; }
const MemberOps& member_ops(const std::string*) { return kOps<std::string>; }

void set_choice(const Parameter& parameter, void* member, const std::string& text) {
  const auto chosen = std::ranges::find(parameter.choices, text, &Choice::name);
  if (chosen == parameter.choices.end()) throw bad_choice(parameter.name, text, names(parameter));
  parameter.ops->set_enumerator(member, chosen->enumerator);
}

std::string choice_text(const Parameter& parameter, const void* member) {
  const std::int64_t value = parameter.ops->enumerator(member);
  const auto chosen = std::ranges::find(parameter.choices, value, &Choice::enumerator);
  return chosen == parameter.choices.end() ? std::to_string(value) : chosen->name;
}

void check_choice(const Parameter& parameter, const void* member) {
  if (std::ranges::find(parameter.choices, parameter.ops->enumerator(member), &Choice::enumerator) ==
      parameter.choices.end())
    throw bad_choice(parameter.name, choice_text(parameter, member), names(parameter));
}

Parameter make_parameter(std::string_view member, const void* address, const MemberOps& ops) {
  Parameter made{member, address, &ops, std::string(member), {}, {}, {}, {}};
  std::ranges::replace(made.name, '_', '-');
  return made;
}

Parameter& find_parameter(std::vector<Parameter>& all, const void* address) {
  const auto found = std::ranges::find(all, address, &Parameter::address);
  if (found == all.end())
    throw std::logic_error("anachron: describe names something that is no member of Params");
  return *found;
}

void add_choice(Parameter& parameter, std::string_view name, std::int64_t enumerator) {
  parameter.choices.push_back({std::string(name), enumerator});
}

void check_description(const std::vector<Parameter>& all, std::string_view params_type) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto fail = [&](const std::string& what) {
      throw std::logic_error(
          std::string("anachron: ").append(params_type).append("::").append(all[i].member).append(what));
    };
    if (all[i].ops->enumerator && all[i].choices.empty())
      fail(
          " is an enumeration: `describe` must name its values, d(&P::member, \"...\").choices({{\"name\", "
          "value}})");
    if (all[i].name.empty()) fail(" has an empty option name");
    for (std::size_t j = 0; j < i; ++j)
      if (all[j].name == all[i].name) fail(" has the same option name as " + std::string(all[j].member));
    for (std::size_t k = 0; k < all[i].choices.size(); ++k)
      for (std::size_t j = 0; j < k; ++j)
        if (all[i].choices[j].name == all[i].choices[k].name)
          fail(" has two choices of the name " + all[i].choices[k].name);
  }
}

Option make_option(Parameter parameter, void* member) {
  Option option;
  option.name = parameter.name;
  option.help = parameter.help;
  option.choices = names(parameter);
  option.is_output_file = parameter.is_output_file;
  if (!parameter.hint.empty())
    option.hint = parameter.hint;
  else
    option.hint = option.choices.empty() ? std::string(parameter.ops->hint) : joined(option.choices);
  option.default_text = parameter.ops->text(parameter, member);
  option.text = [parameter, member] { return parameter.ops->text(parameter, member); };
  option.set = [parameter = std::move(parameter), member](const std::string& text) {
    parameter.ops->set(parameter, member, text);
  };
  return option;
}

}  // namespace anachron::detail
