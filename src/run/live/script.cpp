// The script of the live view's page. It asks for /events, draws what comes, and sends what buttons are for.
#include "run/live/page.hpp"

namespace anachron::live {

constexpr std::string_view kScript = R"JS(
'use strict';
const token = new URLSearchParams(location.search).get('token') || '';
const byId = id => document.getElementById(id);
const [WALL, GVT, HORIZON, COMMITTED, EXECUTED, WORKERS, MEMORY] = [0, 1, 2, 3, 4, 5, 6];
let rows = [], now = null, ending = '', sent = '';

function short(x) {
  if (x === null) return 'no bound';
  const a = Math.abs(x);
  if (a !== 0 && (a < 1e-3 || a >= 1e15)) return x.toExponential(2);
  for (const [from, size, unit] of [[1e12, 1e12, ' T'], [1e9, 1e9, ' G'], [1e6, 1e6, ' M'], [1e4, 1e3, ' k']])
    if (a >= from) return +(x / size).toPrecision(4) + unit;
  return String(+x.toPrecision(4));
}
const plain = x => x === null ? 'no bound' : String(+x.toPrecision(6));
function bytes(x) {
  for (const [size, unit] of [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB']])
    if (x >= size) return +(x / size).toPrecision(3) + ' ' + unit;
  return x + ' B';
}
const percent = x => x.toFixed(1) + '%';
const efficiency = row => row[EXECUTED] ? 100 * row[COMMITTED] / row[EXECUTED] : 100;
function rate(i) {
  if (i === 0) return rows[0][WALL] > 0 ? rows[0][COMMITTED] / rows[0][WALL] : 0;
  return (rows[i][COMMITTED] - rows[i - 1][COMMITTED]) / (rows[i][WALL] - rows[i - 1][WALL]);
}
const charts = [
  {id: 'time', title: 'Simulated time', note: 'GVT (line) and horizon (dashes)',
   lines: [i => rows[i][GVT], i => rows[i][HORIZON]], text: plain},
  {id: 'rate', title: 'Speed', note: 'committed events per second', lines: [rate], zero: true, text: short},
  {id: 'efficiency', title: 'Efficiency so far', note: 'committed of executed events',
   lines: [i => efficiency(rows[i])], text: percent},
  {id: 'workers', title: 'Active workers', note: 'that run processing elements', lines: [i => rows[i][WORKERS]],
   zero: true, text: short},
  {id: 'memory', title: 'Memory', note: 'of LPs, events and histories in this process',
   lines: [i => rows[i][MEMORY]], zero: true, text: bytes}];

function element(name, attributes, text) {
  const out = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in attributes) out.setAttribute(key, attributes[key]);
  if (text !== undefined) out.textContent = text;
  return out;
}
for (const chart of charts) {
  const figure = document.createElement('figure');
  figure.id = 'chart-' + chart.id;
  const heading = document.createElement('h2'), note = document.createElement('figcaption');
  heading.textContent = chart.title;
  note.textContent = chart.note + ', over seconds of wall time';
  chart.svg = element('svg', {role: 'img', 'aria-label': chart.title});
  figure.append(heading, chart.svg, note);
  byId('charts').append(figure);
}

function range(chart) {
  let low = chart.zero ? 0 : Infinity, high = -Infinity;
  for (let i = 0; i < rows.length; ++i)
    for (const line of chart.lines) {
      const y = line(i);
      if (y === null || !Number.isFinite(y)) continue;
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
  if (!(high >= low)) return [0, 1];
  return high > low ? [low, high] : [chart.zero ? 0 : low - 1, high + 1];
}
function draw(chart) {
  const svg = chart.svg, width = svg.clientWidth || 400, height = svg.clientHeight || 190;
  const left = 66, right = width - 8, top = 8, bottom = height - 20;
  const [low, high] = range(chart), first = rows[0][WALL], last = rows[rows.length - 1][WALL];
  const x = t => left + (right - left) * (last > first ? (t - first) / (last - first) : 0);
  const y = v => bottom - (bottom - top) * (v - low) / (high - low);
  const parts = [];
  for (const share of [0, 0.5, 1]) {
    const value = low + share * (high - low), at = y(value);
    parts.push(element('line', {class: 'grid', x1: left, x2: right, y1: at, y2: at}));
    parts.push(element('text', {x: left - 6, y: at + 4, 'text-anchor': 'end'}, chart.text(value)));
  }
  parts.push(element('text', {x: left, y: height - 4}, first.toFixed(1) + ' s'));
  parts.push(element('text', {x: right, y: height - 4, 'text-anchor': 'end'}, last.toFixed(1) + ' s'));
  chart.lines.forEach((line, which) => {
    let path = '', pen = 'M';
    for (let i = 0; i < rows.length; ++i) {
      const value = line(i);
      if (value === null || !Number.isFinite(value)) { pen = 'M'; continue; }
      path += pen + x(rows[i][WALL]).toFixed(1) + ' ' + y(value).toFixed(1);
      pen = 'L';
    }
    if (path) parts.push(element('path', {class: which ? 'second' : 'first', d: path}));
  });
  svg.replaceChildren(...parts);
  const value = chart.lines[0](rows.length - 1);
  svg.setAttribute('aria-label', chart.title + ': ' + chart.text(value) + ' at ' + last.toFixed(1) + ' s');
}

function status(text, faulty) {
  const line = byId('status');
  if (line.textContent !== text) line.textContent = text;  // or a screen reader would say it again
  line.classList.toggle('faulty', !!faulty);
}
function tell() {
  const over = ending !== '';
  byId('pause').textContent = now && now.paused ? 'Go on' : 'Pause';
  for (const id of ['pause', 'end', 'stop'])
    byId(id).disabled = over || !now || sent === 'stop' || (sent === 'end' && id !== 'stop');
  if (over) return status('The run is over: ' + ending + '.');
  if (!now) return;
  if (sent === 'stop') return status('Stopping.');
  if (sent === 'end') return status('Ending at the next GVT.');
  if (now.long_event) return status('Waiting for ' + now.long_event.replace(/, for \d+ s/, '') + '.');
  status(now.paused ? 'Paused.' : 'Running.');
}
function figures() {
  const last = rows.length - 1;
  const shown = {'simulated time': plain(now.gvt) + (now.until === null ? '' : ' of ' + plain(now.until)),
    'committed events': short(now.committed), 'events/s': now.paused || last < 0 ? '–' : short(rate(last)),
    'efficiency': percent(now.executed ? 100 * now.committed / now.executed : 100),
    'active workers': short(now.workers), 'memory': bytes(now.memory), 'wall time': now.wall.toFixed(1) + ' s'};
  byId('figures').replaceChildren(...Object.entries(shown).map(([name, value]) => {
    const pair = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = name;
    dd.textContent = value;
    pair.append(dt, dd);
    return pair;
  }));
  byId('done').hidden = now.until === null;
  if (now.until) byId('done').value = Math.min(1, (now.gvt || 0) / now.until);
}
function pes() {
  byId('pes').replaceChildren(...now.pes.map((time, pe) => {
    const row = document.createElement('tr'), name = document.createElement('th');
    name.scope = 'row';
    name.textContent = pe;
    row.append(name, ...[plain(time), plain(Math.max(0, time - now.gvt))].map(text => {
      const cell = document.createElement('td');
      cell.textContent = text;
      return cell;
    }));
    return row;
  }));
  const left = now.all_pes - now.pes.length;
  byId('more-pes').textContent = left > 0 ? 'There are ' + left + ' more.' : '';
}
function show() {
  tell();
  if (!now) return;
  figures();
  pes();
  if (rows.length) charts.forEach(draw);
}

const events = new EventSource('events?token=' + encodeURIComponent(token));
events.addEventListener('history', e => { rows = JSON.parse(e.data); });
events.addEventListener('now', e => {
  now = JSON.parse(e.data);
  const row = [now.wall, now.gvt, now.horizon, now.committed, now.executed, now.workers, now.memory];
  if (!rows.length || row[WALL] > rows[rows.length - 1][WALL]) rows.push(row);
  if (rows.length > 2048) rows = rows.filter((_, i) => i % 2 === 0);
  show();
});
events.addEventListener('over', e => {
  ending = JSON.parse(e.data).ending;
  events.close();
  show();
});
let errors = 0;  // since the last success; the browser tries again by itself
events.onopen = () => { errors = 0; };
events.onerror = () => {
  if (ending || (sent !== 'stop' && ++errors < 4)) return;
  events.close();
  ending = sent === 'stop' ? 'stopped without a report' : 'the connection is lost';
  tell();
};
addEventListener('resize', () => { if (rows.length) charts.forEach(draw); });

async function post(action) {
  try {
    const answer = await fetch(action, {method: 'POST', headers: {'X-Anachron-Token': token}});
    if (!answer.ok) status('The run refused: ' + await answer.text(), true);
  } catch (error) {
    if (action !== 'stop') status('The run does not answer.', true);
  }
}
byId('pause').onclick = () => post(now.paused ? 'resume' : 'pause');
byId('end').onclick = () => { sent = 'end'; tell(); post('end'); };
let sure = 0;
byId('stop').onclick = () => {
  if (Date.now() - sure < 5000) { sent = 'stop'; tell(); return post('stop'); }
  sure = Date.now();
  byId('stop').textContent = 'Really stop?';
  byId('stop').classList.add('sure');
  byId('stop-help').textContent = 'Press again within 5 s. There will be no report.';
  setTimeout(() => {
    byId('stop').textContent = 'Stop';
    byId('stop').classList.remove('sure');
    byId('stop-help').textContent = 'Ends at once, without a report.';
  }, 5000);
};
)JS";

}  // namespace anachron::live
