// Runs before the first paint, so that the page never flashes in the wrong colours.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem('vic-theme'); } catch (_) { /* files may have no storage */ }
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const show = (theme) => { document.documentElement.dataset.theme = theme; };
  show(chosen || (dark.matches ? 'dark' : 'light'));
  dark.addEventListener('change', () => {
    if (!chosen) { show(dark.matches ? 'dark' : 'light'); dispatchEvent(new Event('themechange')); }
  });
  window.toggleTheme = () => {
    chosen = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('vic-theme', chosen); } catch (_) { /* kept for this visit only */ }
    show(chosen);
    dispatchEvent(new Event('themechange'));
  };
})();
