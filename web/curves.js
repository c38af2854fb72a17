// Curves over updates, drawn with uPlot: axes that leave out the warm-up, bands, lines to compare with,
// and a legend with the values at the pointer or at the place chosen with the arrow keys.
//
//   const chart = new VicChart(figure, data);   // data: an element of "charts" of script_data
//   chart.show(data);                           // the same curves, longer
'use strict';
window.VicChart = (() => {
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const number = (x, digits) => x === null || x === undefined ? '–' : x.toFixed(digits).replace('-', '−');
  const grouped = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');

  // "H_at_D_max" with its subscript, on a canvas; returns nothing
  const drawName = (ctx, text, x, y, ratio) => {
    const [, base, sub, rest] = /^([A-Za-z]+)_([A-Za-z_]+)(.*)$/.exec(text) || [null, text, '', ''];
    const write = (words, size, dy) => {
      ctx.font = `${size * ratio}px ${getComputedStyle(document.body).getPropertyValue('--sans')}`;
      ctx.fillText(words, x, y + dy * ratio);
      x += ctx.measureText(words).width;
    };
    write(base, 12, 0);
    write(sub.replaceAll('_', ' '), 9.5, 3);
    write(rest, 12, 0);
  };

  // places for labels: in order, none closer than `distance`
  const spread = (places, distance, low, high) => {
    const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
    const out = places.slice();
    let next = low;
    for (const i of order) { out[i] = Math.max(out[i], next); next = out[i] + distance; }
    let room = high;
    for (const i of order.reverse()) { out[i] = Math.min(out[i], room); room = out[i] - distance; }
    return out;
  };

  const markText = (mark) => mark.label + (innerWidth > 860 ? ' ' + number(mark.value, 3) : '');

  // room for the longest label on the right
  const roomFor = (chart) => {
    const ctx = document.createElement('canvas').getContext('2d');
    ctx.font = `12px ${colour('sans')}`;
    return 16 + Math.max(8, ...chart.marks.map((mark) => ctx.measureText(markText(mark)).width));
  };

  const dashes = { '': [], dash: [6, 4], dot: [1.5, 3] };

  // The columns that uPlot draws for a chart: all series over the same x, null if one has no value.
  // The axis "all" has every update; "policy" and "log" begin where the warm-up of each series
  // ends.
  const columnsOf = (chart, axis) => {
    const shift = (series) => axis === 'all' ? 0 : series.warm_up;
    const least = axis === 'all' ? -Infinity : axis === 'log' ? 1 : 0;
    const places = new Set();
    for (const series of chart.series) {
      for (const update of series.x) if (update - shift(series) >= least) places.add(update - shift(series));
    }
    const x = [...places].sort((a, b) => a - b);
    const index = new Map(x.map((update, i) => [update, i]));
    const columns = [x];
    for (const series of chart.series) {
      const [mean, high, low] = [0, 1, 2].map(() => new Array(x.length).fill(null));
      series.x.forEach((update, k) => {
        const i = index.get(update - shift(series));
        if (i === undefined) return;
        mean[i] = series.mean[k]; low[i] = series.low[k]; high[i] = series.high[k];
      });
      columns.push(mean, high, low);
    }
    return columns;
  };

  return class Chart {
    constructor(figure, data) {
      this.figure = figure;
      this.element = figure.querySelector('.plot');
      this.legend = figure.querySelector('.legend');
      this.axis = data.axis;
      this.width = this.element.clientWidth;
      this.show(data);
      this.element.addEventListener('keydown', (event) => this.walk(event));
      figure.addEventListener('change', (event) => {
        if (!event.target.closest('.axes')) return;
        this.axis = event.target.value;
        this.build();
      });
      addEventListener('themechange', () => { if (this.element.isConnected) this.build(); });
      new ResizeObserver(() => {
        if (this.element.clientWidth === this.width) return;
        this.width = this.element.clientWidth;
        this.build();
      }).observe(this.element);
    }

    show(data) {
      const same = this.data && JSON.stringify(this.data.series.map((s) => s.label)) === JSON.stringify(data.series.map((s) => s.label));
      this.data = data;
      if (!same) { this.build(); return; }
      this.columns = columnsOf(data, this.axis);
      const [from, to] = [this.u.scales.x.min, this.u.scales.x.max], zoomed = this.zoomed;
      this.u.setData(this.columns, !zoomed);
      if (zoomed) this.u.setScale('x', { min: from, max: to });
      if (!this.pointed) this.read(null);
    }

    get pointed() { return this.u.cursor.left >= 0 && this.u.cursor.idx !== null; }

    build() {
      const chart = this.data;
      this.u?.destroy();
      this.zoomed = false;
      this.columns = columnsOf(chart, this.axis);
      const series = [{}], bands = [];
      for (const one of chart.series) {
        const stroke = colour('c' + one.colour);
        series.push({ stroke, width: 2, spanGaps: true, points: { show: one.x.length < 2 } });
        for (let k = 0; k < 2; ++k) series.push({ stroke: 'transparent', width: 0, spanGaps: true, points: { show: false } });
        bands.push({ series: [series.length - 2, series.length - 1], fill: stroke + '2b' });
      }
      const axis = (extra) => ({ stroke: colour('soft'), font: `12px ${colour('sans')}`,
        grid: { stroke: colour('rule'), width: 1 }, ticks: { show: false }, ...extra });
      const incrs = [];
      for (let ten = 1; ten < 1e12; ten *= 10) incrs.push(ten, 2 * ten, 5 * ten);
      const log = this.axis === 'log';
      const across = axis({ space: 64, size: 30, label: this.axis === 'all' ? 'updates' : 'updates of the policy', labelFont: `12px ${colour('sans')}`,
        labelSize: 20, grid: { show: false }, ticks: { show: true, size: 4, stroke: colour('faint') }, border: { show: true, stroke: colour('faint') },
        values: (u, splits) => splits.map((x) => x === null ? '' : grouped(x)) });
      // updates have no fractions
      if (!log) across.incrs = incrs;
      this.u = new uPlot({
        width: this.element.clientWidth, height: this.element.clientHeight, legend: { show: false },
        padding: [22, roomFor(chart), 0, 0],
        cursor: { y: false, drag: { x: true, y: false }, points: { size: 8, show: (u, s) => s % 3 === 1 ? undefined : false } },
        scales: { x: { time: false, distr: log ? 3 : 1, range: (u, low, high) => this.range(low, high) }, y: { range: () => [this.data.low, this.data.high] } },
        axes: [across, axis({ size: 54 })],
        series, bands,
        hooks: { drawClear: [(u) => this.drawWarmUp(u)], drawAxes: [(u) => this.drawMarks(u)],
                 setSelect: [() => { this.zoomed = true; }],
                 setCursor: [(u) => this.read(u.cursor.left < 0 ? null : u.cursor.idx)] },
      }, this.columns, this.element);
      this.u.over.addEventListener('dblclick', () => { this.zoomed = false; });
      this.read(null);
    }

    // the whole axis unless a part of it was selected
    range(low, high) {
      const x = this.columns[0];
      if (x.length === 0) return [0, 1];
      if (low !== x[0] || high !== x[x.length - 1]) return [low, high];
      return this.axis === 'log' ? [low, Math.max(high, low * 1.01)] : [0, Math.max(1, high)];
    }

    drawWarmUp(u) {
      if (!this.data.warm_up || this.axis !== 'all') return;
      const { ctx, bbox } = u, ratio = devicePixelRatio;
      const from = Math.max(u.valToPos(0, 'x', true), bbox.left);
      const to = Math.min(u.valToPos(this.data.warm_up, 'x', true), bbox.left + bbox.width);
      if (to <= from) return;
      ctx.save();
      ctx.fillStyle = colour('warm');
      ctx.fillRect(from, bbox.top, to - from, bbox.height);
      ctx.fillStyle = colour('soft');
      ctx.textAlign = 'left';
      ctx.textBaseline = 'alphabetic';
      if (to - from > 52 * ratio) drawName(ctx, 'warm-up', from + 3 * ratio, bbox.top - 7 * ratio, ratio);
      ctx.restore();
    }

    drawMarks(u) {
      const { ctx, bbox } = u, ratio = devicePixelRatio, marks = this.data.marks;
      const places = marks.map((mark) => u.valToPos(mark.value, 'y', true));
      const labels = spread(places, 14 * ratio, bbox.top, bbox.top + bbox.height);
      ctx.save();
      ctx.fillStyle = colour('soft');
      ctx.textAlign = 'right';
      ctx.textBaseline = 'alphabetic';
      // above the ticks, but no further left than the picture
      ctx.font = `${12 * ratio}px ${colour('sans')}`;
      const width = ctx.measureText(this.data.unit).width;
      drawName(ctx, this.data.unit, Math.max(bbox.left - 8 * ratio, width + 2 * ratio), bbox.top - 7 * ratio, ratio);
      ctx.textAlign = 'left';
      ctx.textBaseline = 'middle';
      marks.forEach((mark, i) => {
        ctx.beginPath();
        ctx.strokeStyle = colour('soft');
        ctx.lineWidth = 1.2 * ratio;
        ctx.setLineDash(dashes[mark.style].map((d) => d * ratio));
        ctx.moveTo(bbox.left, places[i]);
        ctx.lineTo(bbox.left + bbox.width, places[i]);
        ctx.stroke();
        ctx.fillStyle = colour('soft');
        drawName(ctx, markText(mark), bbox.left + bbox.width + 7 * ratio, labels[i], ratio);
      });
      ctx.restore();
    }

    // writes the values at index i into the legend; without an index, the last of each series
    read(i) {
      const { data, legend } = this, x = this.columns[0], resting = i === null || i === undefined;
      const ends = data.series.map((series) => series.x[series.x.length - 1] - (this.axis === 'all' ? 0 : series.warm_up));
      const together = ends.every((end) => end === ends[0]);
      const at = legend.querySelector('.at');
      at.firstChild.data = resting && !together ? 'last value of each ' : this.axis === 'all' ? 'update ' : 'update of the policy ';
      at.querySelector('output').value = !resting ? x[i] : together ? ends[0] ?? '–' : '';
      data.series.forEach((series, s) => {
        const item = legend.querySelector(`[data-series="${s}"]`);
        if (!item) return;
        const last = series.x.length - 1, column = 1 + 3 * s;
        const value = (k) => resting ? [series.mean, series.high, series.low][k][last] : this.columns[column + k][i];
        item.querySelector('output').value = number(value(0), data.digits);
        const some = value(0) !== null && value(0) !== undefined;
        item.querySelector('.around').textContent = !some || series.n < 2 ? ''
          : `${number(value(2), data.digits)} to ${number(value(1), data.digits)}`;
        item.querySelector('.when').textContent = resting && !together && last >= 0 ? (ends[s] < 0 ? 'in its warm-up' : `at ${grouped(ends[s])}`) : '';
      });
    }

    walk(event) {
      const { u } = this, step = event.shiftKey ? 10 : 1, last = u.data[0].length - 1;
      const now = this.pointed ? u.cursor.idx : last;
      const to = { ArrowLeft: now - step, ArrowRight: now + step, Home: 0, End: last }[event.key];
      if (event.key === 'Escape') u.setCursor({ left: -10, top: -10 });
      if (to === undefined) return;
      event.preventDefault();
      const i = Math.min(last, Math.max(0, to));
      u.setCursor({ left: u.valToPos(u.data[0][i], 'x'), top: u.over.clientHeight / 2 });
    }
  };
})();
