// The live page: the list of all runs, the figures of the selected one, and the buttons that start,
// stop and resume trainings. Names of runs and worlds are written as text, never as markup.
'use strict';
(() => {
  const state = JSON.parse(document.getElementById('state').textContent);
  const token = new URLSearchParams(location.search).get('token');
  const at = (id) => document.getElementById(id);
  const runs = new Map(state.runs.map((run) => [run.name, run]));
  const mostRows = 200;

  // ---- requests

  const request = async (path, options = {}) => {
    const answer = await fetch(`${path}${path.includes('?') ? '&' : '?'}token=${token}`, { cache: 'no-store', ...options });
    const json = await answer.json().catch(() => ({ error: answer.statusText }));
    if (!answer.ok) throw new Error(json.error);
    return json;
  };
  const post = (path, body = '') => request(path, { method: 'POST', body });

  const note = (text) => {
    const line = document.createElement('p'), close = document.createElement('button');
    line.className = 'alert';
    line.textContent = text;
    Object.assign(close, { type: 'button', textContent: 'Dismiss' });
    close.addEventListener('click', () => line.remove());
    line.append(close);
    at('notes').prepend(line);
    while (at('notes').childElementCount > 5) at('notes').lastChild.remove();
  };
  for (const sentence of state.unreadable) note(sentence);

  // ---- the list

  const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
  const number = (x, digits) => x === null || x === undefined ? '–' : x.toFixed(digits).replace('-', '−');
  const duration = (s) => s === null || s === undefined ? '' : s < 90 ? `${Math.round(s)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;
  const states = ['training', 'interrupted', 'finished', 'damaged'];
  let filter = 'all', chosen = null;

  const element = (tag, className, text) => {
    const out = document.createElement(tag);
    if (className) out.className = className;
    if (text !== undefined) out.textContent = text;
    return out;
  };

  const stateCell = (run) => {
    const cell = element('td', 'words');
    const badge = element('span', `badge ${run.state}`, run.phase && run.phase !== 'learning' ? run.phase : run.state);
    cell.append(badge);
    if (run.problem) badge.title = run.problem;
    if (run.warnings.length > 0) {
      const mark = element('span', 'badge alarm', run.warnings.length === 1 ? 'warning' : `${run.warnings.length} warnings`);
      mark.title = run.warnings.join('\n');
      cell.append(' ', mark);
    }
    return cell;
  };

  const shareCell = (run) => {
    const value = run.H ?? run.I_hat, cell = element('td', 'share');
    if (value === null || value === undefined || !run.H_max) { cell.textContent = '–'; return cell; }
    const meter = element('span', 'meter');
    meter.style.setProperty('--share', `${Math.min(100, 100 * value / run.H_max)}%`);
    cell.append(meter, `${(100 * value / run.H_max).toFixed(1)} %`);
    return cell;
  };

  const progressCell = (run) => {
    const cell = element('td', 'share'), meter = element('span', 'meter progress');
    meter.style.setProperty('--share', `${run.updates ? 100 * run.update / run.updates : 0}%`);
    cell.append(meter, `${grouped(run.update)} / ${grouped(run.updates)}`);
    return cell;
  };

  const actionCell = (run) => {
    const cell = element('td'), action = { training: 'stop', interrupted: 'resume' }[run.state];
    if (!action) return cell;
    const button = element('button', 'act', action === 'stop' ? 'Stop' : 'Resume');
    Object.assign(button, { type: 'button' });
    button.dataset.act = action;
    button.setAttribute('aria-label', `${button.textContent} ${run.name}`);
    cell.append(button);
    return cell;
  };

  const rowOf = (run) => {
    const row = element('tr');
    row.dataset.run = run.name;
    row.setAttribute('aria-selected', run.name === chosen);
    const head = element('th'), link = element('a', '', run.name);
    head.scope = 'row';
    link.href = `#${encodeURIComponent(run.name)}`;
    head.append(link);
    row.append(head, stateCell(run), element('td', 'words', run.world), element('td', 'words', run.algorithm), element('td', '', run.seed),
      progressCell(run), element('td', '', duration(run.seconds_left)), element('td', '', number(run.I_hat, 3)), element('td', '', number(run.H, 3)),
      shareCell(run), actionCell(run));
    return row;
  };

  // runs in training first, then by name, numbers as numbers
  const collator = new Intl.Collator('en', { numeric: true });
  const matching = () => {
    const words = at('find').value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (run) => `${run.name} ${run.world} ${run.algorithm} ${run.state} seed ${run.seed}`.toLowerCase();
    return [...runs.values()].filter((run) => (filter === 'all' || run.state === filter) && words.every((word) => text(run).includes(word)))
      .sort((a, b) => (b.state === 'training') - (a.state === 'training') || collator.compare(a.name, b.name));
  };

  // rows that differ are replaced one by one: focus and selection stay
  const shown = new Map();
  const list = () => {
    const all = matching(), wanted = all.slice(0, mostRows);
    const names = new Set(wanted.map((run) => run.name));
    for (const [name, { row }] of shown) if (!names.has(name)) { row.remove(); shown.delete(name); }
    let next = at('rows').firstChild;
    for (const run of wanted) {
      const text = JSON.stringify(run) + (run.name === chosen), known = shown.get(run.name);
      let row = known?.row;
      if (!known || known.text !== text) {
        row = rowOf(run);
        if (known) {
          const focused = known.row.contains(document.activeElement);
          if (next === known.row) next = row;
          known.row.replaceWith(row);
          if (focused) row.querySelector('button, a').focus();
        }
        shown.set(run.name, { row, text });
      }
      if (row === next) next = next.nextSibling; else at('rows').insertBefore(row, next);
    }
    at('beyond').textContent = all.length > mostRows ? `${grouped(all.length - mostRows)} more runs: type a word above to find them.`
      : runs.size === 0 ? 'There is no run here yet: start one, here or with vic train.' : all.length === 0 ? 'No run matches.' : '';
    counts();
  };

  const counts = () => {
    const n = Object.fromEntries(states.map((name) => [name, 0]));
    for (const run of runs.values()) ++n[run.state];
    at('counts').textContent = `· ${grouped(runs.size)} ${runs.size === 1 ? 'run' : 'runs'}: ` + (states.filter((name) => n[name] > 0).map((name) => `${grouped(n[name])} ${name}`).join(', ') || 'none yet');
    document.title = n.training > 0 ? `${n.training} in training · vic` : 'Runs · vic';
  };

  at('root').textContent = state.root;
  for (const name of ['all', ...states]) {
    const label = element('label'), input = element('input');
    Object.assign(input, { type: 'radio', name: 'filter', value: name, checked: name === 'all' });
    label.append(input, element('span', '', name));
    at('filter').append(label);
  }
  at('filter').addEventListener('change', (event) => { filter = event.target.value; list(); });
  at('find').addEventListener('input', list);

  // ---- the figures of the selected run

  let figures = null, players = null, members = new Set(), asked = 0, wanted = false, drawn = null;

  // updates the old markup to the new one, but keeps what scripts have drawn and what people have
  // chosen
  const own = '.plot, .player, .legend output, .legend .around, .legend .when, .at';
  const morph = (before, after) => {
    if (before.nodeType !== after.nodeType || before.nodeName !== after.nodeName || before.id !== after.id) { before.replaceWith(after.cloneNode(true)); return; }
    if (before.nodeType !== Node.ELEMENT_NODE) { if (before.data !== after.data) before.data = after.data; return; }
    if (before.matches(own) && after.matches(own)) return;
    if (before.isEqualNode(after)) return;
    for (const { name } of [...before.attributes]) if (!after.hasAttribute(name) && !['tabindex', 'open', 'data-choice'].includes(name)) before.removeAttribute(name);
    for (const { name, value } of after.attributes) if (before.getAttribute(name) !== value) before.setAttribute(name, value);
    const [old, now] = [[...before.childNodes], [...after.childNodes]];
    if (old.length !== now.length) { before.replaceChildren(...now.map((node) => node.cloneNode(true))); return; }
    old.forEach((node, i) => morph(node, now[i]));
  };

  const draw = (name, section) => {
    // markup from our own program, in which every name is escaped; its scripts would not run
    const parsed = new DOMParser().parseFromString(`<div id="section" aria-live="off">${section.html}</div>`, 'text/html');
    // a parser without scripts shows the content meant for pages without them
    for (const other of parsed.querySelectorAll('noscript')) other.remove();
    const place = at('section');
    if (drawn === name) {
      morph(place, parsed.body.firstChild);
      figures.update(section.charts);
      players.update(section.films);
    } else {
      place.replaceWith(document.adoptNode(parsed.body.firstChild));
      figures = vicFigures(at('section'), section.charts);
      players = vicPlayers(at('section'), section.films);
      drawn = name;
    }
    members = new Set(section.runs);
    document.documentElement.dataset.drawn = String(++asked);
  };

  let busy = false, next = 0;
  const look = async () => {
    if (busy || !wanted || !chosen || document.hidden || Date.now() < next) return;
    const name = chosen;
    [busy, wanted] = [true, false];
    const section = await request(`/section?run=${encodeURIComponent(name)}`).catch((error) => {
      // if there is no answer the stream reports it; a run that cannot be drawn has a message
      if (!(error instanceof TypeError) && name === chosen && drawn !== name) { at('section').textContent = ''; note(error.message); }
    });
    busy = false;
    // a tab takes at most a twentieth of the server's time
    next = Date.now() + (section ? Math.max(1000, 20000 * section.seconds) : 3000);
    if (name !== chosen) [wanted, next] = [true, 0];
    else if (section) draw(name, section);
  };
  setInterval(look, 250);
  document.addEventListener('visibilitychange', () => { wanted = true; look(); });

  const choose = (name) => {
    if (!runs.has(name)) return;
    chosen = name;
    [wanted, next] = [true, 0];
    list();
    look();
    // the selected run is kept visible in the list
    const row = shown.get(name)?.row, box = row?.closest('.list');
    if (row && (row.offsetTop < box.scrollTop || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight)) {
      box.scrollTop = row.offsetTop - box.clientHeight / 2;
    }
  };
  const fromAddress = () => decodeURIComponent(location.hash.slice(1));
  addEventListener('hashchange', () => choose(fromAddress()));

  // ---- start, stop, resume

  at('rows').addEventListener('click', async (event) => {
    const button = event.target.closest('button'), row = event.target.closest('tr');
    if (!button) { if (row && !event.target.closest('a')) location.hash = encodeURIComponent(row.dataset.run); return; }
    button.disabled = true;
    try {
      await post(`/${button.dataset.act}?run=${encodeURIComponent(row.dataset.run)}`);
      button.textContent = button.dataset.act === 'stop' ? 'Stopping …' : 'Resuming …';
    } catch (error) { note(error.message); button.disabled = false; }
  });

  for (const world of state.choices.worlds) at('worlds').append(new Option(world, world));
  for (const algorithm of state.choices.algorithms) at('start').elements.algorithm.add(new Option(algorithm, algorithm));
  at('new').addEventListener('click', () => {
    at('start').hidden = !at('start').hidden;
    at('new').setAttribute('aria-expanded', !at('start').hidden);
    if (!at('start').hidden) at('start').elements.world.focus();
  });
  at('start').addEventListener('submit', async (event) => {
    event.preventDefault();
    const said = at('said');
    said.value = 'starting …';
    try {
      const { name } = await post('/start', JSON.stringify(Object.fromEntries(new FormData(at('start')))));
      said.value = `${name} was started`;
      expected = name;
    } catch (error) { said.value = error.message; }
  });
  let expected = null;  // a run that was started here is shown as soon as it exists

  // ---- events of the server

  const words = { waiting: 'connecting …', live: 'live', lost: 'The server does not answer. Trying again …',
    refused: 'The server was started again and has another address: open the one that vic serve printed.' };
  const events = {
    runs({ changed, gone, all }) {
      if (all) runs.clear();
      for (const name of gone) runs.delete(name);
      for (const run of changed) {
        runs.set(run.name, run);
        if (members.has(run.folder) || run.name === chosen) wanted = true;
      }
      if (expected && runs.has(expected)) { location.hash = encodeURIComponent(expected); expected = null; }
      if (!runs.has(chosen)) choose(first());
      list();
    },
    ended({ name, code, words: said }) {
      const lines = said.trim().split('\n');
      note(`${name} ended with exit code ${code}: ${lines[lines.length - 1]}`);
      list();
    },
    evaluated() { wanted = true; },
    beat() {},
  };
  const first = () => matching()[0]?.name ?? null;

  vicStream(token, {
    event: (name, data) => events[name](data),
    state: (now) => {
      at('link').textContent = words[now];
      at('link').dataset.state = now;
      if (now === 'live') wanted = true;
    },
  });
  list();
  choose(runs.has(fromAddress()) ? fromAddress() : first());
  document.documentElement.dataset.ready = 'true';
})();
