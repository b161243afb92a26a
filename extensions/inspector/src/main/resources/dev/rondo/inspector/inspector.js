'use strict';

// The page of Rondo's inspector. It only reads; all text goes into the page as text, never as markup.

const REFRESH_MILLIS = 1000;
const REST = 4; // pause between two refreshes, in durations of the last one, so the page asks for at most a fifth of the time
const PAGE_ROWS = 100;
const MOST_CYCLES = 5;
const MOST_OF_A_CYCLE = 10;
const MOST_DRAWN = 40;
const MOST_DRAWN_OF_A_TASK = 5; // waits for the same task
const VIEW = '#view='; // not the id of an element, which the browser would scroll to
const SVG = 'http://www.w3.org/2000/svg';

const byId = id => document.getElementById(id);
const state = {view: 'tasks', loop: null, from: 0, pages: [], next: -1, socketsFrom: 0, socketsNext: -1, socketsPage: 1,
  waitsFrom: 0, waitsNext: -1, timersAfter: '', timersNext: '', timersPage: 1, selected: null, paused: false,
  sort: null, descending: false, rows: [], before: new Map()};

// Building the page.

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) {
    made.textContent = text;
  }
  if (className) {
    made.className = className;
  }
  return made;
}

function drawn(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

function row(cells) {
  const made = element('tr');
  for (const [text, className] of cells) {
    made.append(element('td', text, className));
  }
  return made;
}

function count(number) {
  return number === undefined || number === null ? '' : Math.round(number).toLocaleString('en');
}

function duration(millis) {
  if (millis === undefined || millis === null) {
    return '';
  }
  if (millis === 0) {
    return '0';
  }
  if (millis < 1) {
    return (millis * 1000).toFixed(millis < 0.01 ? 1 : 0) + ' us';
  }
  if (millis < 1000) {
    return millis.toFixed(millis < 10 ? 2 : 1) + ' ms';
  }
  const seconds = millis / 1000;
  if (seconds < 60) {
    return seconds.toFixed(1) + ' s';
  }
  if (seconds < 3600) {
    return Math.floor(seconds / 60) + ' min ' + Math.floor(seconds % 60) + ' s';
  }
  return Math.floor(seconds / 3600) + ' h ' + Math.floor(seconds % 3600 / 60) + ' min';
}

function bytes(number) {
  if (!number) {
    return number === 0 ? '0 B' : '';
  }
  const power = Math.min(4, Math.floor(Math.log10(number) / 3));
  return (number / 1000 ** power).toFixed(power === 0 ? 0 : 1) + ' ' + ['B', 'kB', 'MB', 'GB', 'TB'][power];
}

async function ask(path, parameters) {
  const query = parameters ? '?' + new URLSearchParams(parameters) : '';
  const answer = await fetch(path + query, {cache: 'no-store'});
  if (!answer.ok) {
    throw new Error((await answer.text()).trim());
  }
  return answer.json();
}

// Loops.

function turnRate(loop, now) {
  const last = state.before.get(loop.number);
  state.before.set(loop.number, {turns: loop.turns, at: now});
  return last && now > last.at ? (loop.turns - last.turns) * 1000 / (now - last.at) : null;
}

async function showLoops() {
  const answer = await ask('api/loops');
  byId('process').textContent = 'process ' + answer.pid + ', Java ' + answer.java;
  const now = performance.now();
  if (!answer.loops.some(loop => loop.number === state.loop)) {
    selectLoop(answer.loops.length ? answer.loops[0].number : null);
  }
  const silent = [];
  const rows = answer.loops.map(loop => {
    if (loop.noAnswer) {
      silent.push(loop.name + '\n' + loop.noAnswer);
    }
    const made = row([[loop.name], [loop.backend], [count(loop.alive), 'n'], [count(loop.ready), 'n'],
      [count(turnRate(loop, now)), 'n'], [loop.noAnswer ? 'no answer' : duration(loop.lag), loop.noAnswer ? 'n stuck' : 'n'],
      [count(loop.timers), 'n'], [duration(loop.nextTimer), 'n'], [count(loop.sockets), 'n'],
      [bytes(loop.bytesReceived), 'n'], [bytes(loop.bytesSent), 'n']]);
    pickable(made, loop.number === state.loop, () => {
      selectLoop(loop.number);
      refresh();
    });
    return made;
  });
  document.querySelector('#loops tbody').replaceChildren(...rows);
  byId('silent').hidden = silent.length === 0;
  byId('silent').textContent = silent.join('\n');
}

function selectLoop(number) {
  if (state.loop !== number) {
    state.loop = number;
    state.selected = null;
    firstPage();
  }
}

function pickable(line, selected, action) {
  line.className = (line.className + ' pick').trim();
  line.tabIndex = 0;
  line.setAttribute('aria-selected', selected);
  line.addEventListener('click', action);
  line.addEventListener('keydown', event => {
    if (event.key === 'Enter') {
      action();
    }
  });
}

// Tasks.

function firstPage() {
  state.from = 0;
  state.pages = [];
  firstSockets();
  firstTimers();
}

function firstSockets() {
  state.socketsFrom = 0;
  state.socketsPage = 1;
}

function firstTimers() {
  state.timersAfter = '';
  state.timersPage = 1;
}

// "1 to 100", and whether there are pages before and after.
function showPlace(name, from, shown, hasNext) {
  byId('first' + name).disabled = from === 0;
  byId('next' + name).disabled = !hasNext;
  byId(name.toLowerCase() + 'Page').textContent = shown === 0 ? '' : count(from + 1) + ' to ' + count(from + shown);
}

async function showTasks() {
  const answer = await ask('api/tasks', {loop: state.loop, from: state.from, most: PAGE_ROWS,
    text: byId('text').value, state: byId('state').value});
  state.next = answer.next;
  state.rows = answer.rows;
  byId('next').disabled = answer.next < 0;
  byId('first').disabled = state.from === 0;
  byId('page').textContent = 'page ' + (state.pages.length + 1) + ': ' + count(answer.rows.length) + ' of '
    + count(answer.visited) + ' tasks looked at' + (answer.next < 0 ? ', the last page' : '');
  drawRows();
  await showDetail();
}

function drawRows() {
  const rows = [...state.rows];
  if (state.sort) {
    const sign = state.descending ? -1 : 1;
    const key = state.sort;
    rows.sort((a, b) => {
      const left = a[key] ?? '';
      const right = b[key] ?? '';
      return sign * (left < right ? -1 : left > right ? 1 : 0);
    });
  }
  const lines = rows.map(task => {
    const line = row([[task.id, 'n'], [task.name + (task.daemon ? ' (daemon)' : '')], [task.state, 'state-' + task.state],
      [task.waitingFor], [duration(task.since), 'n'], [count(task.turns), 'n'], [duration(task.time), 'n'],
      [duration(task.longest), 'n'], [task.parent === undefined ? '' : '#' + task.parent, 'n']]);
    if (task.holder) {
      line.children[3].append(element('span', ' held by ' + task.holder, 'held'));
    }
    pickable(line, state.selected !== null && state.selected.id === task.id, () => {
      state.selected = {id: task.id, slot: task.slot};
      drawRows();
      showDetail();
    });
    return line;
  });
  document.querySelector('#rows tbody').replaceChildren(...lines);
  for (const head of document.querySelectorAll('th[data-key]')) {
    head.setAttribute('aria-sort', head.dataset.key !== state.sort ? 'none' : state.descending ? 'descending' : 'ascending');
  }
}

async function showDetail() {
  const selected = state.selected;
  byId('detail').hidden = selected === null;
  if (selected === null) {
    return;
  }
  const task = await ask('api/task', {loop: state.loop, slot: selected.slot, id: selected.id});
  const detail = byId('detail');
  detail.querySelector('h2').textContent = task.found ? '#' + task.id + ' ' + task.name : '#' + selected.id + ' has ended';
  detail.querySelector('pre').textContent = !task.found ? '' : task.stack.length ? task.stack.join('\n') : 'no frames of its own';
}

// Waits.

function label(task) {
  return '#' + task.id + ' ' + task.name + (task.loop === state.loop ? '' : ' (loop ' + task.loop + ')');
}

async function showWaits() {
  const answer = await ask('api/waits', {from: state.waitsFrom, most: PAGE_ROWS});
  if (answer.shown.length === 0 && state.waitsFrom > 0) {
    state.waitsFrom = 0; // the waits of this page have ended
    return showWaits();
  }
  state.waitsNext = answer.next;
  showPlace('Waits', state.waitsFrom, answer.shown.length, answer.next >= 0);
  byId('summary').textContent = count(answer.waits) + ' waits for other tasks, of all loops; ' + count(answer.stuck)
    + ' never end by themselves' + (answer.listed < answer.waits ? '; ' + count(answer.listed) + ' are listed' : '')
    + (answer.cyclesMayBeMissing ? '; there are too many to find every deadlock' : '')
    + (answer.silent.length ? '; no answer from ' + answer.silent.join(', ') : '') + '.';
  const cycles = answer.cycles.slice(0, MOST_CYCLES).map(cycle => element('li', 'Deadlock: ' + cycleText(cycle)));
  if (answer.cycleCount > cycles.length) {
    cycles.push(element('li', 'and ' + count(answer.cycleCount - cycles.length) + ' more deadlocks'));
  }
  byId('cycles').replaceChildren(...cycles);
  const waits = toDraw(answer.shown);
  byId('graph').replaceChildren(...graph(waits), ...(waits.length < answer.waits
    ? [element('p', count(waits.length) + ' of ' + count(answer.waits) + ' waits are drawn.')] : []));
  document.querySelector('#edges tbody').replaceChildren(...answer.shown.map(wait => {
    const line = row([[label(wait.waiter)], [wait.waitingFor],
      [wait.holders.map(label).join(wait.all ? ' and ' : ' or ')], [duration(wait.since), 'n'],
      [wait.cycle ? 'deadlock' : wait.stuck ? 'stuck' : '', wait.stuck ? 'stuck' : '']]);
    if (wait.stuck) {
      line.className = 'stuckrow';
    }
    return line;
  }));
}

function cycleText(cycle) {
  const more = cycle.length - MOST_OF_A_CYCLE;
  const tasks = cycle.slice(0, more > 1 ? MOST_OF_A_CYCLE : cycle.length).map(label);
  return [...tasks, ...(more > 1 ? [count(more) + ' more'] : []), label(cycle[0])].join('  →  ');
}

// Selects all deadlocked waits, and some of many waits for the same task.
function toDraw(waits) {
  const drawnOf = new Map();
  return waits.filter(wait => {
    const holder = wait.holders[0].loop + '/' + wait.holders[0].id;
    const before = drawnOf.get(holder) ?? 0;
    drawnOf.set(holder, before + 1);
    return wait.cycle || before < MOST_DRAWN_OF_A_TASK;
  }).slice(0, MOST_DRAWN);
}

// A task is drawn to the left of the tasks that it waits for. An edge to the left closes a cycle.
function graph(waits) {
  if (!waits.length) {
    return [];
  }
  const key = task => task.loop + '/' + task.id;
  const nodes = new Map();
  const node = task => {
    if (!nodes.has(key(task))) {
      nodes.set(key(task), {task, out: [], column: -1, stuck: false});
    }
    return nodes.get(key(task));
  };
  const edges = [];
  for (const wait of waits) {
    const from = node(wait.waiter);
    from.stuck = wait.stuck;
    for (const holder of wait.holders.slice(0, 8)) {
      const edge = {from, to: node(holder), wait};
      from.out.push(edge);
      edges.push(edge);
    }
  }
  const isAwaited = new Set(edges.map(edge => edge.to));
  const place = (first, column) => {
    const open = [[first, column]];
    while (open.length) {
      const [at, to] = open.shift();
      if (at.column < 0) {
        at.column = to;
        at.out.forEach(edge => open.push([edge.to, to + 1]));
      }
    }
  };
  [...nodes.values()].filter(each => !isAwaited.has(each)).forEach(each => place(each, 0));
  [...nodes.values()].forEach(each => place(each, 0));
  const width = 230;
  const height = 28;
  const rows = [];
  for (const each of nodes.values()) {
    rows[each.column] = (rows[each.column] ?? -1) + 1;
    each.x = 10 + each.column * (width + 80);
    each.y = 24 + rows[each.column] * (height + 26);
  }
  const right = Math.max(...[...nodes.values()].map(each => each.x)) + width + 10;
  const low = Math.max(...[...nodes.values()].map(each => each.y)) + height + 40;
  const picture = drawn('svg', {width: right, height: low, viewBox: `0 0 ${right} ${low}`, role: 'img',
    'aria-label': 'which task waits for which'});
  for (const name of ['gray', 'red']) {
    const marker = drawn('marker', {id: 'arrow-' + name, class: name, viewBox: '0 0 10 10', refX: 9, refY: 5,
      markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse'});
    marker.append(drawn('path', {d: 'M0 0L10 5L0 10z'}));
    picture.append(marker);
  }
  for (const {from, to, wait} of edges) {
    const ahead = to.x > from.x;
    const a = {x: from.x + (ahead ? width : width / 2), y: from.y + (ahead ? height / 2 : height)};
    const b = {x: to.x + (ahead ? 0 : width / 2), y: to.y + (ahead ? height / 2 : height)};
    const bend = ahead ? 40 : 34;
    const path = ahead
      ? `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`
      : `M${a.x} ${a.y}C${a.x} ${a.y + bend} ${b.x} ${b.y + bend} ${b.x} ${b.y}`;
    const line = drawn('path', {d: path, class: (wait.cycle ? 'stuckedge' : '') + (wait.held ? '' : ' loose'),
      'marker-end': wait.cycle ? 'url(#arrow-red)' : 'url(#arrow-gray)'});
    line.append(drawn('title', {}, wait.waitingFor));
    picture.append(line);
  }
  for (const each of nodes.values()) {
    const text = label(each.task);
    const group = drawn('g', {});
    group.append(drawn('title', {}, text));
    group.append(drawn('rect', {x: each.x, y: each.y, width, height, rx: 5, class: each.stuck ? 'stuckbox' : ''}));
    group.append(drawn('text', {x: each.x + 9, y: each.y + 18}, text.length > 34 ? text.slice(0, 33) + '…' : text));
    picture.append(group);
  }
  return [picture];
}

// Timers and sockets.

async function showTimers() {
  const answer = await ask('api/timers', {loop: state.loop, after: state.timersAfter, most: PAGE_ROWS});
  const section = byId('timers');
  if (!answer.noAnswer && answer.shown.length === 0 && state.timersAfter) {
    firstTimers(); // the timers of this page have fired
    return showTimers();
  }
  state.timersNext = answer.next ?? '';
  byId('firstTimers').disabled = !state.timersAfter;
  byId('nextTimers').disabled = !state.timersNext;
  byId('timersPage').textContent = answer.shown.length ? 'page ' + state.timersPage : '';
  section.querySelector('p').textContent = answer.noAnswer ? 'The loop gives no answer.'
    : count(answer.armed) + ' timers are armed, the next first.';
  section.querySelector('tbody').replaceChildren(...answer.shown.map(timer =>
    row([[duration(timer.dueIn), 'n'], [timer.what]])));
}

async function showSockets() {
  const answer = await ask('api/sockets', {loop: state.loop, from: state.socketsFrom, most: PAGE_ROWS});
  const section = byId('sockets');
  if (!answer.noAnswer && answer.shown.length === 0 && state.socketsFrom > 0) {
    firstSockets(); // the sockets of this page are closed
    return showSockets();
  }
  state.socketsNext = answer.next;
  byId('firstSockets').disabled = state.socketsFrom === 0;
  byId('nextSockets').disabled = answer.next < 0;
  byId('socketsPage').textContent = answer.shown.length ? 'page ' + state.socketsPage : '';
  section.querySelector('p').textContent = answer.noAnswer ? 'The loop gives no answer.'
    : count(answer.open) + ' open sockets, listeners and pipes.';
  section.querySelector('tbody').replaceChildren(...answer.shown.map(channel =>
    row([[channel.name], [channel.waits.join(', ')]])));
}

// Refreshing.

const views = {tasks: showTasks, waits: showWaits, timers: showTimers, sockets: showSockets};
let running = false;
let again = false;
let ended = 0; // when the last refresh had its answers
let took = 0;

async function refresh() {
  if (running) {
    again = true;
    return;
  }
  running = true;
  do {
    again = false;
    const begun = performance.now();
    try {
      await showLoops();
      if (state.loop !== null) {
        await views[state.view]();
      }
      status(state.paused ? 'paused' : '', false);
    } catch (failure) {
      status(failure instanceof TypeError ? 'the application does not answer' : failure.message, true);
    }
    ended = performance.now();
    took = ended - begun;
  } while (again);
  running = false;
}

function status(text, bad) {
  byId('status').textContent = text;
  byId('status').className = bad ? 'bad' : '';
}

function selectView() {
  const wanted = location.hash.replace(VIEW, '');
  state.view = Object.hasOwn(views, wanted) ? wanted : 'tasks';
  for (const button of document.querySelectorAll('nav button')) {
    button.toggleAttribute('aria-current', button.dataset.view === state.view);
    byId(button.dataset.view).hidden = button.dataset.view !== state.view;
  }
  refresh();
}

for (const button of document.querySelectorAll('nav button')) {
  button.addEventListener('click', () => {
    location.hash = VIEW + button.dataset.view;
  });
}
for (const head of document.querySelectorAll('th[data-key]')) {
  head.addEventListener('click', () => {
    state.descending = state.sort === head.dataset.key && !state.descending;
    state.sort = head.dataset.key;
    drawRows();
  });
}
byId('filter').addEventListener('submit', event => event.preventDefault());
for (const id of ['text', 'state']) {
  byId(id).addEventListener('input', () => {
    firstPage();
    refresh();
  });
}
byId('next').addEventListener('click', () => {
  if (state.next >= 0) {
    state.pages.push(state.from);
    state.from = state.next;
    refresh();
  }
});
byId('first').addEventListener('click', () => {
  firstPage();
  refresh();
});
byId('nextSockets').addEventListener('click', () => {
  if (state.socketsNext >= 0) {
    state.socketsFrom = state.socketsNext;
    state.socketsPage++;
    refresh();
  }
});
byId('firstSockets').addEventListener('click', () => {
  firstSockets();
  refresh();
});
byId('nextWaits').addEventListener('click', () => {
  if (state.waitsNext >= 0) {
    state.waitsFrom = state.waitsNext;
    refresh();
  }
});
byId('firstWaits').addEventListener('click', () => {
  state.waitsFrom = 0;
  refresh();
});
byId('nextTimers').addEventListener('click', () => {
  if (state.timersNext) {
    state.timersAfter = state.timersNext;
    state.timersPage++;
    refresh();
  }
});
byId('firstTimers').addEventListener('click', () => {
  firstTimers();
  refresh();
});
byId('pause').addEventListener('click', () => {
  state.paused = !state.paused;
  byId('pause').textContent = state.paused ? 'Resume' : 'Pause';
  status(state.paused ? 'paused' : '', false);
});
window.addEventListener('hashchange', selectView);
selectView();
setInterval(() => {
  const isTooSoon = running || performance.now() - ended < took * REST;
  if (!state.paused && !document.hidden && !isTooSoon) {
    refresh();
  }
}, REFRESH_MILLIS);
