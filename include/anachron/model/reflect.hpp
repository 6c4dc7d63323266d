// Compile-time reflection of aggregates: how many members, their names and addresses, without registration.
//
// The count is the longest list of empty initialisers that the type takes. Structured bindings give the
// members, and the name of a member stands in the compiler's text for a template argument that points to it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace anachron::detail {

inline constexpr std::size_t kMostMembers = 32;

// clang-format off
/// Number of members of the aggregate P, counted up to kMostMembers + 1.
template <class P>
constexpr std::size_t member_count() {
  if constexpr (!requires { P{{}}; }) return 0;
  else if constexpr (!requires { P{{},{}}; }) return 1;
  else if constexpr (!requires { P{{},{},{}}; }) return 2;
  else if constexpr (!requires { P{{},{},{},{}}; }) return 3;
  else if constexpr (!requires { P{{},{},{},{},{}}; }) return 4;
  else if constexpr (!requires { P{{},{},{},{},{},{}}; }) return 5;
  else if constexpr (!requires { P{{},{},{},{},{},{},{}}; }) return 6;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{}}; }) return 7;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{}}; }) return 8;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{}}; }) return 9;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{}}; }) return 10;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 11;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 12;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 13;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 14;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 15;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {}}; }) return 16;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{}}; }) return 17;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{}}; }) return 18;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{}}; }) return 19;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{}}; }) return 20;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{}}; }) return 21;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{}}; }) return 22;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{}}; }) return 23;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{}}; }) return 24;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{}}; }) return 25;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{},{}}; }) return 26;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{},{},{}}; }) return 27;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 28;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 29;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 30;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 31;
  else if constexpr (!requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                   {},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}}; }) return 32;
  else return kMostMembers + 1;
}

/// Calls `call` with references to all members of `object`, in order of declaration, at most kMostMembers.
template <class P, class Call>
constexpr decltype(auto) with_members(P& object, Call&& call) {
  constexpr std::size_t kCount = member_count<std::remove_const_t<P>>();
  if constexpr (kCount == 0) return call();
  else if constexpr (kCount == 1) { auto& [a] = object; return call(a); }
  else if constexpr (kCount == 2) { auto& [a,b] = object; return call(a,b); }
  else if constexpr (kCount == 3) { auto& [a,b,c] = object; return call(a,b,c); }
  else if constexpr (kCount == 4) { auto& [a,b,c,d] = object; return call(a,b,c,d); }
  else if constexpr (kCount == 5) { auto& [a,b,c,d,e] = object; return call(a,b,c,d,e); }
  else if constexpr (kCount == 6) { auto& [a,b,c,d,e,f] = object; return call(a,b,c,d,e,f); }
  else if constexpr (kCount == 7) { auto& [a,b,c,d,e,f,g] = object; return call(a,b,c,d,e,f,g); }
  else if constexpr (kCount == 8) { auto& [a,b,c,d,e,f,g,h] = object; return call(a,b,c,d,e,f,g,h); }
  else if constexpr (kCount == 9) { auto& [a,b,c,d,e,f,g,h,i] = object; return call(a,b,c,d,e,f,g,h,i); }
  else if constexpr (kCount == 10) { auto& [a,b,c,d,e,f,g,h,i,j] = object; return call(a,b,c,d,e,f,g,h,i,j); }
  else if constexpr (kCount == 11) {
    auto& [a,b,c,d,e,f,g,h,i,j,k] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k);
  }
  else if constexpr (kCount == 12) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l);
  }
  else if constexpr (kCount == 13) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m);
  }
  else if constexpr (kCount == 14) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n);
  }
  else if constexpr (kCount == 15) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o);
  }
  else if constexpr (kCount == 16) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p);
  }
  else if constexpr (kCount == 17) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q);
  }
  else if constexpr (kCount == 18) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r);
  }
  else if constexpr (kCount == 19) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s);
  }
  else if constexpr (kCount == 20) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t);
  }
  else if constexpr (kCount == 21) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u);
  }
  else if constexpr (kCount == 22) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v);
  }
  else if constexpr (kCount == 23) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w);
  }
  else if constexpr (kCount == 24) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x);
  }
  else if constexpr (kCount == 25) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y);
  }
  else if constexpr (kCount == 26) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z);
  }
  else if constexpr (kCount == 27) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A);
  }
  else if constexpr (kCount == 28) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B);
  }
  else if constexpr (kCount == 29) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C);
  }
  else if constexpr (kCount == 30) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D);
  }
  else if constexpr (kCount == 31) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E);
  }
  else if constexpr (kCount == 32) {
    auto& [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E,F] = object;
    return call(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E,F);
  }
}
// clang-format on

/// Converts to the base classes of P only: tells a base class, which takes an initialiser too, from a member.
template <class P>
struct OnlyBaseOf {
  template <class T>
    requires(std::is_base_of_v<T, P> && !std::is_same_v<T, P>)
  operator T() const;
};

template <class P>
concept HasBase = requires { P{OnlyBaseOf<P>{}}; };

/// Converts to unions only.
struct OnlyUnion {
  template <class T>
    requires std::is_union_v<T>
  operator T() const;
};
/// Converts to anything.
struct AnyMember {
  template <class T>
  operator T() const;
};

// clang-format off
/// Behind kAt members that are made from nothing, P takes a `Last`.
template <class P, class Last, std::size_t kAt>
constexpr bool takes_at() {
  if constexpr (kAt == 0) return requires { P{Last{}}; };
  else if constexpr (kAt == 1) return requires { P{{},Last{}}; };
  else if constexpr (kAt == 2) return requires { P{{},{},Last{}}; };
  else if constexpr (kAt == 3) return requires { P{{},{},{},Last{}}; };
  else if constexpr (kAt == 4) return requires { P{{},{},{},{},Last{}}; };
  else if constexpr (kAt == 5) return requires { P{{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 6) return requires { P{{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 7) return requires { P{{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 8) return requires { P{{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 9) return requires { P{{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 10) return requires { P{{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 11) return requires { P{{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 12) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 13) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 14) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 15) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 16) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},Last{}}; };
  else if constexpr (kAt == 17) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},Last{}}; };
  else if constexpr (kAt == 18) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},Last{}}; };
  else if constexpr (kAt == 19) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},Last{}}; };
  else if constexpr (kAt == 20) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 21) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 22) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 23) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 24) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 25) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 26) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 27) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 28) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 29) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 30) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                                                    {},{},{},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 31) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                    {},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else if constexpr (kAt == 32) return requires { P{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},
                    {},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},Last{}}; };
  else return false;
}
// clang-format on

/// A member of P is a union. Structured bindings do not compile for unions without a name.
template <class P>
concept HasUnion = []<std::size_t... kAt>(std::index_sequence<kAt...>) {
  return (takes_at<P, OnlyUnion, kAt>() || ...);
}(std::make_index_sequence<member_count<P>()>());

/// There is a member behind those that were counted: it cannot be made from nothing.
template <class P>
concept HasMoreMembers = takes_at<P, AnyMember, member_count<P>()>();

/// Room for a P that is never made: its members have addresses, which is all that the names need.
template <class P>
union NeverMade {
  char none;
  P value;
  constexpr NeverMade() : none(0) {}
  constexpr ~NeverMade() {}
};

template <class P>
inline constexpr NeverMade<P> kNeverMade{};

template <class P>
constexpr bool refers_to_members() {
  return with_members(kNeverMade<P>.value, [](const auto&...) { return true; });
}
/// No member of P is a bit-field. A reference to a bit-field refers to a copy of its value, and nothing that
/// was never made has one, so for these the function is no constant expression.
template <class P>
concept HasReferableMembers = requires { typename std::bool_constant<refers_to_members<P>()>; };

/// with_members gives all members of a P, and they can be written to unless they are const. A count of 0 is
/// believed of empty types only. Structured bindings give elements of what is like a tuple, such as
/// std::array.
template <class P>
concept MembersCanBeSeen =
    std::is_class_v<P> && std::is_aggregate_v<P> && !requires { std::tuple_size<P>::value; } && !HasBase<P> &&
    member_count<P>() <= kMostMembers && (member_count<P>() > 0 || std::is_empty_v<P>) && !HasUnion<P> &&
    !HasMoreMembers<P> && HasReferableMembers<P>;

/// A pointer wrapped in a class, because older compilers refuse a plain one to a member as a template
/// argument.
template <class M>
struct MemberAddress {
  const M* at;
};

// No std::string_view: g++ would append what that name stands for.
template <class Address, Address kAddress>
constexpr const char* pretty_member() {
  return __PRETTY_FUNCTION__;
}

/// "lps" of "... kAddress = {(&
/// kNeverMade<Params>.NeverMade<Params>::value.Params::lps)}]".
constexpr std::string_view member_name(std::string_view pretty) {
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c < 0;
  };
  std::size_t end = pretty.size();
  while (end > 0 && !in_name(pretty[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && in_name(pretty[begin - 1])) --begin;
  return pretty.substr(begin, end - begin);
}

template <class P>
inline constexpr auto kMemberAddresses =
    with_members(kNeverMade<P>.value, []<class... Ms>(const Ms&... members) {
      return std::tuple(MemberAddress<Ms>{&members}...);
    });

/// The name of member number kIndex of P.
template <class P, std::size_t kIndex>
constexpr std::string_view member_name() {
  using Address = std::tuple_element_t<kIndex, std::remove_const_t<decltype(kMemberAddresses<P>)>>;
  return member_name(pretty_member<Address, std::get<kIndex>(kMemberAddresses<P>)>());
}

/// The names of all members of P.
template <class P>
constexpr auto member_names() {
  return []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return std::array<std::string_view, sizeof...(kIndex)>{member_name<P, kIndex>()...};
  }(std::make_index_sequence<member_count<P>()>());
}

}  // namespace anachron::detail
