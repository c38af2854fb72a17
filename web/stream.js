// The stream of events from the server, shared by all tabs of a browser: browsers open at most six
// connections to a server, so a seventh tab with its own stream would wait for ever. The tab that
// holds the lock listens and passes everything on; when it is closed, another takes its place.
//
//   vicStream(token, { event: (name, data) => …, state: (state) => … });
//
// States: "live"; "lost", while it keeps retrying; "refused", if the token is wrong, as after a
// restart of the server.
'use strict';
window.vicStream = (token, heard) => {
  const silence = 20000, pause = 2000;
  const channel = new BroadcastChannel('vic');
  let last = Date.now(), state = 'waiting', source = null;
  const show = (now) => { if (now !== state) { state = now; heard.state(now); } };
  const take = ({ name, data, state: now }) => {
    if (now) { show(now); return; }
    last = Date.now();
    show('live');
    heard.event(name, data);
  };
  const tell = (message) => { take(message); channel.postMessage(message); };
  channel.onmessage = ({ data }) => take(data);

  // why the server does not answer: it is gone, or it knows another token
  const ask = async () => {
    try {
      const answer = await fetch(`/ping?token=${token}`, { cache: 'no-store' });
      return answer.status === 403 ? 'refused' : 'lost';
    } catch (_) { return 'lost'; }
  };

  const listen = () => {
    source?.close();
    source = new EventSource(`/events?token=${token}`);
    for (const name of ['runs', 'ended', 'evaluated', 'beat']) {
      source.addEventListener(name, (event) => tell({ name, data: JSON.parse(event.data) }));
    }
    source.onerror = async () => {
      const failed = source;
      failed.close();
      tell({ state: await ask() });
      // whatever the reason, it may pass: a restarted server is found
      setTimeout(() => { if (source === failed) listen(); }, pause);
    };
  };

  navigator.locks.request('vic-stream', () => new Promise(() => {
    listen();
    // after a laptop was closed, nothing comes through the old connection
    setInterval(() => { if (Date.now() - last > silence && state === 'live') { tell({ state: 'lost' }); listen(); } }, 1000);
    for (const name of ['online', 'pageshow']) addEventListener(name, () => { if (state !== 'live') listen(); });
  }));
  // the listening tab may vanish without notice
  setInterval(() => { if (Date.now() - last > silence + 5000) show('lost'); }, 1000);
};
