// The player of films: options of a simulated world, drawn from the poses that the run kept. A pose
// is x1, z1, x2, z2 of each part in millimetres, and y1, y2 unless it is seen from the side, one
// for every action; between two of them it is interpolated. From the side the camera follows the
// path over marks on the ground, one per metre; from above and at a slant the dots on the floor are
// a metre apart, and dragging turns the slanted view. Below is a gallery of all options of a run.
//
//   const players = vicPlayers(root, films);   // films as written by film_data of src/report/page
//   players.update(films);                     // of the same worlds, at a later time
'use strict';
window.vicPlayers = (() => {
  const { colour, signed } = window.VicFilmView;
  const mix = (a, b, w) => a + (b - a) * w;
  const speeds = [0.25, 0.5, 1, 2, 4];

  // the camera's centre: the path, smoothed over a second to avoid shaking
  const cameraOf = (run, option) => {
    const half = Math.max(1, Math.round(0.5 / run.seconds));
    return option.path.map((_, i) => {
      const near = option.path.slice(Math.max(0, i - half), i + half + 1);
      const mean = (k) => near.reduce((sum, at) => sum + (at[k] ?? 0), 0) / near.length;
      return run.view === 'side' ? mean(0) : [mean(0), mean(3)];
    });
  };

  class Player extends window.VicFilmView {
    constructor(figure, runs) {
      super();
      const find = (selector) => figure.querySelector(selector);
      Object.assign(this, { runs, canvas: find('canvas'), runChoice: find('.run'), optionChoice: find('.option'),
        speedChoice: find('.speed'), button: find('.play'), scrub: find('.scrub'), now: find('.now'), gallery: find('.gallery'), figure, playing: false, t: 0, azimuth: -Math.PI / 6, dragged: 0 });
      this.listRuns();
      speeds.forEach((speed) => this.speedChoice.add(new Option(`${speed}×`, speed, speed === 1, speed === 1)));
      this.runChoice.addEventListener('change', () => this.chooseRun());
      this.optionChoice.addEventListener('change', () => this.chooseOption());
      this.button.addEventListener('click', () => this.toggle());
      this.scrub.addEventListener('input', () => { this.pause(); this.seek(Number(this.scrub.value)); });
      this.canvas.addEventListener('click', () => { if (this.dragged < 4) this.toggle(); });
      this.canvas.addEventListener('pointerdown', () => { this.dragged = 0; });
      this.canvas.addEventListener('pointermove', (event) => {
        if (event.buttons !== 1 || this.run.view !== 'slanted') return;
        this.dragged += Math.abs(event.movementX);
        this.turn(-0.01 * event.movementX);
      });
      this.canvas.addEventListener('keydown', (event) => this.key(event));
      this.gallery.addEventListener('click', (event) => {
        const thumb = event.target.closest('button');
        if (!thumb) return;
        this.optionChoice.value = thumb.value;
        this.chooseOption();
        this.play();
        this.canvas.scrollIntoView({ block: 'nearest' });
      });
      addEventListener('themechange', () => { this.draw(); this.fillGallery(); });
      new ResizeObserver(() => this.draw()).observe(this.canvas);
      this.chooseRun();
    }

    get run() { return this.runs[Number(this.runChoice.value)]; }
    get option() { return this.run.options[Number(this.optionChoice.value)]; }
    get last() { return this.option.path.length - 1; }

    listRuns() {
      this.runChoice.replaceChildren(...this.runs.map((run, i) => new Option(run.label, i)));
    }

    // the films of the same world at another time: the one being watched is kept
    update(runs) {
      if (JSON.stringify(runs) === JSON.stringify(this.runs)) return;
      const [label, option, t, playing] = [this.run.label, this.optionChoice.selectedIndex, this.t, this.playing];
      this.runs = runs;
      this.listRuns();
      this.runChoice.selectedIndex = Math.max(0, runs.findIndex((run) => run.label === label));
      this.chooseRun();
      this.optionChoice.selectedIndex = Math.min(Math.max(0, option), this.run.options.length - 1);
      this.chooseOption();
      this.seek(t);
      if (playing) this.play();
    }

    // every option in five moments, small
    fillGallery() {
      this.gallery.replaceChildren(...this.run.options.map((option, i) => {
        const thumb = document.createElement('button'), canvas = document.createElement('canvas'), words = document.createElement('span');
        Object.assign(thumb, { type: 'button', value: i });
        thumb.setAttribute('aria-label', `play option ${i + 1}: ${option.behaviour}, ${option.end}`);
        words.innerHTML = '<b></b> <small></small>';
        words.querySelector('b').textContent = option.behaviour;
        words.querySelector('small').textContent = option.end;
        thumb.append(canvas, words);
        this.drawThumb(canvas, option);
        return thumb;
      }));
      this.markThumb();
    }

    markThumb() {
      [...this.gallery.children].forEach((thumb, i) => thumb.setAttribute('aria-pressed', i === Number(this.optionChoice.value)));
    }

    drawThumb(canvas, option) {
      const width = 172, height = 84, ground = height - 8, ratio = devicePixelRatio;
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      const ctx = canvas.getContext('2d');
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const last = option.poses.length - 1;
      const moments = [0, 0.25, 0.5, 0.75, 1].map((share) => this.flat(option.poses[Math.round(share * last)]));
      const xs = moments.flatMap((pose) => pose.filter((_, k) => k % 2 === 0)), zs = moments.flatMap((pose) => pose.filter((_, k) => k % 2 === 1));
      const side = this.run.view === 'side', edge = side ? 150 : 40;
      const [left, right] = [Math.min(...xs) - edge, Math.max(...xs) + edge];
      const bottom = side ? 0 : Math.min(...zs) - edge, top = side ? Math.max(1200, ...zs) + 100 : Math.max(...zs) + edge;
      const scale = Math.min(width / (right - left), (ground - 4) / (top - bottom));
      const view = { scale, ground, x: (mm) => width / 2 + scale * (mm - (left + right) / 2), y: (mm) => ground - scale * (mm - bottom) };
      ctx.fillStyle = colour('warm');
      ctx.fillRect(0, 0, width, height);
      ctx.fillStyle = colour('rule');
      if (side) ctx.fillRect(0, ground, width, height - ground);
      moments.forEach((pose, k) => {
        ctx.globalAlpha = k === last ? 1 : 0.3 + 0.7 * (k / (moments.length - 1)) ** 2;
        this.drawPose(ctx, view, pose);
      });
    }

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
      this.optionChoice.selectedIndex = 0;
      this.fillGallery();
      this.chooseOption();
    }

    chooseOption() {
      this.markThumb();
      this.camera = cameraOf(this.run, this.option);
      // the highest point of the option, in metres
      const flat = this.option.poses.map((pose) => this.flat(pose));
      this.top = Math.max(...flat.map((pose) => Math.max(...pose.filter((_, i) => i % 2 === 1)))) / 1000;
      // and the full extent for the view from above, which does not move
      const every = (odd) => flat.flatMap((pose) => pose.filter((_, i) => i % 2 === odd));
      const extent = (list) => list.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
      this.extent = this.run.view === 'top' ? [extent(every(0)), extent(every(1))] : null;
      this.scrub.max = this.last;
      this.seek(0);
    }

    seek(t) {
      this.t = Math.min(this.last, Math.max(0, t));
      this.scrub.value = Math.round(this.t);
      const [x, z, turns] = this.at(this.option.path);
      const [x0, z0] = this.option.path[0];
      const other = this.run.view === 'side' ? z - z0 : this.at(this.option.path)[3] - this.option.path[0][3];
      const second = this.run.turns ? `${signed(turns / 1000, 2)} turns` : `${signed(other / 1000, 2)} m`;
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

    // another item of a list, within its ends
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

  }

  return (root, films) => {
    const players = new Map();
    const update = (list) => {
      for (const { id, runs } of list) {
        const known = players.get(id), figure = root.querySelector(`[id="${id}"]`);
        if (known && known.figure === figure) known.update(runs);
        else if (figure) players.set(id, new Player(figure, runs));
      }
    };
    update(films);
    return { update };
  };
})();
