// A browser without a window, driven over a pipe by the DevTools protocol: messages are JSON texts
// that end in NUL, on the descriptors 3 and 4 of the browser. It needs nothing but chromium, and
// waits for nothing but events.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Browser {
  #process; #profile; #next = 1; #calls = new Map(); #listeners = []; #session;

  static async start(program = 'chromium') {
    const browser = new Browser();
    browser.#profile = mkdtempSync(join(tmpdir(), 'vic-browser-'));
    browser.#process = spawn(program, [
      '--headless', '--no-sandbox', '--remote-debugging-pipe', '--disable-gpu', '--hide-scrollbars',
      '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions',
      '--disable-background-networking', `--user-data-dir=${browser.#profile}`, 'about:blank',
    ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    browser.#process.on('error', (error) => browser.#fail(error));
    browser.#process.on('exit', () => browser.#fail(new Error('the browser has ended')));
    let text = Buffer.alloc(0);
    browser.#process.stdio[4].on('data', (chunk) => {
      text = Buffer.concat([text, chunk]);
      for (let end; (end = text.indexOf(0)) >= 0; text = text.subarray(end + 1)) {
        browser.#receive(JSON.parse(text.subarray(0, end).toString()));
      }
    });
    const { targetInfos } = await browser.call('Target.getTargets');
    const page = targetInfos.find((target) => target.type === 'page') ??
      await browser.call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.call('Target.attachToTarget', { targetId: page.targetId, flatten: true });
    browser.#session = sessionId;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'DOM']) await browser.call(`${domain}.enable`);
    return browser;
  }

  #fail(error) {
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }

  #receive(message) {
    if (message.id) {
      const { resolve, reject } = this.#calls.get(message.id);
      this.#calls.delete(message.id);
      if (message.error) reject(new Error(message.error.message)); else resolve(message.result);
      return;
    }
    for (const listener of [...this.#listeners]) listener(message.method, message.params);
  }

  call(method, params = {}) {
    const id = this.#next++;
    this.#process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.#session }) + '\0');
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  listen(listener) { this.#listeners.push(listener); }

  // Opens the address and waits for its load event; `reload` reloads the present one.
  open(url) { return this.#load('Page.navigate', { url }); }
  reload() { return this.#load('Page.reload'); }
  async #load(method, params) {
    const loaded = new Promise((resolve) => this.listen((event) => { if (event === 'Page.loadEventFired') resolve(); }));
    await this.call(method, params);
    await loaded;
  }

  // The list to which the page's errors and console messages are added from now on.
  complaints() {
    const list = [];
    this.listen((method, params) => {
      if (method === 'Runtime.exceptionThrown') list.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === 'Runtime.consoleAPICalled') list.push(`console.${params.type}`);
      if (method === 'Log.entryAdded') list.push(params.entry.text);
    });
    return list;
  }

  // The value of an expression in the page; a promise is awaited.
  async value(expression) {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // The middle of the first matching element, brought into view, once two frames have it at the
  // same place: elements above it may still be growing.
  async middle(selector) {
    return this.value(`new Promise((done) => {
      let before = '';
      const look = () => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { left, top, width, height } = element.getBoundingClientRect();
        const box = { x: left + width / 2, y: top + height / 2, width, height, left, top };
        if (JSON.stringify(box) === before) return done(box);
        before = JSON.stringify(box);
        requestAnimationFrame(look);
      };
      look();
    })`);
  }

  mouse(type, x, y) {
    const button = type === 'mouseMoved' ? 'none' : 'left';
    return this.call('Input.dispatchMouseEvent', { type, x, y, button, clickCount: button === 'left' ? 1 : 0 });
  }

  async click(selector) {
    const { x, y } = await this.middle(selector);
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) await this.mouse(type, x, y);
  }

  async key(key) {
    for (const type of ['keyDown', 'keyUp']) await this.call('Input.dispatchKeyEvent', { type, key, code: key });
  }

  size(width, height, scale = 1) {
    return this.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: width < 500 });
  }

  async picture(clip) {
    const { data } = await this.call('Page.captureScreenshot', { format: 'png', clip, captureBeyondViewport: clip !== undefined });
    return Buffer.from(data, 'base64');
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.call('Browser.close').catch(() => {});
    await ended;
    rmSync(this.#profile, { recursive: true, force: true });
  }
}
