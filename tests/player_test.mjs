// Plays the films of a run in a browser like a reader: choices, play, pause, speed, the scrubber,
// the keys, light and dark. The path of the film is known at every moment. Fails on any error on
// the console.
//   node player_test.mjs VIC
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';

const vic = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'vic-player-'));
const T = 12;

// moves `step` mm per action and turns by a tenth
const filmed = (behaviour, step) => {
  const times = [...Array(T + 1).keys()];
  return {
    behaviour, caption: 'far', distance: T * step / 1000, height: 0.5, turns: 0.1 * T, flips: 1, place: 1, full_turns: 1,
    path: times.map((t) => [t * step, 500, 100 * t]),
    poses: times.map((t) => [t * step - 300, 500, t * step + 300, 500, t * step, 500, t * step, 100]),
  };
};
const coordinates = [
  { name: 'distance', unit: 'm', cell: 'place', bin: 0.5, full: null, rotation: false },
  { name: 'turns', unit: 'turns', cell: 'full_turns', bin: 1, full: 0.9, rotation: true },
];
const writeRun = (seed) => {
  const run = join(folder, 'runs', `m-${seed}`);
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, 'settings.toml'), `[run]\nformat = 3\nworld = "half-cheetah"\n[train]\nalgorithm = "marginal"\nseed = ${seed}\nupdates = 400\nwarm_up = 0\n`);
  const names = ['1 forward flip', '1 forward flip', '<b>stays'];
  writeFileSync(join(run, 'films.json'), JSON.stringify({
    world: 'half-cheetah', T, seconds: 0.05, ground: true, coordinates, parts: [{ r: 46, limb: 0 }, { r: 46, limb: 1 }],
    options: names.map((name, i) => filmed(name, 100 * (i + 1) * seed)),
  }));
};
writeRun(1);
writeRun(2);
const page = join(folder, 'page.html');
execFileSync(vic, ['report', join(folder, 'runs'), '-o', page]);

// a body in space that moves a metre to its left: x1, z1, x2, z2, y1, y2 of a part
const space = join(folder, 'space', 'ant-1'), spacePage = join(folder, 'space.html'), places = [...Array(T + 1).keys()].map((t) => Math.round(1000 * t / T));
mkdirSync(space, { recursive: true });
writeFileSync(join(space, 'settings.toml'), '[run]\nformat = 3\nworld = "ant"\n[train]\nalgorithm = "marginal"\nseed = 1\nupdates = 400\nwarm_up = 0\n');
writeFileSync(join(space, 'films.json'), JSON.stringify({
  world: 'ant', T, seconds: 0.05, ground: true, view: 'slanted', parts: [{ r: 250, limb: 0 }],
  coordinates: ['x', 'y'].map((name) => ({ name, unit: 'm', cell: `${name}_cell`, bin: 0.5, full: null, rotation: false })),
  options: [{ behaviour: 'crawls left', caption: 'far', x: 0, y: 1, x_cell: 0, y_cell: 2, height: 0.5, flips: 0,
    path: places.map((y) => [0, 500, 0, y]), poses: places.map((y) => [-400, 500, 400, 500, y, y]) }],
}));
execFileSync(vic, ['report', join(folder, 'space'), '-o', spacePage]);

const browser = await Browser.start();
const complaints = browser.complaints();
const at = '#w0-player ';
const now = () => browser.value(`document.querySelector('${at}.now').value`);
const label = () => browser.value(`document.querySelector('${at}.play').textContent`);
const choose = (list, index) => browser.value(`(() => {
  const list = document.querySelector('${at}${list}');
  list.selectedIndex = ${index};
  list.dispatchEvent(new Event('change'));
})()`);
// resolves in the frame in which the expression becomes true
const until = (expression) => browser.value(`new Promise((done) => {
  const look = () => (${expression}) ? done(true) : requestAnimationFrame(look);
  look();
})`);
// the colours of sky and ground, and the number of pixels in the colour of the trunk; reads a copy
// of the canvas, since reading a canvas may change how it is drawn
const look = () => browser.value(`(() => {
  const canvas = document.querySelector('${at}canvas'), copy = document.createElement('canvas');
  const { width, height } = Object.assign(copy, { width: canvas.width, height: canvas.height });
  const ctx = copy.getContext('2d', { willReadFrequently: true });
  ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--control');
  ctx.fillRect(0, 0, 1, 1);
  const trunk = ctx.getImageData(0, 0, 1, 1).data.join();
  ctx.drawImage(canvas, 0, 0);
  const { data } = ctx.getImageData(0, 0, width, height);
  let pixels = 0;
  for (let i = 0; i < data.length; i += 4) pixels += data.slice(i, i + 4).join() === trunk;
  const at = (x, y) => data.slice(4 * (width * y + x), 4 * (width * y + x) + 4).join();
  return { sky: at(4, 4), ground: at(4, height - 4), pixels };
})()`);

try {
  await browser.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'light' }] });
  await browser.size(1280, 900);
  await browser.open(pathToFileURL(page).href);

  // runs and options are listed, options under their behaviour
  assert.deepEqual(await browser.value(`[...document.querySelectorAll('${at}.run option')].map((o) => o.textContent)`), ['marginal, seed 1', 'marginal, seed 2']);
  assert.deepEqual(await browser.value(`[...document.querySelectorAll('${at}optgroup')].map((g) => g.label + g.children.length)`), ['1 forward flip2', '<b>stays1']);
  assert.equal(await browser.value(`document.querySelector('${at}.option option').textContent`), '1. 1 forward flip: +1.2 m, +1.2 turns');
  assert.equal(await now(), '0.00 s  0.00 m  0.00 turns');

  // the scrubber: half of the way, and the moment shown there
  await browser.value(`(() => { const s = document.querySelector('${at}.scrub'); s.value = 6; s.dispatchEvent(new Event('input')); })()`);
  assert.equal(await now(), '0.30 s  +0.60 m  +0.60 turns');
  await choose('.option', 2);
  assert.equal(await now(), '0.00 s  0.00 m  0.00 turns');
  await choose('.run', 1);
  assert.equal(await browser.value(`document.querySelector('${at}.option').selectedIndex`), 0);

  // the keys: a step, to the end, another option, another speed
  await browser.value(`document.querySelector('${at}canvas').focus()`);
  await browser.key('ArrowRight');
  assert.equal(await now(), '0.05 s  +0.20 m  +0.10 turns');
  await browser.key('End');
  assert.equal(await now(), '0.60 s  +2.40 m  +1.20 turns');
  await browser.key('ArrowDown');
  assert.equal(await browser.value(`document.querySelector('${at}.option').selectedIndex`), 1);
  await browser.key('+');
  await browser.key('+');
  await browser.key('+');
  assert.equal(await browser.value(`document.querySelector('${at}.speed').value`), '4');

  // play to the end at the slowest speed: moments between two poses are shown on the way, however
  // busy the machine is
  await choose('.speed', 0);
  await browser.value(`window.moments = new Set(); new MutationObserver(() => moments.add(document.querySelector('${at}canvas').getAttribute('aria-label')))
    .observe(document.querySelector('${at}canvas'), { attributes: true, attributeFilter: ['aria-label'] })`);
  await browser.click(`${at}.play`);
  assert.equal(await label(), 'Pause');
  await until(`document.querySelector('${at}.play').textContent === 'Play' && document.querySelector('${at}.scrub').value === '${T}'`);
  assert.equal(await now(), '0.60 s  +4.80 m  +1.20 turns');
  assert.ok(await browser.value('moments.size') > 2);

  // pause keeps the moment; playing again starts over
  await choose('.speed', 0);
  await browser.click(`${at}.play`);
  assert.equal(await label(), 'Pause');
  await until(`document.querySelector('${at}.now').value > '0.02'`);
  await browser.click(`${at}.play`);
  assert.equal(await label(), 'Play');
  const still = await now();
  await browser.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  assert.equal(await now(), still);

  // the parts in front of the sky, above the ground; all follow the theme
  await choose('.option', 0);
  const light = await look();
  assert.notEqual(light.sky, light.ground);
  assert.ok(light.pixels > 500, `${light.pixels} pixels of the trunk`);
  await browser.click('#theme');
  const dark = await look();
  assert.notEqual(dark.sky, light.sky);
  assert.notEqual(dark.ground, light.ground);
  assert.ok(dark.pixels > 500, `${dark.pixels} pixels of the trunk in the dark`);

  await browser.size(390, 844, 2);
  assert.equal(await browser.value('document.documentElement.scrollWidth'), 390);

  // the slanted view: the way to the left, and a drag that turns it and does not play
  await browser.size(1280, 900);
  await browser.open(pathToFileURL(spacePage).href);
  await browser.value(`(() => { const s = document.querySelector('${at}.scrub'); s.value = ${T}; s.dispatchEvent(new Event('input')); })()`);
  assert.equal(await now(), '0.60 s  0.00 m  +1.00 m');
  const before = await look();
  assert.ok(before.pixels > 500, `${before.pixels} pixels of the trunk at a slant`);
  await browser.value(`(() => {
    const canvas = document.querySelector('${at}canvas');
    canvas.dispatchEvent(new PointerEvent('pointerdown', { buttons: 1 }));
    canvas.dispatchEvent(new PointerEvent('pointermove', { buttons: 1, movementX: -100 }));
    canvas.dispatchEvent(new MouseEvent('click'));
  })()`);
  assert.equal(await browser.value(`document.querySelector('${at}canvas').dataset.azimuth`), (1 - Math.PI / 6).toFixed(3));
  assert.equal(await label(), 'Play');
  // from its side the trunk looks longer than from its front
  assert.notEqual((await look()).pixels, before.pixels);

  assert.deepEqual(complaints, []);
  console.log('the player plays what the files say');
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
