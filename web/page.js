// The report: its figures and films, from the data that the program wrote into the page.
'use strict';
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  vicFigures(document, read('data'));
  if (window.vicPlayers) vicPlayers(document, read('films'));
  document.documentElement.dataset.ready = 'true';
})();
