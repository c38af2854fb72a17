// The page's behaviour: curves with uPlot, heat maps by seed, values under the pointer and under
// the arrow keys. Figures that need no script are drawn by the program (src/report).
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const number = (x, digits) => x === null || x === undefined ? '–' : x.toFixed(digits).replace('-', '−');

  // ---- the tip that follows pointer and focus

  const tip = document.getElementById('tip');
  const showTip = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, x - box.width / 2), innerWidth - box.width - 8);
    const top = y - box.height - 12 < 4 ? y + 18 : y - box.height - 12;
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  };
  const hideTip = () => { tip.hidden = true; };

  // ---- curves

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

  const drawWarmUp = (chart) => (u) => {
    if (!chart.warm_up) return;
    const { ctx, bbox } = u, ratio = devicePixelRatio;
    const from = Math.max(u.valToPos(0, 'x', true), bbox.left);
    const to = Math.min(u.valToPos(chart.warm_up, 'x', true), bbox.left + bbox.width);
    if (to <= from) return;
    ctx.save();
    ctx.fillStyle = colour('warm');
    ctx.fillRect(from, bbox.top, to - from, bbox.height);
    ctx.fillStyle = colour('soft');
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    if (to - from > 52 * ratio) drawName(ctx, 'warm-up', from + 3 * ratio, bbox.top - 7 * ratio, ratio);
    ctx.restore();
  };

  const drawMarks = (chart) => (u) => {
    const { ctx, bbox } = u, ratio = devicePixelRatio;
    const places = chart.marks.map((mark) => u.valToPos(mark.value, 'y', true));
    const labels = spread(places, 14 * ratio, bbox.top, bbox.top + bbox.height);
    ctx.save();
    ctx.fillStyle = colour('soft');
    ctx.textAlign = 'right';
    ctx.textBaseline = 'alphabetic';
    drawName(ctx, chart.unit, bbox.left - 8 * ratio, bbox.top - 7 * ratio, ratio);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    chart.marks.forEach((mark, i) => {
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
  };

  // writes the values at index i into the legend; without one, those of the last update
  const read = (chart, legend, i) => {
    const last = chart.x.length - 1;
    const at = i === null || i === undefined ? last : i;
    legend.querySelector('.at output').value = chart.x[at];
    chart.series.forEach((series, s) => {
      let k = at;
      // a series that ended earlier keeps its last value while nothing is pointed at
      if (at !== i) while (k > 0 && series.mean[k] === null) --k;
      const item = legend.querySelector(`[data-series="${s}"]`);
      item.querySelector('output').value = number(series.mean[k], chart.digits);
      const around = item.querySelector('.around');
      if (around) {
        around.textContent = series.mean[k] === null || series.n < 2 ? ''
          : `${number(series.low[k], chart.digits)} to ${number(series.high[k], chart.digits)}`;
      }
    });
  };

  const axis = (extra) => ({
    stroke: colour('soft'), font: `12px ${colour('sans')}`, grid: { stroke: colour('rule'), width: 1 },
    ticks: { show: false }, ...extra,
  });

  const build = (chart, element, legend) => {
    const series = [{}], bands = [], columns = [chart.x];
    for (const one of chart.series) {
      const stroke = colour('c' + one.colour);
      columns.push(one.mean, one.high, one.low);
      series.push({ stroke, width: 2, spanGaps: true, points: { show: false } });
      for (let k = 0; k < 2; ++k) series.push({ stroke: 'transparent', width: 0, spanGaps: true, points: { show: false } });
      bands.push({ series: [series.length - 2, series.length - 1], fill: stroke + '2b' });
    }
    const first = chart.x[0], end = chart.x[chart.x.length - 1];
    return new uPlot({
      width: element.clientWidth, height: element.clientHeight, legend: { show: false },
      padding: [22, roomFor(chart), 0, 0],
      cursor: { y: false, drag: { x: true, y: false }, points: { size: 8,
        show: (u, s) => s % 3 === 1 ? undefined : false } },
      scales: {
        x: { time: false, range: (u, low, high) => low === first && high === end ? [0, chart.last] : [low, high] },
        y: { range: [chart.low, chart.high] },
      },
      axes: [axis({ space: 64, size: 30, label: 'updates', labelFont: `12px ${colour('sans')}`, labelSize: 20, grid: { show: false }, ticks: { show: true, size: 4, stroke: colour('faint') }, border: { show: true, stroke: colour('faint') } }),
             axis({ size: 54 })],
      series, bands,
      hooks: { drawClear: [drawWarmUp(chart)], drawAxes: [drawMarks(chart)],
               setCursor: [(u) => read(chart, legend, u.cursor.left < 0 ? null : u.cursor.idx)] },
    }, columns, element);
  };

  const walk = (u, event) => {
    const step = event.shiftKey ? 10 : 1, last = u.data[0].length - 1;
    const now = u.cursor.left < 0 || u.cursor.idx === null ? last : u.cursor.idx;
    const to = { ArrowLeft: now - step, ArrowRight: now + step, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') u.setCursor({ left: -10, top: -10 });
    if (to === undefined) return;
    event.preventDefault();
    const i = Math.min(last, Math.max(0, to));
    u.setCursor({ left: u.valToPos(u.data[0][i], 'x'), top: u.over.clientHeight / 2 });
  };

  for (const chart of data.charts) {
    const figure = document.getElementById(chart.id);
    const element = figure.querySelector('.plot'), legend = figure.querySelector('.legend');
    let u = build(chart, element, legend);
    read(chart, legend, null);
    element.addEventListener('keydown', (event) => walk(u, event));
    const again = () => { u.destroy(); u = build(chart, element, legend); };
    addEventListener('themechange', again);
    let width = element.clientWidth;
    new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      again();
    }).observe(element);
  }

  // ---- heat maps

  const levels = data.heat_levels;
  const level = (share) => share > 0 ? Math.min(levels, Math.max(1, Math.round(Math.sqrt(share) * levels))) : 0;
  // as the program writes it
  const percent = (p) => p === 0 ? '' : p < 0.005 ? '<1' : (100 * p).toFixed(0);

  const paint = (heat, panel, element, choice) => {
    const p = panel.choices[choice] || panel.choices.mean;
    element.dataset.choice = panel.choices[choice] ? choice : 'mean';
    for (const cell of element.querySelectorAll('[data-s]')) {
      const h = level(heat.largest > 0 ? p[cell.dataset.s] / heat.largest : 0);
      cell.setAttribute('class', cell.getAttribute('class').replace(/\bh\d+/, 'h' + h));
    }
    for (const route of element.querySelectorAll('[data-route]')) {
      route.style.display = element.dataset.choice === 'mean' || route.dataset.route === choice ? '' : 'none';
    }
    for (const text of element.querySelectorAll('[data-v]')) {
      const share = p[text.dataset.v];
      text.textContent = percent(share);
      text.classList.toggle('on', 2 * level(share / heat.largest) > levels);
    }
  };

  for (const heat of data.heats) {
    const figure = document.getElementById(heat.id);
    const panels = [...figure.querySelectorAll('.panel')];
    const words = (k, s) => {
      const panel = heat.panels[k], choice = panels[k].dataset.choice || 'mean';
      const whose = Object.keys(panel.choices).length > 1 ? `, ${choice}` : '';
      return `${panel.title}${whose}: p(${heat.states[s]}) = ${panel.choices[choice][s].toFixed(4)}`;
    };
    figure.addEventListener('change', (event) => {
      panels.forEach((element, k) => paint(heat, heat.panels[k], element, event.target.value));
    });
    panels.forEach((element, k) => {
      const svg = element.querySelector('svg');
      let picked = -1;
      const pick = (s) => {
        svg.querySelector('.picked')?.classList.remove('picked');
        picked = s;
        if (s < 0) { hideTip(); return; }
        const cell = svg.querySelector(`[data-s="${s}"]`);
        cell.classList.add('picked');
        const box = cell.getBoundingClientRect();
        showTip(words(k, s), box.left + box.width / 2, box.top);
      };
      svg.addEventListener('pointermove', (event) => {
        const cell = event.target.closest('[data-s], [data-v]');
        if (!cell) { hideTip(); return; }
        showTip(words(k, +(cell.dataset.s ?? cell.dataset.v)), event.clientX, event.clientY);
      });
      svg.addEventListener('pointerleave', () => { if (picked < 0) hideTip(); });
      svg.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (event.key === 'Escape') pick(-1);
        if (!step) return;
        event.preventDefault();
        pick(Math.min(heat.states.length - 1, Math.max(0, picked + step)));
      });
      svg.addEventListener('blur', () => pick(-1));
      svg.setAttribute('tabindex', '0');
    });
  }

  // ---- bars

  for (const bar of document.querySelectorAll('[data-tip]')) {
    bar.addEventListener('pointermove', (event) => showTip(bar.dataset.tip, event.clientX, event.clientY));
    bar.addEventListener('pointerleave', hideTip);
  }

  // ---- light and dark

  const button = document.getElementById('theme');
  const say = () => button.setAttribute('aria-pressed', document.documentElement.dataset.theme === 'dark');
  button.addEventListener('click', () => toggleTheme());
  addEventListener('themechange', say);
  say();
  document.documentElement.dataset.ready = 'true';
})();
