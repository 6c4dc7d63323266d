#include "run/options/config_file.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/suggest.hpp>
#include <anachron/base/text.hpp>

#include "run/files/read_text.hpp"

namespace anachron {

namespace {

constexpr std::size_t kMostDots = 4000;

// The parser bounds how deep values are nested, but not keys, and tables are destroyed recursively: a key of
// 50,000 parts would overflow the stack. No level of those comes without a dot.
void check_depth(const std::string& path, std::string_view text) {
  std::size_t line = 1, dots = 0;
  for (const char c : text) {
    line += c == '\n';
    dots += c == '.';
    if (dots > kMostDots)
      throw InputError(
          fmt::format("{}:{}: more than {} dots: expected keys of one part", path, line, kMostDots));
  }
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  ConfigFile read() const {
    const std::string file = read_text("config", path_);
    const std::string_view text = without_byte_order_mark(file, path_);
    check_depth(path_, text);
    toml::table root;
    try {
      root = toml::parse(text, path_);
    } catch (const toml::parse_error& error) {
      throw InputError(fmt::format("{}: {}", where(error.source()), error.description()));
    }
    ConfigFile out;
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      if (const toml::table* const table = node.as_table())
        out.tables.push_back(read_table(name, *table));
      else if (name == "model")
        out.model = read_model(node);
      else
        out.engine.push_back(read_setting(name, node));
    }
    return out;
  }

 private:
  std::string where(const toml::source_region& source) const {
    return fmt::format("{}:{}", path_, source.begin.line);
  }

  ConfigTable read_table(const std::string& name, const toml::table& table) const {
    ConfigTable out{name, where(table.source()), {}};
    for (const auto& [key, node] : table) out.settings.push_back(read_setting(std::string(key.str()), node));
    return out;
  }

  Setting read_model(const toml::node& node) const {
    Setting out = read_setting("model", node);
    if (out.kind != Setting::Kind::text)
      throw InputError(fmt::format("{}: model: '{}' is not valid: expected a model's name in quotes",
                                   out.where, out.text));
    return out;
  }

  Setting read_setting(const std::string& name, const toml::node& node) const {
    Setting out{name, {}, Setting::Kind::text, where(node.source())};
    if (const auto* const text = node.as_string()) {
      out.text = text->get();
    } else if (const auto* const boolean = node.as_boolean()) {
      out.kind = Setting::Kind::boolean;
      out.text = format_value(boolean->get());
    } else if (const auto* const integer = node.as_integer()) {
      out.kind = Setting::Kind::number;
      out.text = format_value(integer->get());
    } else if (const auto* const real = node.as_floating_point()) {
      out.kind = Setting::Kind::number;
      out.text = format_real(real->get());
    } else {
      std::ostringstream type;
      type << node.type();
      throw InputError(
          fmt::format("{}: {}: a value of type {} is not valid: expected a text, a number, true or false",
                      out.where, name, type.str()));
    }
    return out;
  }

  const std::string& path_;
};

}  // namespace

ConfigFile read_config_file(const std::string& path) { return Reader(path).read(); }

void apply(std::span<const Setting> settings, std::span<const Option> options, const std::string& what) {
  for (const Setting& setting : settings) {
    const auto option =
        std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == setting.name; });
    if (option == options.end()) {
      std::vector<std::string> names;
      for (const Option& known : options) names.push_back(known.name);
      throw InputError(fmt::format("{}: '{}' is no {}{} (valid: {})", setting.where, setting.name, what,
                                   did_you_mean(setting.name, names), fmt::join(names, ", ")));
    }
    const bool is_bare = option->may_be_bare && setting.text == "true";
    if (!is_bare && option->is_switch() != (setting.kind == Setting::Kind::boolean))
      throw InputError(
          fmt::format("{}: {}: '{}' is not valid: expected {}", setting.where, setting.name, setting.text,
                      option->is_switch() ? "true or false" : "a value such as " + option->hint));
    try {
      option->set(setting.text);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", setting.where, error.what()));
    }
  }
}

}  // namespace anachron
