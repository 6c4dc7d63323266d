// Parameters of a model: a plain aggregate whose members show up as options, without registration. An
// optional `static void describe(an::Describe<Params>&)` adds help, choices and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/base/type_name.hpp>
#include <anachron/model/lp_traits.hpp>
#include <anachron/model/option.hpp>
#include <anachron/model/reflect.hpp>

namespace anachron {
namespace detail {

template <class M, class... Ts>
inline constexpr bool kIsOneOf = (std::is_same_v<M, Ts> || ...);

template <class M>
inline constexpr bool kIsNumber =
    kIsOneOf<M, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
             long long, unsigned long long, float, double>;

template <class M>
inline constexpr bool kCanBeOption = kIsNumber<M> || kIsOneOf<M, bool, std::string> || std::is_enum_v<M>;

struct Parameter;

/// How a member of one type is read and written through its address.
struct MemberOps {
  std::string_view hint;  ///< Option::hint; of an enumeration: made from the choices
  void (*set)(const Parameter&, void* member, const std::string& text);  ///< throws InputError
  std::string (*text)(const Parameter&, const void* member);
  void (*check)(const Parameter&, const void* member);  ///< throws InputError
  // Of an enumeration only.
  std::int64_t (*enumerator)(const void* member) = nullptr;
  void (*set_enumerator)(void* member, std::int64_t value) = nullptr;
};

const MemberOps& member_ops(const bool*);
const MemberOps& member_ops(const signed char*);
const MemberOps& member_ops(const unsigned char*);
const MemberOps& member_ops(const short*);
const MemberOps& member_ops(const unsigned short*);
const MemberOps& member_ops(const int*);
const MemberOps& member_ops(const unsigned*);
const MemberOps& member_ops(const long*);
const MemberOps& member_ops(const unsigned long*);
const MemberOps& member_ops(const long long*);
const MemberOps& member_ops(const unsigned long long*);
const MemberOps& member_ops(const float*);
const MemberOps& member_ops(const double*);
const MemberOps& member_ops(const std::string*);

void set_choice(const Parameter& parameter, void* member, const std::string& text);
std::string choice_text(const Parameter& parameter, const void* member);
void check_choice(const Parameter& parameter, const void* member);

template <class Enum>
inline constexpr MemberOps kEnumOps{
    "",
    &set_choice,
    &choice_text,
    &check_choice,
    [](const void* member) { return static_cast<std::int64_t>(*static_cast<const Enum*>(member)); },
    [](void* member, std::int64_t value) { *static_cast<Enum*>(member) = static_cast<Enum>(value); }};

template <class Enum>
  requires std::is_enum_v<Enum>
const MemberOps& member_ops(const Enum*) {
  return kEnumOps<Enum>;
}

/// A limit of a number. The value's bytes are those of the member's type.
struct Bound {
  enum class Kind : std::uint8_t { at_least, above, at_most, below } kind;
  alignas(8) std::byte value[8];
};

struct Choice {
  std::string name;
  std::int64_t enumerator;
};

/// A member of a parameters object and what its description says of it.
struct Parameter {
  std::string_view member;  ///< its identifier
  const void* address;
  const MemberOps* ops;
  std::string name, help;  ///< of the option
  std::string hint;        ///< empty: the one of `ops`, or of the choices
  std::vector<Bound> bounds;
  std::vector<Choice> choices;
  bool is_output_file = false;
};

Parameter make_parameter(std::string_view member, const void* address, const MemberOps& ops);
Parameter& find_parameter(std::vector<Parameter>& all, const void* address);
/// Throws std::logic_error that names Params type and member if the description does not make sense.
void check_description(const std::vector<Parameter>& all, std::string_view params_type);
void add_choice(Parameter& parameter, std::string_view name, std::int64_t enumerator);
Option make_option(Parameter parameter, void* member);

}  // namespace detail

/// What `describe` says of one member. Each function returns the object itself, for chains.
template <class M>
class Description {
 public:
  explicit Description(detail::Parameter& parameter) : parameter_(parameter) {}

  /// The value must be at least `x`. A value that breaks this or another limit is an InputError that names
  /// option, value and limits.
  Description& at_least(M x)
    requires detail::kIsNumber<M>
  {
    return bound(detail::Bound::Kind::at_least, x);
  }
  /// The value must be greater than `x`.
  Description& above(M x)
    requires detail::kIsNumber<M>
  {
    return bound(detail::Bound::Kind::above, x);
  }
  /// The value must be at most `x`.
  Description& at_most(M x)
    requires detail::kIsNumber<M>
  {
    return bound(detail::Bound::Kind::at_most, x);
  }
  /// The value must be less than `x`.
  Description& below(M x)
    requires detail::kIsNumber<M>
  {
    return bound(detail::Bound::Kind::below, x);
  }

  /// The names of an enumeration's values. Every enumeration member needs them.
  Description& choices(std::initializer_list<std::pair<std::string_view, M>> named)
    requires std::is_enum_v<M>
  {
    for (const auto& [name, value] : named)
      detail::add_choice(parameter_, name, static_cast<std::int64_t>(value));
    return *this;
  }

  /// The option's name, without dashes, if it is not the member's with '-' for '_'.
  Description& name(std::string_view option) {
    parameter_.name = option;
    return *this;
  }
  /// What a value looks like in the help: "COLSxROWS".
  Description& hint(std::string_view text) {
    parameter_.hint = text;
    return *this;
  }

  /// The value is the path of a file that the model writes. So it decides no results: a run that goes on from
  /// a checkpoint may give another one.
  Description& output_file()
    requires std::is_same_v<M, std::string>
  {
    parameter_.is_output_file = true;
    return *this;
  }

 private:
  Description& bound(detail::Bound::Kind kind, M x) {
    auto& added = parameter_.bounds.emplace_back(detail::Bound{kind, {}});
    static_assert(sizeof(M) <= sizeof(added.value));
    std::memcpy(added.value, &x, sizeof(M));
    return *this;
  }

  detail::Parameter& parameter_;
};

/// Passed to `P::describe`: `d(&P::member, "One line of help").at_least(1)`. Members that are not described
/// are options too, without help and checks.
template <class P>
class Describe {
 public:
  explicit Describe(const P& params) : params_(params) {
    detail::with_members(params, [this](const auto&... members) {
      parameters_.reserve(sizeof...(members));
      add(std::make_index_sequence<sizeof...(members)>(), members...);
    });
  }

  template <class M>
  Description<M> operator()(M P::* member, std::string_view help) {
    detail::Parameter& parameter = detail::find_parameter(parameters_, &(params_.*member));
    parameter.help = help;
    return Description<M>(parameter);
  }

  /// In order of declaration.
  const std::vector<detail::Parameter>& parameters() const { return parameters_; }

 private:
  template <std::size_t... I, class... Ms>
  void add(std::index_sequence<I...>, const Ms&... members) {
    (parameters_.push_back(
         detail::make_parameter(detail::member_name<P, I>(), &members, detail::member_ops(&members))),
     ...);
  }

  const P& params_;
  std::vector<detail::Parameter> parameters_;
};

namespace detail {

/// Fails to compile, with the reason, unless the members of P can be options.
template <class P>
constexpr bool check_params() {
  static_assert(
      std::is_aggregate_v<P>,
      "anachron: Params must be an aggregate: no constructors, no private members, no virtual functions");
  static_assert(!HasBase<P>, "anachron: Params must not have base classes");
  static_assert(member_count<P>() <= kMostMembers, "anachron: Params has more than 32 members");
  if constexpr (std::is_aggregate_v<P> && !HasBase<P> && member_count<P>() <= kMostMembers) {
    return with_members(kNeverMade<P>.value, []<class... Ms>(const Ms&...) {
      static_assert((kCanBeOption<Ms> && ...),
                    "anachron: each member of Params must be a number, bool, enumeration or std::string");
      return (kCanBeOption<Ms> && ...);
    });
  } else {
    return false;
  }
}

template <class P>
Describe<P> described(const P& params) {
  Describe<P> description(params);
  if constexpr (requires { P::describe(description); })
    P::describe(description);
  else
    static_assert(
        !requires { &P::describe; },
        "anachron: Params::describe must be `static void describe(anachron::Describe<Params>&)`");
  check_description(description.parameters(), short_type_name<P>());
  return description;
}

}  // namespace detail

/// The members of `params` as options, in order of declaration; their defaults are the present values. The
/// options refer to `params`, which must outlive them. Throws std::logic_error if `P::describe` does not make
/// sense.
template <class P>
std::vector<Option> options_of(P& params) {
  std::vector<Option> options;
  if constexpr (detail::check_params<P>()) {
    const auto description = detail::described(params);
    detail::with_members(params, [&](auto&... members) {
      static_assert((!std::is_const_v<std::remove_reference_t<decltype(members)>> && ...),
                    "anachron: members of Params must not be const");
      options.reserve(sizeof...(members));
      (options.push_back(detail::make_option(description.parameters()[options.size()], &members)), ...);
    });
  }
  return options;
}

/// The checks of `P::describe`, for parameters set in C++: throws InputError that names option, value and
/// what is valid.
template <class P>
void validate(const P& params) {
  if constexpr (detail::check_params<P>()) {
    const auto description = detail::described(params);
    for (const auto& parameter : description.parameters()) parameter.ops->check(parameter, parameter.address);
  }
}

}  // namespace anachron
