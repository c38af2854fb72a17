// Draws a moment of a film on the player's canvas: from the side, from above, or at a slant. A pose
// is x1, z1, x2, z2 of each part in millimetres, and y1, y2 unless it is seen from the side.
'use strict';
window.VicFilmView = (() => {
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const signed = (x, digits) => {
    const text = Math.abs(x).toFixed(digits);
    return Number(text) === 0 ? text : (x < 0 ? '−' : '+') + text;
  };
  // the colours of filmstrips (src/report/palette.cpp): the trunk, then limbs, whose colours repeat
  const limbColour = (limb) =>
    colour(limb < 0 ? 'faint' : limb === 0 ? 'control' : ['c0', 'c4', 'c2', 'c3'][(limb - 1) % 4]);
  // in the slanted view: how far the camera stands above the ground
  const elevation = Math.PI / 7;

  // for an object with a canvas, a run, an option, a moment t, the camera and the azimuth
  return class {
    static colour = colour;
    static signed = signed;

    turn(by) {
      this.azimuth += by;
      this.canvas.dataset.azimuth = this.azimuth.toFixed(3);
      this.draw();
    }

    // a point of the world in the plane of the picture, in millimetres
    project(x, y, z) {
      if (this.run.view === 'side') return [x, z];
      if (this.run.view === 'top') return [x, y];
      const cos = Math.cos(this.azimuth), sin = Math.sin(this.azimuth);
      return [x * cos + y * sin, z * Math.cos(elevation) + (y * cos - x * sin) * Math.sin(elevation)];
    }

    // the same for a pose, and for its shadow: x1, z1, x2, z2 of each part
    flat(pose, shadow = false) {
      if (this.run.view === 'side') return pose;
      const list = [], up = shadow ? 0 : 1;
      for (let k = 0; k < pose.length; k += 6) {
        const [x1, z1, x2, z2, y1, y2] = pose.slice(k, k + 6);
        list.push(...this.project(x1, y1, up * z1), ...this.project(x2, y2, up * z2));
      }
      return list;
    }

    // and for a place on the path, which lies on the ground in the slanted view
    flatPlace(at) { return this.project(at[0], at[3], this.run.view === 'side' ? at[1] : 0); }

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
      if (this.run.view !== 'side') { this.drawSpace(ctx, width, height); return; }
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

    // the view from above or at a slant: dots on the floor, shadows, the path, the parts
    drawSpace(ctx, width, height) {
      const middle = this.at(this.camera), edge = 1.1;
      let scale = Math.min(width / 4.5, height / 3) / 1000, [cx, cz] = this.project(middle[0], middle[1], 300);
      if (this.extent) {
        const [across, up] = this.extent, most = Math.max(...this.run.parts.map(([r]) => r));
        scale = Math.min(width / (across[1] - across[0] + 2 * most), height / (up[1] - up[0] + 2 * most)) / edge;
        [cx, cz] = [(across[0] + across[1]) / 2, (up[0] + up[1]) / 2];
      }
      const view = { width, height, scale, x: (mm) => width / 2 + scale * (mm - cx), y: (mm) => height / 2 - scale * (mm - cz) };
      ctx.fillStyle = colour('warm');
      ctx.fillRect(0, 0, width, height);
      ctx.fillStyle = colour('faint');
      const far = Math.min(60, Math.ceil(width / scale / 1000) + 2);
      for (let i = -far; i <= far; ++i) {
        for (let j = -far; j <= far; ++j) {
          const [x, y] = [Math.round(middle[0] / 1000) + i, Math.round(middle[1] / 1000) + j];
          const [right, up] = this.project(1000 * x, 1000 * y, 0);
          const size = x === 0 && y === 0 ? 4 : 2;
          ctx.fillRect(view.x(right) - size / 2, view.y(up) - size / 2, size, size);
        }
      }
      const pose = this.at(this.option.poses);
      if (this.run.view === 'slanted') this.drawPose(ctx, view, this.flat(pose, true), colour('rule'));
      this.drawTrail(ctx, view);
      this.drawPose(ctx, view, this.flat(pose));
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
      for (const at of [...this.option.path.slice(0, Math.floor(this.t) + 1), here]) {
        const [right, up] = this.flatPlace(at);
        ctx.lineTo(view.x(right), view.y(up));
      }
      ctx.stroke();
    }

    // limb by limb, each with a rim that sets it apart from the last, the trunk on top
    drawParts(ctx, view) { this.drawPose(ctx, view, this.at(this.option.poses)); }

    // in the colours of the limbs, or all in one
    drawPose(ctx, view, pose, one = null) {
      const { parts } = this.run;
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
        // a ball is a line of zero length, which some browsers do not draw
        ctx.lineTo(view.x(x2) + (x1 === x2 && z1 === z2 ? 0.01 : 0), view.y(z2));
        ctx.stroke();
      };
      for (const limb of order) {
        const own = parts.map((_, k) => k).filter((k) => parts[k][1] === limb);
        if (!one) for (const k of own) line(k, colour('warm'), 3);
        for (const k of own) line(k, one ?? limbColour(limb), 0);
      }
    }
  };
})();
