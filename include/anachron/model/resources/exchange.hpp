// Requests that bring and requests that fetch: two lines, each served in the order of arrival.
#pragma once

#include <cstddef>
#include <utility>

#include <anachron/model/context.hpp>
#include <anachron/model/equal.hpp>
#include <anachron/model/resources/line.hpp>
#include <anachron/model/resources/token.hpp>

namespace anachron::detail {

/// A request that waits, with the event that tells that it was served.
template <class What, class Event>
struct Asked {
  Token token = Token::none;
  What what;
  Event event;

  friend bool operator==(const Asked& a, const Asked& b)
    requires HasEqualValues<What> && HasEqualValues<Event>
  {
    return a.token == b.token && equal_values(a.what, b.what) && equal_values(a.event, b.event);
  }
};

/// What a container and a store have in common.
template <class Brought, class Put, class Wanted, class Get>
class Exchange {
 public:
  Token put(Brought what, Put event) { return add(puts_, std::move(what), std::move(event)); }
  Token get(Wanted what, Get event) { return add(gets_, std::move(what), std::move(event)); }
  /// Returns whether the request was in one of the lines.
  bool remove(Token token) { return remove(puts_, token) || remove(gets_, token); }
  std::size_t puts() const { return puts_.size(); }
  std::size_t gets() const { return gets_.size(); }

  /// Serves the first requests of both lines, as long as one can be: what is brought may be what is waited
  /// for, and the other way round. `serve_put` and `serve_get` return whether they have served a request.
  template <class Lp>
  void deal(Context<Lp>& cx, auto serve_put, auto serve_get) {
    while (serve_first(cx, puts_, serve_put) || serve_first(cx, gets_, serve_get)) continue;
  }

  template <class Archive>
    requires Encodable<Line<Asked<Brought, Put>>> && Encodable<Line<Asked<Wanted, Get>>>
  void serialize(Archive& ar) {
    ar(tokens_, puts_, gets_);
  }
  friend bool operator==(const Exchange&, const Exchange&) = default;

 private:
  template <class What, class Event>
  Token add(Line<Asked<What, Event>>& line, What what, Event event) {
    const Token token = tokens_.next();
    if constexpr (HasToken<Event>) event.token = token;
    line.add({token, std::move(what), std::move(event)});
    return token;
  }
  template <class T>
  static bool remove(Line<T>& line, Token token) {
    const auto at = line.find(token);
    if (at) line.take(*at);
    return at.has_value();
  }
  template <class Lp, class T>
  static bool serve_first(Context<Lp>& cx, Line<T>& line, auto& serve) {
    if (line.empty() || !serve(line.front())) return false;
    tell(cx, line.take().event);
    return true;
  }

  Tokens tokens_;
  Line<Asked<Brought, Put>> puts_;
  Line<Asked<Wanted, Get>> gets_;
};

}  // namespace anachron::detail
