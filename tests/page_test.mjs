// Opens a report in a browser like a reader: clicks, hovers, uses the keys, and compares the
// numbers on the page with those in the runs' files. Fails on any error on the console and on any
// request to a network.
//   node page_test.mjs VIC
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';

const vic = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'vic-page-'));
const states = ['-1', '0', '<b>1'];

// a run with its own curves: values that no rounding makes equal
const writeRun = (name, algorithm, seed, finished = true) => {
  const run = join(folder, 'runs', name);
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, 'settings.toml'), `[run]\nformat = 3\nworld = "line-noisy"\nmetrics_every = 10\n[train]\nalgorithm = "${algorithm}"\nseed = ${seed}\nupdates = 400\nwarm_up = 100\n`);
  const top = algorithm === 'implicit' ? 0.8 : 1.05;
  const lines = [];
  for (let update = 10; update <= (finished ? 500 : 200); update += 10) {
    const I_hat = top * (1 - Math.exp(-update / 120)) + 0.01 * Math.sin(update * seed);
    lines.push(JSON.stringify({ update, external: -0.01 * seed, I_hat }));
  }
  writeFileSync(join(run, 'metrics.jsonl'), lines.join('\n') + '\n');
  const p = [0.5 - 0.1 * seed, 0.3, 0.2 + 0.1 * seed];
  const s_f = states.map((state, i) => ({ state, p: p[i] }));
  writeFileSync(join(run, 'truth.json'), JSON.stringify({
    world: 'line-noisy', T_max: 5, states_reachable: 3, H_max: 1.0986, H_max_gap: 0, D_max: 0.7, D_max_gap: 0,
    H_at_D_max: 0.8, C_open: 0.6, C_open_gap: 0, reward_max: 1.5, uniform: { H: 1, D: 0.5, N: 0.5 },
    s_f: states.map((state) => ({ state, p: 1 / 3 })), s_f_at_D_max: null, start: '0', notes: [],
    picture: { lines: ['...'], cells: states.map((state, column) => ({ state, row: 0, column })) },
  }));
  if (!finished) return;
  writeFileSync(join(run, 'evaluation.json'), JSON.stringify({
    world: 'line-noisy', algorithm, seed, updates: 500, I_hat: top, exact: true, H: top - 0.01 * seed, D: 0.6, N: top - 0.6,
    ci95: 0, H_max: 1.0986, H_max_gap: 0, D_max: 0.7, H_at_D_max: 0.8, external: -0.01, s_f,
  }));
};
const metrics = (name) => readFileSync(join(folder, 'runs', name, 'metrics.jsonl'), 'utf8').trim().split('\n').map(JSON.parse);

for (const seed of [1, 2]) { writeRun(`i-${seed}`, 'implicit', seed); writeRun(`t-${seed}`, 'transition', seed); }
writeRun('t-3', 'transition', 3, false);
const page = join(folder, 'page.html');
execFileSync(vic, ['report', join(folder, 'runs'), '-o', page]);

const browser = await Browser.start();
const complaints = browser.complaints();
browser.listen((method, params) => {
  if (method === 'Network.requestWillBeSent' && !/^(file|data):/.test(params.request.url)) complaints.push(`asked for ${params.request.url}`);
});
const number = (text) => Number(text.replace('−', '-'));
const legend = () => browser.value(`[...document.querySelectorAll('#w0-empowerment .legend output')].map((o) => o.value)`);
// the mean over seeds at an update, from the files
const expected = (algorithm, update) => {
  const values = [1, 2].map((seed) => metrics(`${algorithm}-${seed}`).find((line) => line.update === update).I_hat);
  return (values[0] + values[1]) / 2;
};
const compare = async (what) => {
  const [update, implicit, transition] = (await legend()).map(number);
  assert.ok(Math.abs(implicit - expected('i', update)) <= 0.5e-4 + 1e-9, `${what}: implicit ${implicit} at ${update}`);
  assert.ok(Math.abs(transition - expected('t', update)) <= 0.5e-4 + 1e-9, `${what}: transition ${transition} at ${update}`);
  return update;
};

try {
  await browser.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'light' }] });
  await browser.size(1280, 900);
  await browser.open(pathToFileURL(page).href);
  assert.equal(await browser.value('document.documentElement.dataset.ready'), 'true');

  // without a pointer the legend shows the last update
  assert.equal(await compare('at rest'), 500);

  // hover: the values under the pointer, at several places
  const over = await browser.middle('#w0-empowerment .u-over');
  const seen = new Set();
  for (const share of [0.15, 0.5, 0.9]) {
    await browser.mouse('mouseMoved', over.left + share * over.width, over.y);
    // the chart moves its cursor in the next frame
    await browser.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const update = await compare(`hover at ${share}`);
    assert.ok(Math.abs(update - share * 500) <= 15, `${update} is not under ${share}`);
    seen.add(update);
  }
  assert.equal(seen.size, 3);

  // keys: from the last update one line back
  await browser.mouse('mouseMoved', 5, 5);
  await browser.value(`document.querySelector('#w0-empowerment .plot').focus()`);
  await browser.key('Home');
  await browser.key('ArrowRight');
  await browser.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  assert.equal(await compare('keys'), 20);

  // the heat map of a seed, and the value in its tip
  const cell = '#w0-heat .panel[data-panel="0"] [data-s="2"]';
  const mean = await browser.value(`document.querySelector('${cell}').getAttribute('class')`);
  await browser.click('#w0-heat input[value="seed 2"]');
  assert.equal(await browser.value(`document.querySelector('#w0-heat .panel').dataset.choice`), 'seed 2');
  assert.notEqual(await browser.value(`document.querySelector('${cell}').getAttribute('class')`), mean);
  const { x, y } = await browser.middle(cell);
  await browser.mouse('mouseMoved', x, y);
  assert.equal(await browser.value(`document.getElementById('tip').textContent`), 'implicit, seed 2: p(<b>1) = 0.4000');
  // the optimum has no seeds and stays the same
  assert.equal(await browser.value(`document.querySelector('#w0-heat .panel[data-panel="2"]').dataset.choice`), 'mean');

  // dark and light again: colours change, the curve is redrawn, nothing moves
  const paper = () => browser.value('getComputedStyle(document.body).backgroundColor');
  const height = () => browser.value('document.documentElement.scrollHeight');
  const [light, tall] = [await paper(), await height()];
  await browser.click('#theme');
  assert.notEqual(await paper(), light);
  assert.equal(await height(), tall);
  assert.equal(await browser.value(`document.querySelectorAll('#w0-empowerment canvas').length`), 1);
  await browser.click('#theme');
  assert.equal(await paper(), light);

  // the table: the mean of H over the finished seeds, and the run that is not finished
  const row = await browser.value(`[...document.querySelectorAll('#w0 .final tbody tr')].map((r) => r.textContent).join('|')`);
  assert.match(row, /implicit2(0\.7850)/);
  assert.match(row, /transition2 \+ 1 unfinished/);

  // on a phone nothing is wider than the screen
  await browser.size(390, 844, 2);
  assert.equal(await browser.value('document.documentElement.scrollWidth'), 390);
  assert.ok(await browser.value(`document.querySelector('#w0-empowerment .plot').getBoundingClientRect().width <= 390`));

  assert.deepEqual(complaints, []);
  console.log('the page shows what the files say');
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
