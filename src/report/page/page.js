// The page of a run: the motion, the plots, and one clock for both. The data lie in the page; a run that goes
// on sends more.
import { Clock } from './clock.js';
import { element } from './dom.js';
import { follow } from './live.js';
import { endsOf } from './motion.js';
import { Plots } from './plots.js';
import { SpaceView } from './space_view.js';
import { Stage } from './stage.js';

function show(data) {
  const stagePlace = document.getElementById('stage'),
    plotsPlace = document.getElementById('plots');
  const clock = new Clock(...(data.view ? endsOf(data.view) : data.span)),
    page = { clock, stage: null, plots: null };
  stagePlace.hidden = !data.view;
  if (!data.view) stagePlace.before(element('p', { class: 'hint' }, data.no_view));
  plotsPlace.hidden = false;
  if (data.view) page.stage = new Stage(stagePlace, data, clock, SpaceView);
  page.plots = new Plots(plotsPlace, data, (t) => {
    clock.pause();
    clock.seek(t);
  });
  document.getElementById('still').hidden = true;
  clock.listen((t, playing) => page.plots.at(t, playing));
  clock.seek(clock.first);
  return page;
}

const data = JSON.parse(document.getElementById('data').textContent),
  page = show(data);
if (data.live) follow(page);
else page.clock.start();
window.livens = page; // for the tests, and for whoever looks with the tools of a browser
