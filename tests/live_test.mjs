// Opens the live page in a browser like a user: starts a run, watches it, reloads, stops and
// resumes it, loses the server and finds it again. Strangers are refused.
//   node live_test.mjs VIC
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from './browser.mjs';

const vic = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'vic-live-'));
const runs = join(folder, 'runs');
mkdirSync(runs);

// a server, its address, and the promise of its end
const serve = async (...options) => {
  const process = spawn(vic, ['serve', runs, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((done) => process.on('exit', (code) => done(code)));
  const address = await new Promise((done, fail) => {
    let text = '';
    process.stdout.on('data', (chunk) => { text += chunk; if (text.includes('\n')) done(new URL(text.trim())); });
    process.on('exit', () => fail(new Error('the server ended')));
  });
  return { process, ended, address };
};

// the status of a request, as another program would send it
const ask = (url, headers = {}, method = 'GET') => new Promise((done, fail) => {
  const request = http.request(url, { headers, method, agent: false }, (answer) => { answer.resume(); done(answer.statusCode); });
  request.on('error', fail);
  request.end();
});

const token = ['--token-file', join(folder, 'token')];
let server = await serve(...token);
const { address } = server, { port } = address;
const browser = await Browser.start();
// resolves when the condition holds in the page; it waits for changes of the page
const until = (condition) => browser.value(`new Promise((done) => {
  const look = () => { if (${condition}) { watch.disconnect(); done(true); } };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  look();
})`);
const text = (selector) => browser.value(`document.querySelector(${JSON.stringify(selector)})?.textContent`);
const type = async (name, words) => {
  await browser.value(`document.querySelector('#start [name="${name}"]').focus()`);
  await browser.call('Input.insertText', { text: words });
};
const row = `[...document.querySelectorAll('#rows tr')].find((row) => row.dataset.run === 'mine')`;
const state = (name) => until(`${row}?.querySelector('.badge').classList.contains('${name}')`);
const live = (name) => until(`document.getElementById('link').dataset.state === '${name}'`);

try {
  // strangers: no token, a wrong one, another origin, another host, another site
  const bare = new URL('/', address), wrong = new URL(address);
  wrong.searchParams.set('token', '0'.repeat(32));
  assert.equal(await ask(bare), 403);
  assert.equal(await ask(wrong), 403);
  assert.equal(await ask(address), 200);
  assert.equal(await ask(address, { Origin: 'http://evil.example' }), 403);
  assert.equal(await ask(address, { Host: `evil.example:${port}` }), 403);
  assert.equal(await ask(address, { 'Sec-Fetch-Site': 'cross-site' }), 403);
  const start = new URL('/start', address);
  start.search = address.search;
  assert.equal(await ask(start, { Origin: 'null' }, 'POST'), 403);

  const complaints = browser.complaints();
  await browser.size(1280, 900);
  await browser.open(address.href);
  await live('live');
  assert.match(await text('#beyond'), /no run here yet/);

  // a wrong name is explained, a right one trains
  await browser.click('#new');
  await type('world', 'lime');
  await browser.click('#start .primary');
  await until(`document.getElementById('said').value.includes('line')`);
  await browser.value(`document.getElementById('start').reset()`);
  await type('world', 'line-noisy');
  await type('updates', '1000000');
  await type('name', 'mine');
  await type('settings', 'run.checkpoint_every=300');
  assert.equal(complaints.splice(0).length, 1, 'the refusal is on the console, and nothing else');
  await browser.click('#start .primary');
  await state('training');
  // its figures appear on their own: the curve, then the split from the last checkpoint
  await until(`document.querySelector('#section .u-over')`);
  await until(`document.querySelector('#section .control')`);
  await until(`document.querySelector('#section .heat, #section [data-s]')`);
  // and they follow the training
  const updates = `+${row}.querySelector('.progress').nextSibling.data.split(' / ')[0].replaceAll(',', '')`;
  const before = await browser.value(updates);
  await until(`${updates} > ${before}`);
  const drawn = Number(await browser.value('document.documentElement.dataset.drawn'));
  await until(`Number(document.documentElement.dataset.drawn) > ${drawn + 1}`);

  // H split into D and N as it trained: a column for every survey
  await until(`document.querySelectorAll('#section .panel .control[data-tip^="update "]').length > 2`);
  // warnings of the training appear in the list and above the figures while it goes on
  writeFileSync(join(runs, 'mine', 'alarms.jsonl'), '{"update":1,"alarms":[{"cause":"c","sentence":"It <i>cannot</i> be."}]}\n');
  await until(`${row}?.querySelector('.alarm')?.title === 'After update 1: It <i>cannot</i> be.'`);
  await until(`document.querySelector('#section .warning')?.textContent.includes('After update 1: It <i>cannot</i> be.')`);

  // a reloaded page shows the same run
  await browser.reload();
  await live('live');
  await until(`document.querySelector('#section .u-over')`);
  assert.equal(await browser.value(`${row}.getAttribute('aria-selected')`), 'true');

  // many streams at once: each one gets the runs, and the page still answers
  const streams = [];
  const events = new URL('/events', address);
  events.search = address.search;
  for (let i = 0; i < 50; ++i) {
    streams.push(new Promise((done, fail) => {
      const request = http.get(events, { agent: false }, (answer) => {
        let received = '';
        answer.on('data', (chunk) => { received += chunk; if (received.includes('event: runs')) done(request); });
      });
      request.on('error', fail);
    }));
  }
  const open = await Promise.all(streams);
  assert.equal(await ask(address), 200);
  for (const request of open) request.destroy();

  // stop and resume
  await browser.click('#rows .act');
  await state('interrupted');
  await browser.click('#rows .act');
  await state('training');
  assert.deepEqual(complaints, []);

  // Ctrl-C ends the server, not the training; the page finds the next server on its own
  server.process.kill('SIGINT');
  assert.equal(await server.ended, 130);
  await live('lost');
  server = await serve('--port', port, ...token);
  await live('live');
  await state('training');
  await browser.click('#rows .act');
  await state('interrupted');

  // a server with another token is not the one that the page knows
  server.process.kill('SIGTERM');
  assert.equal(await server.ended, 143);
  server = await serve('--port', port);
  await live('refused');
  console.log('the live page follows, starts and stops runs');
} finally {
  await browser.close();
  server.process.kill('SIGINT');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}
