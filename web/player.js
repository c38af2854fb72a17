// The player of films: options of a simulated world, drawn from the poses that the run kept. A pose is
// x1, z1, x2, z2 of each part in millimetres, one at every action; between two of them it is
// interpolated. The camera follows the path over marks that stand on the ground every metre.
'use strict';
(() => {
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const signed = (x, digits) => {
    const text = Math.abs(x).toFixed(digits);
    return Number(text) === 0 ? text : (x < 0 ? '−' : '+') + text;
  };
  const speeds = [0.25, 0.5, 1, 2, 4];
  // the colours of filmstrips (src/report/palette.cpp): the trunk, then limbs, which begin again
  const limbColour = (limb) =>
    colour(limb < 0 ? 'faint' : limb === 0 ? 'control' : ['c0', 'c4', 'c2', 'c3'][(limb - 1) % 4]);
  const mix = (a, b, w) => a + (b - a) * w;

  // where the camera looks: the path, smoothed over a second, so that it does not shake
  const cameraOf = (run, option) => {
    const half = Math.max(1, Math.round(0.5 / run.seconds));
    return option.path.map((_, i) => {
      const near = option.path.slice(Math.max(0, i - half), i + half + 1);
      return near.reduce((sum, at) => sum + at[0], 0) / near.length;
    });
  };

  class Player {
    constructor(figure, runs) {
      const find = (selector) => figure.querySelector(selector);
      Object.assign(this, { runs, canvas: find('canvas'), runChoice: find('.run'), optionChoice: find('.option'),
        speedChoice: find('.speed'), button: find('.play'), scrub: find('.scrub'), now: find('.now'), playing: false, t: 0 });
      runs.forEach((run, i) => this.runChoice.add(new Option(run.label, i)));
      speeds.forEach((speed) => this.speedChoice.add(new Option(`${speed}×`, speed, speed === 1, speed === 1)));
      this.runChoice.addEventListener('change', () => this.chooseRun());
      this.optionChoice.addEventListener('change', () => this.chooseOption());
      this.button.addEventListener('click', () => this.toggle());
      this.scrub.addEventListener('input', () => { this.pause(); this.seek(Number(this.scrub.value)); });
      this.canvas.addEventListener('click', () => this.toggle());
      this.canvas.addEventListener('keydown', (event) => this.key(event));
      addEventListener('themechange', () => this.draw());
      new ResizeObserver(() => this.draw()).observe(this.canvas);
      this.chooseRun();
    }

    get run() { return this.runs[Number(this.runChoice.value)]; }
    get option() { return this.run.options[Number(this.optionChoice.value)]; }
    get last() { return this.option.path.length - 1; }

    // fills the list of options, a group for each behaviour
    chooseRun() {
      this.optionChoice.replaceChildren();
      let group = null;
      this.run.options.forEach((option, i) => {
        if (!group || group.label !== option.behaviour) {
          group = document.createElement('optgroup');
          group.label = option.behaviour;
          this.optionChoice.append(group);
        }
        group.append(new Option(`${i + 1}. ${option.behaviour}: ${option.end}`, i));
      });
      this.chooseOption();
    }

    chooseOption() {
      this.camera = cameraOf(this.run, this.option);
      // what is highest in the option, in metres
      this.top = Math.max(...this.option.poses.map((pose) => Math.max(...pose.filter((_, i) => i % 2 === 1)))) / 1000;
      this.scrub.max = this.last;
      this.seek(0);
    }

    seek(t) {
      this.t = Math.min(this.last, Math.max(0, t));
      this.scrub.value = Math.round(this.t);
      const [x, z, turns] = this.at(this.option.path);
      const [x0, z0] = this.option.path[0];
      const second = this.run.turns ? `${signed(turns / 1000, 2)} turns` : `${signed((z - z0) / 1000, 2)} m`;
      const words = `${(this.t * this.run.seconds).toFixed(2)} s  ${signed((x - x0) / 1000, 2)} m  ${second}`;
      this.now.value = words;
      this.scrub.setAttribute('aria-valuetext', words);
      this.canvas.setAttribute('aria-label', `${this.option.behaviour}, ${words}`);
      this.canvas.dataset.height = (z / 1000).toFixed(3);
      this.draw();
    }

    // rows of numbers at this moment
    at(rows) {
      const i = Math.min(this.last, Math.floor(this.t)), j = Math.min(this.last, i + 1), w = this.t - i;
      return Array.isArray(rows[i]) ? rows[i].map((a, k) => mix(a, rows[j][k], w)) : mix(rows[i], rows[j], w);
    }

    toggle() { if (this.playing) this.pause(); else this.play(); }

    play() {
      if (this.t >= this.last) this.seek(0);
      this.playing = true;
      this.button.textContent = 'Pause';
      let before = null;
      const step = (time) => {
        if (!this.playing) return;
        if (before !== null) {
          const passed = Math.min(0.1, (time - before) / 1000) * Number(this.speedChoice.value);
          this.seek(this.t + passed / this.run.seconds);
        }
        before = time;
        if (this.t >= this.last) this.pause(); else this.frame = requestAnimationFrame(step);
      };
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(step);
    }

    pause() {
      this.playing = false;
      this.button.textContent = 'Play';
    }

    // another one of a list, as far as it goes
    move(list, by) {
      const to = Math.min(list.length - 1, Math.max(0, list.selectedIndex + by));
      if (to === list.selectedIndex) return;
      list.selectedIndex = to;
      list.dispatchEvent(new Event('change'));
    }

    key(event) {
      const actions = {
        ' ': () => this.toggle(),
        ArrowLeft: () => { this.pause(); this.seek(Math.ceil(this.t) - 1); },
        ArrowRight: () => { this.pause(); this.seek(Math.floor(this.t) + 1); },
        Home: () => this.seek(0),
        End: () => { this.pause(); this.seek(this.last); },
        ArrowUp: () => this.move(this.optionChoice, -1),
        ArrowDown: () => this.move(this.optionChoice, 1),
        '+': () => this.move(this.speedChoice, 1),
        '=': () => this.move(this.speedChoice, 1),
        '-': () => this.move(this.speedChoice, -1),
      };
      if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      actions[event.key]();
    }

    draw() {
      const { canvas } = this, ratio = devicePixelRatio;
      const width = canvas.clientWidth, height = canvas.clientHeight;
      if (width === 0) return;
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      const ctx = canvas.getContext('2d');
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const ground = height - 40;
      const scale = Math.min(width / 3.2, (ground - 12) / Math.max(1.9, this.top + 0.1)) / 1000;
      const middle = this.at(this.camera);
      const view = { width, height, ground, scale, x: (mm) => width / 2 + scale * (mm - middle), y: (mm) => ground - scale * mm, middle };
      ctx.fillStyle = colour('warm');
      ctx.fillRect(0, 0, width, height);
      this.drawGround(ctx, view);
      this.drawTrail(ctx, view);
      this.drawParts(ctx, view);
    }

    drawGround(ctx, view) {
      ctx.fillStyle = colour('rule');
      ctx.fillRect(0, view.ground, view.width, view.height - view.ground);
      ctx.strokeStyle = colour('faint');
      ctx.lineWidth = 1;
      ctx.fillStyle = colour('soft');
      ctx.font = `12px ${colour('sans')}`;
      ctx.textAlign = 'center';
      ctx.textBaseline = 'alphabetic';
      ctx.beginPath();
      ctx.moveTo(0, view.ground);
      ctx.lineTo(view.width, view.ground);
      const first = Math.ceil((view.middle - view.width / 2 / view.scale) / 1000);
      const last = Math.floor((view.middle + view.width / 2 / view.scale) / 1000);
      for (let metre = first; metre <= last; ++metre) {
        const x = view.x(1000 * metre);
        ctx.moveTo(x, view.ground);
        ctx.lineTo(x, view.ground + 7);
        ctx.fillText(metre === 0 ? '0' : `${signed(metre, 0)} m`, x, view.ground + 24);
      }
      ctx.stroke();
    }

    drawTrail(ctx, view) {
      const here = this.at(this.option.path);
      ctx.strokeStyle = colour('c5');
      ctx.lineWidth = 1.6;
      ctx.lineJoin = 'round';
      ctx.beginPath();
      for (let i = 0; i <= Math.floor(this.t); ++i) ctx.lineTo(view.x(this.option.path[i][0]), view.y(this.option.path[i][1]));
      ctx.lineTo(view.x(here[0]), view.y(here[1]));
      ctx.stroke();
    }

    // limbs one by one, each with a rim that lets it stand out from the last, the trunk on top
    drawParts(ctx, view) {
      const pose = this.at(this.option.poses), parts = this.run.parts;
      const most = Math.max(...parts.map(([, limb]) => limb));
      const order = [-1];
      for (let limb = most; limb >= 0; --limb) order.push(limb);
      ctx.lineCap = 'round';
      const line = (k, style, rim) => {
        const [x1, z1, x2, z2] = pose.slice(4 * k, 4 * k + 4);
        ctx.strokeStyle = style;
        ctx.lineWidth = Math.max(1, 2 * parts[k][0] * view.scale) + rim;
        ctx.beginPath();
        ctx.moveTo(view.x(x1), view.y(z1));
        // a ball is a line of no length, which some browsers leave out
        ctx.lineTo(view.x(x2) + (x1 === x2 && z1 === z2 ? 0.01 : 0), view.y(z2));
        ctx.stroke();
      };
      for (const limb of order) {
        const own = parts.map((_, k) => k).filter((k) => parts[k][1] === limb);
        for (const k of own) line(k, colour('warm'), 3);
        for (const k of own) line(k, limbColour(limb), 0);
      }
    }
  }

  for (const { id, runs } of JSON.parse(document.getElementById('films').textContent)) {
    new Player(document.getElementById(id), runs);
  }
})();
