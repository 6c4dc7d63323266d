// A page that needs nothing but a browser: no script, no network, light and dark, on a phone and on paper.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace anachron::html {

using Rows = std::vector<std::pair<std::string, std::string>>;

/// What is added stands below what was. All texts are escaped but those that are called HTML.
class Page {
 public:
  explicit Page(std::string_view title);

  void section(std::string_view heading);
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& items);
  /// A table of names and values, with `caption` for who cannot see it.
  void table(std::string_view caption, const Rows& rows);
  void code(std::string_view text);
  /// `svg`: a whole document.
  void picture(std::string_view title, std::string_view svg);
  void add(std::string_view html) { body_ += html; }
  /// What comes until `end_details` is folded.
  void begin_details(std::string_view summary);
  void end_details();

  /// The whole document.
  std::string str() const;

 private:
  std::string title_, body_;
};

}  // namespace anachron::html
