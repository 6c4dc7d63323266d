#include "run/live/page.hpp"

#include <fmt/format.h>

#include "run/plot/formats/escaped.hpp"

namespace anachron::live {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1d2328; --faint: #5b6670; --line: #d5dbe0; --ground: #ffffff; --field: #f3f5f7; --accent: #0b6e8a; --second: #b4541a; --danger: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6eaed; --faint: #a3adb5; --line: #3a434a; --ground: #15191c; --field: #1f2529; --accent: #5cc3df; --second: #f0a36b; --danger: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem 1.2rem 3rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.6rem; margin: .6rem 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0 0 .3rem; font-weight: 600; }
#status { margin: .2rem 0 .6rem; min-height: 1.5em; font-variant-numeric: tabular-nums; }
#status.faulty { color: var(--danger); }
progress { width: 100%; height: .8rem; accent-color: var(--accent); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin: .8rem 0; }
dl div { background: var(--field); padding: .4rem .7rem; border-radius: .3rem; }
dt { color: var(--faint); font-size: .85rem; }
dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.buttons { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; margin: 1rem 0; }
.buttons p { margin: .2rem 0 0; color: var(--faint); font-size: .85rem; }
button { width: 100%; min-height: 2.75rem; font: inherit; color: var(--text); background: var(--field); border: 1px solid var(--faint); border-radius: .3rem; cursor: pointer; }
button:hover:enabled { border-color: var(--accent); }
button:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button:disabled { opacity: .5; cursor: default; }
button.sure { color: var(--danger); border-color: var(--danger); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
figure { margin: 0; border: 1px solid var(--line); border-radius: .3rem; padding: .6rem .7rem; }
figure svg { display: block; width: 100%; height: 12rem; }
svg text { fill: var(--faint); font-size: 12px; }
svg .grid { stroke: var(--line); }
svg .first, svg .second { fill: none; stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
svg .first { stroke: var(--accent); }
svg .second { stroke: var(--second); stroke-dasharray: 6 4; }
figcaption { color: var(--faint); font-size: .85rem; }
details { margin: 1.2rem 0; }
summary { cursor: pointer; color: var(--accent); }
table { border-collapse: collapse; width: 100%; max-width: 40rem; }
th, td { text-align: right; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; font-weight: normal; }
th:first-child { text-align: left; }
noscript { color: var(--danger); }
)";

constexpr std::string_view kBody = R"(<p id="status" role="status" aria-live="polite">connecting</p>
<progress id="done" max="1" value="0" aria-label="simulated time, of the end time" hidden></progress>
<noscript><p>The charts and the buttons need JavaScript, which this browser has switched off.</p></noscript>
<div class="buttons">
<div><button id="pause" type="button" disabled>Pause</button><p id="pause-help">All workers stand still until they are to go on.</p></div>
<div><button id="end" type="button" aria-describedby="end-help" disabled>Commit and end</button><p id="end-help">Ends at the next GVT, with a valid report, as Ctrl-C does.</p></div>
<div><button id="stop" type="button" aria-describedby="stop-help" disabled>Stop</button><p id="stop-help">Ends at once, without a report.</p></div>
</div>
<dl id="figures"></dl>
<div class="charts" id="charts"></div>
<details><summary>Simulated time of each processing element</summary>
<p>The time of its last event. What is ahead of GVT may yet be undone.</p>
<table><thead><tr><th scope="col">PE</th><th scope="col">time</th><th scope="col">ahead of GVT</th></tr></thead><tbody id="pes"></tbody></table>
<p id="more-pes"></p>
</details>
)";

}  // namespace

std::string page(std::string_view model) {
  const std::string title = escaped("A run of " + std::string(model));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n"
      "<body>\n<h1>{0}</h1>\n{2}<script>{3}</script>\n</body>\n</html>\n",
      title, kStyle, kBody, kScript);
}

}  // namespace anachron::live
