// A run that goes on: asks its server for what there is by now, until the run has ended or the server is gone.
export function follow(page) {
  const words = document.getElementById('verdict'),
    { clock } = page;
  clock.follows = true;
  let known = '';
  const ask = async () => {
    try {
      const reply = await fetch('data', { cache: 'no-store', headers: { 'X-Known': known } });
      if (!reply.ok) throw new Error(String(reply.status));
      if (reply.status !== 204) {
        const data = await reply.json();
        known = data.state;
        if (!data.ended) words.textContent = data.words;
        if (data.plots) {
          const atEnd = clock.t === clock.last || clock.playing;
          if (page.stage && data.view) page.stage.show(data);
          page.plots.show(data);
          clock.seek(atEnd && !clock.playing ? clock.last : clock.t);
        }
        if (data.ended) {
          clock.follows = false;
          document.title = data.title;
          if (data.html)
            document
              .getElementById('told')
              .replaceChildren(...new DOMParser().parseFromString(data.html, 'text/html').body.children);
          clock.start();
          return;
        }
      }
    } catch {
      document.getElementById('verdict').textContent += ' The server has gone; the page keeps what it has.';
      return;
    }
    setTimeout(ask, 500);
  };
  ask();
}
