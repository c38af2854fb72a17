// A page of runs whose every text is an attack: settings, evaluation, truth, films, behaviours,
// build, metrics and verdict. None of it may run, load anything or leave its element; pointer and
// keys are used too, because tips are made of the same texts.
//   node hostile_page_test.mjs VIC
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';

const vic = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'vic-hostile-'));
// a text that breaks out of an element, an attribute, a script and a template; numbered, so that
// names stay distinct
let attacks = 0;
const attack = () => `${attacks++}</script></title></style><img src=x onerror=attacked()><svg onload=attacked()>`
  + `"'><script>attacked()</script>\${attacked()}{{attacked}}&lt;script&gt;javascript:attacked()`;
// equal texts in a file become equal attacks
const known = new Map();
const attackFor = (text) => { if (!known.has(text)) known.set(text, attack()); return known.get(text); };
const kept = new Set(['run_id', 'metrics_crc32c', 'kind', 'simulated']);
const poison = (value, key = '') => {
  if (typeof value === 'string') return kept.has(key) || kept.has(value) ? value : attackFor(value);
  if (Array.isArray(value)) return value.map((one) => poison(one, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, name)]));
};
// names that are also keys of other objects, such as those of cells
const rename = (value, names) => {
  if (Array.isArray(value)) return value.map((one) => rename(one, names));
  if (value === null || typeof value !== 'object') return value;
  const renamed = (name) => {
    for (const [plain, hostile] of names) {
      if (name === plain) return hostile;
      const end = name.slice(plain.length);
      if (name.startsWith(plain) && ['_mean', '_spread', '_min', '_max'].includes(end)) return hostile + end;
    }
    return name;
  };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [renamed(name), rename(one, names)]));
};

const small = ['--set', 'train.warm_up=1', '--updates', '2', '--set', 'train.hidden=8', '--set', 'train.batch=8'];
const runs = join(folder, 'runs');
execFileSync(vic, ['train', 'line-noisy', '--out', join(runs, 'table'), '--algorithm', 'transition', ...small], { stdio: 'ignore' });
execFileSync(vic, ['train', 'half-cheetah', '--out', join(runs, 'body'), '--algorithm', 'implicit', ...small,
  '--set', 'world.T=4', '--set', 'run.survey_options=100', '--set', 'run.survey_every=1'], { stdio: 'ignore' });
for (const name of ['table', 'body']) {
  const run = join(runs, name);
  const texts = Object.fromEntries(readdirSync(run).map((file) => [file, readFileSync(join(run, file), 'latin1')]));
  const json = (file) => JSON.parse(readFileSync(join(run, file), 'utf8'));
  const coordinates = texts['films.json'] ? json('films.json').coordinates : [];
  const names = coordinates.flatMap(({ name: plain, cell }) => [plain, cell]).map((plain) => [plain, attackFor(plain)]);
  for (const file of Object.keys(texts)) {
    if (file.endsWith('.json')) {
      const hostile = rename(poison(json(file)), names);
      if (file === 'evaluation.json') hostile.warnings = [attack(), attack()];
      if (file === 'truth.json' && name === 'table') {
        hostile.notes = [attack()];
        // the lines of a picture keep their length
        hostile.picture.lines = json(file).picture.lines;
      }
      writeFileSync(join(run, file), JSON.stringify(hostile));
    } else if (file === 'behaviours.jsonl') {
      const lines = readFileSync(join(run, file), 'utf8').trim().split('\n');
      writeFileSync(join(run, file), lines.map((line) => JSON.stringify(rename(poison(JSON.parse(line)), names)) + '\n').join(''));
    } else if (file === 'settings.toml') {
      // every text that is not a number, and a group: it is the title of the section
      const plain = readFileSync(join(run, file), 'utf8');
      const hostile = plain.replace(/^(\w+) = "([^"]*[a-z][^"]*)"$/gm, (line, key, value) =>
        key === 'world' && name === 'body' || Number.isFinite(Number(value)) ? line : `${key} = ${JSON.stringify(attackFor(value))}`);
      writeFileSync(join(run, file), hostile.replace('[run]\n', `[run]\ngroup = ${JSON.stringify(attack())}\n`));
    }
  }
  writeFileSync(join(run, 'alarms.jsonl'), `${JSON.stringify({ update: 1, alarms: [{ cause: attack(), sentence: attack() }] })}\n`);
  // the fields that tie the files together are no attacks
  const evaluation = json('evaluation.json');
  delete evaluation.run_id;
  writeFileSync(join(run, 'evaluation.json'), JSON.stringify(evaluation));
}
writeFileSync(join(runs, 'verdict.json'), JSON.stringify({ title: attack(), claims: [{
  text: attack(), source: attack(), see: attack(), group: attack(), algorithm: attack(), measure: attack(),
  wanted: attack(), verdict: attack(), measured: 1, measured_as: attack(), low: 0, high: 2, seeds: 1 }] }));

const page = join(folder, 'page.html');
const report = spawnSync(vic, ['report', runs, '-o', page, '--svg', join(folder, 'svg'), '--csv', join(folder, 'values.csv'), '--title', attack()]);
assert.equal(report.status, 0, report.stderr.toString());
assert.ok(attacks > 50, `${attacks} texts`);

const browser = await Browser.start();
const complaints = browser.complaints();
browser.listen((method, params) => {
  if (method === 'Network.requestWillBeSent' && !/^(file|data):/.test(params.request.url)) complaints.push(`asked for ${params.request.url}`);
  if (method === 'Network.requestWillBeSent' && /\/x$/.test(params.request.url)) complaints.push('loaded an image');
  if (method === 'Page.javascriptDialogOpening') complaints.push('opened a dialog');
});
await browser.call('Runtime.addBinding', { name: 'attacked' });
browser.listen((method) => { if (method === 'Runtime.bindingCalled') complaints.push('a text was run'); });
try {
  await browser.size(1280, 900);
  const files = [page, ...readdirSync(join(folder, 'svg')).map((name) => join(folder, 'svg', name))];
  assert.ok(files.length >= 5);
  for (const file of files) {
    await browser.open(pathToFileURL(file).href);
    // an SVG file that is not XML has an element that says so
    assert.equal(await browser.value(`document.querySelectorAll('parsererror').length`), 0, file);
    assert.equal(await browser.value(`document.querySelectorAll('img, svg[onload], [onerror]').length`), 0, file);
    if (file !== page) continue;
    assert.equal(await browser.value('document.documentElement.dataset.ready'), 'true');
    // the texts are there, as texts
    assert.ok(await browser.value(`document.body.textContent.split('onerror=attacked()').length`) > 20);
    const targets = await browser.value(`document.querySelectorAll('[data-s], .plot, select, button, summary').length`);
    for (let i = 0; i < targets; ++i) {
      const box = await browser.value(`(() => {
        const element = document.querySelectorAll('[data-s], .plot, select, button, summary')[${i}];
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { left, top, width, height } = element.getBoundingClientRect();
        element.focus?.();
        return { x: left + width / 2, y: top + height / 2 };
      })()`);
      await browser.mouse('mouseMoved', box.x, box.y);
    }
    for (const key of ['Home', 'ArrowRight', 'ArrowLeft', 'End']) await browser.key(key);
    await browser.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  assert.deepEqual(complaints, []);
  console.log(`${attacks} hostile texts on the page, and none of them ran`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
