#!/usr/bin/env bash
# Usage: pages.sh [PROGRAM]
# A report that is a page is shown by a browser without an error: what it says is there, on a wide window and on a narrow one.
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

expect 0 run pcs --grid 12x8 --until 100 --sync optimistic --workers 2 --mapping fixed --quiet --report run.html --profile-lps 3
expect 0 run phold --lps 64 --until 10 --sync sequential --quiet --report alone.html
refused "--report: 'x.html' is not valid: expected a file for JSON with --replications" \
  run phold --lps 64 --until 10 --replications 2 --report x.html
for page in run.html alone.html; do
  ! grep -oE '(src|href)="[^"]{0,40}' "$page" | grep -v '"data:' || fail "$page: it needs another file"
done

browser=
for name in chromium-headless-shell chromium google-chrome chrome; do
  command -v "$name" >/dev/null && browser=$name && break
done
if [[ ! $browser ]]; then
  ((failures)) && finish
  echo 'skipped the rest: no Chromium'
  exit 77
fi
# shown PAGE WIDTH: what the page is to a browser, in `dom`.
shown() {
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --window-size="$2,1200" --enable-logging=stderr \
    --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/$1" >dom 2>log || fail "$1: the browser fails: $(tail -n 3 log)"
  ! grep -q 'CONSOLE' log || fail "$1: the browser complains: $(grep -m 3 CONSOLE log)"
}
for width in 1200 360; do
  what="a page $width wide"
  shown run.html "$width"
  for text in '<h1>A run of pcs</h1>' 'What the model found' 'blocked_fraction' 'Why it was fast or slow' 'Where the time went' 'PE 1' \
    'How to repeat it' '--grid 12x8' 'Busy channels of each cell'; do
    grep -qF -- "$text" dom || fail "$what: no '$text'"
  done
  (($(grep -c '<svg' dom) >= 6)) || fail "$what: pictures are missing"
done
what='a page of a sequential run'
shown alone.html 1200
grep -qF 'One worker executed the events one after the other' dom || fail "$what: it does not say how"
finish
