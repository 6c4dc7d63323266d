#include "run/html/page.hpp"

#include <fmt/format.h>

#include "run/plot/formats/escaped.hpp"

namespace anachron::html {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1d2328; --faint: #5b6670; --line: #d5dbe0; --ground: #ffffff; --field: #f3f5f7; --accent: #0b6e8a; }
@media (prefers-color-scheme: dark) { :root { --text: #e6eaed; --faint: #a3adb5; --line: #3a434a; --ground: #15191c; --field: #1f2529; --accent: #5cc3df; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.2rem 3rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.6rem; margin: .6rem 0 .2rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; border-bottom: 1px solid var(--line); }
p.lead { color: var(--faint); margin-top: 0; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--faint); padding-bottom: .2rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: normal; color: var(--faint); width: 35%; }
table.wide th { width: auto; }
table.wide td { text-align: right; font-variant-numeric: tabular-nums; }
div.scroll { overflow-x: auto; }
pre { background: var(--field); padding: .8rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 1rem 0; background: #ffffff; border: 1px solid var(--line); padding: .4rem; break-inside: avoid; }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
details { margin: .8rem 0; }
summary { cursor: pointer; color: var(--accent); }
summary:focus-visible { outline: 2px solid var(--accent); }
td.bar { width: 32%; }
div.bar { display: flex; height: 1.2rem; min-width: 8rem; }
div.bar span { display: block; height: 100%; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
ul.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; }
ul.legend i { display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem; vertical-align: -.1rem; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media (max-width: 32rem) { th { width: 48%; } }
@media print { body { max-width: none; } details { display: none; } }
)";

}  // namespace

Page::Page(std::string_view title) : title_(escaped(title)) {}

void Page::section(std::string_view heading) { body_ += fmt::format("<h2>{}</h2>\n", escaped(heading)); }

void Page::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", escaped(text)); }

void Page::list(const std::vector<std::string>& items) {
  body_ += "<ul>\n";
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", escaped(item));
  body_ += "</ul>\n";
}

void Page::table(std::string_view caption, const Rows& rows) {
  body_ += fmt::format("<table>\n<caption>{}</caption>\n", escaped(caption));
  for (const auto& [name, value] : rows)
    body_ += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name), escaped(value));
  body_ += "</table>\n";
}

void Page::code(std::string_view text) { body_ += fmt::format("<pre>{}</pre>\n", escaped(text)); }

void Page::picture(std::string_view title, std::string_view svg) {
  const std::size_t begin = svg.find("<svg");  // without what comes before it in a file
  body_ += fmt::format("<figure role=\"img\" aria-label=\"{}\">\n{}</figure>\n", escaped(title),
                       begin == std::string_view::npos ? "" : svg.substr(begin));
}

void Page::begin_details(std::string_view summary) {
  body_ += fmt::format("<details>\n<summary>{}</summary>\n", escaped(summary));
}

void Page::end_details() { body_ += "</details>\n"; }

std::string Page::str() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}</body>\n</html>\n",
      title_, kStyle, title_, body_);
}

}  // namespace anachron::html
