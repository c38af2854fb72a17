// The figures of the report and of the live page: curves (web/curves.js), heat maps by seed, values
// at the pointer or chosen with the arrow keys, commands to copy, hints on tables that scroll. The
// program draws what needs no script (src/report).
//
//   const figures = vicFigures(root, data);   // data as written by script_data of src/report/page
//   figures.update(data);                     // after the markup in root was changed
'use strict';
window.vicFigures = (() => {
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

  // ---- heat maps

  class Heat {
    constructor(figure, data, levels) {
      Object.assign(this, { figure, levels, choice: 'mean', picked: null });
      this.show(data);
      figure.addEventListener('change', (event) => { this.choice = event.target.value; this.paint(); });
      figure.addEventListener('keydown', (event) => this.key(event));
      figure.addEventListener('focusout', () => this.pick(null, -1));
    }

    show(data) {
      this.data = data;
      for (const svg of this.figure.querySelectorAll('.panel svg')) svg.setAttribute('tabindex', '0');
      const button = this.figure.querySelector(`input[value="${this.choice}"]`);
      if (button) button.checked = true;
      if (this.choice !== 'mean') this.paint();
    }

    get panels() { return [...this.figure.querySelectorAll('.panel')]; }
    level(share) { return share > 0 ? Math.min(this.levels, Math.max(1, Math.round(Math.sqrt(share) * this.levels))) : 0; }

    paint() {
      // in the program's format
      const percent = (p) => p === 0 ? '' : p < 0.005 ? '<1' : (100 * p).toFixed(0);
      const { largest } = this.data;
      this.panels.forEach((element, k) => {
        const { choices } = this.data.panels[k];
        const p = choices[this.choice] || choices.mean;
        element.dataset.choice = choices[this.choice] ? this.choice : 'mean';
        for (const cell of element.querySelectorAll('[data-s]')) {
          const h = this.level(largest > 0 ? p[cell.dataset.s] / largest : 0);
          cell.setAttribute('class', cell.getAttribute('class').replace(/\bh\d+/, 'h' + h));
        }
        for (const route of element.querySelectorAll('[data-route]')) {
          route.style.display = element.dataset.choice === 'mean' || route.dataset.route === this.choice ? '' : 'none';
        }
        for (const text of element.querySelectorAll('[data-v]')) {
          const share = p[text.dataset.v];
          text.textContent = percent(share);
          text.classList.toggle('on', 2 * this.level(share / largest) > this.levels);
        }
      });
    }

    words(element, s) {
      const panel = this.data.panels[element.dataset.panel], choice = element.dataset.choice || 'mean';
      const whose = Object.keys(panel.choices).length > 1 ? `, ${choice}` : '';
      return `${panel.title}${whose}: p(${this.data.states[s]}) = ${panel.choices[choice][s].toFixed(4)}`;
    }

    pick(element, s) {
      this.figure.querySelector('.picked')?.classList.remove('picked');
      this.picked = element && { element, s };
      if (!element) { hideTip(); return; }
      const cell = element.querySelector(`[data-s="${s}"]`);
      cell.classList.add('picked');
      const box = cell.getBoundingClientRect();
      showTip(this.words(element, s), box.left + box.width / 2, box.top);
    }

    key(event) {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === 'Escape') this.pick(null, -1);
      const element = event.target.closest('.panel');
      if (!step || !element) return;
      event.preventDefault();
      const now = this.picked?.element === element ? this.picked.s : -1;
      this.pick(element, Math.min(this.data.states.length - 1, Math.max(0, now + step)));
    }
  }

  // ---- the whole page

  // a table that is wider than its place shows in which direction it continues
  const hintScroll = (place) => {
    const more = place.scrollWidth - place.clientWidth - place.scrollLeft > 4;
    place.classList.toggle('more', more);
    place.classList.toggle('less', place.scrollLeft > 4);
  };

  const copy = async (button) => {
    const text = button.parentElement.querySelector('code').textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch (_) {
      // a page opened as a file may have no clipboard: select the text to copy it by hand
      getSelection().selectAllChildren(button.parentElement.querySelector('code'));
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  };

  return (root, data) => {
    const charts = new Map(), heats = new Map();
    const sizes = new ResizeObserver((changed) => changed.forEach(({ target }) => hintScroll(target)));
    const find = (id) => root.querySelector(`[id="${id}"]`);
    const update = (now) => {
      for (const chart of now.charts) {
        const known = charts.get(chart.id), figure = find(chart.id);
        if (known && known.figure === figure) known.show(chart);
        else if (figure) charts.set(chart.id, new VicChart(figure, chart));
      }
      for (const heat of now.heats) {
        const known = heats.get(heat.id), figure = find(heat.id);
        if (known && known.figure === figure) known.show(heat);
        else if (figure) heats.set(heat.id, new Heat(figure, heat, now.heat_levels));
      }
      for (const place of root.querySelectorAll('.scroll')) { hintScroll(place); sizes.observe(place); }
    };
    root.addEventListener('pointermove', (event) => {
      const bar = event.target.closest?.('[data-tip]'), cell = event.target.closest?.('[data-s], [data-v]');
      const heat = cell && heats.get(cell.closest('figure')?.id);
      if (bar) showTip(bar.dataset.tip, event.clientX, event.clientY);
      else if (heat) showTip(heat.words(cell.closest('.panel'), +(cell.dataset.s ?? cell.dataset.v)), event.clientX, event.clientY);
      else if (![...heats.values()].some((one) => one.picked)) hideTip();
    });
    root.addEventListener('click', (event) => { if (event.target.closest('.copy')) copy(event.target.closest('.copy')); });
    root.addEventListener('scroll', (event) => { if (event.target.classList?.contains('scroll')) hintScroll(event.target); }, true);
    update(data);
    return { update };
  };
})();

// ---- light and dark

(() => {
  const button = document.getElementById('theme');
  const say = () => button.setAttribute('aria-pressed', document.documentElement.dataset.theme === 'dark');
  button.addEventListener('click', () => toggleTheme());
  addEventListener('themechange', say);
  say();
})();
