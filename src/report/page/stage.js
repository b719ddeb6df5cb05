// The view with its controls: play, speed, scrub, frame step, trails, full screen, keyboard.
import { element, isDark, shown } from './dom.js';
import { FlatView } from './flat_view.js';
import { Motion } from './motion.js';

const icons = {
  play: 'M8 5v14l11-7z',
  pause: 'M7 5h4v14H7zM13 5h4v14h-4z',
  back: 'M6 5h2v14H6zM20 5v14l-10-7z',
  forward: 'M16 5h2v14h-2zM4 5v14l10-7z',
  follow: 'M11 2h2v3h-2zM11 19h2v3h-2zM2 11h3v2H2zM19 11h3v2h-3zM12 6a6 6 0 1 0 .01 0zM12 8a4 4 0 1 1-.01 0z',
  full: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
  reset: 'M12 5a7 7 0 1 1-6.3 4H8a5 5 0 1 0 4-2v3L7 6l5-4z',
  trail: 'M3 17c4 0 4-9 9-9 3 0 4 3 7 3v2c-4 0-5-3-7-3-4 0-4 9-9 9z',
};
function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'),
    path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', icons[name]);
  svg.append(path);
  return svg;
}

export class Stage {
  constructor(place, data, clock, SpaceView) {
    this.place = place;
    this.clock = clock;
    this.SpaceView = SpaceView;
    this.screen = element('div', {
      class: 'screen',
      tabindex: '0',
      role: 'img',
      'aria-label': 'the motion; space plays and pauses',
    });
    this.label = element('output', { class: 'time', 'aria-live': 'off' });
    this.note = element('p', { class: 'note' });
    this.slider = element('input', {
      type: 'range',
      min: 0,
      max: 10000,
      step: 1,
      value: 0,
      'aria-label': 'time',
      oninput: () => {
        const t = this.timeOf(this.slider.value); // before the pause tells the slider where it was
        clock.pause();
        clock.seek(t);
      },
    });
    place.append(this.screen, this.controls(), this.note);
    this.show(data);
    clock.listen((t, playing) => this.update(t, playing));
    document.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => {
      this.view.resize();
      this.view.draw(clock.t);
    }).observe(this.screen);
    isDark.addEventListener('change', () => {
      this.view.look();
      this.view.draw(clock.t);
    });
  }

  button(name, words, call) {
    return element('button', { type: 'button', title: words, 'aria-label': words, onclick: call }, icon(name));
  }
  controls() {
    const { clock } = this;
    this.playButton = this.button('play', 'Play (space)', () => clock.toggle());
    this.speeds = element('select', {
      'aria-label': 'speed',
      title: 'Speed: units of time of the model per second (+ and -)',
      onchange: () => this.setSpeed(Number(this.speeds.value)),
    });
    this.trailButton = this.button('trail', 'Trails (t)', () => this.toggleTrails());
    this.trailButton.setAttribute('aria-pressed', 'true');
    this.followButton = this.button('follow', 'Go along with it (c)', () => this.toggleFollow());
    return element(
      'div',
      { class: 'controls' },
      this.playButton,
      this.button('back', 'One frame back (left)', () => this.step(-1)),
      this.button('forward', 'One frame on (right)', () => this.step(1)),
      this.slider,
      this.label,
      this.speeds,
      this.trailButton,
      this.followButton,
      this.button('reset', 'First view (r)', () => this.view.reset()),
      this.button('full', 'Full screen (f)', () => this.fullScreen()),
    );
  }

  // A run, or more of one that goes on.
  show(data) {
    const { clock } = this,
      again = this.view,
      motion = new Motion(data.view);
    this.motion = motion;
    this.timeUnit = data.time_unit ? ' ' + data.time_unit : '';
    clock.setSpan(motion.first, motion.last);
    if (again) again.show(motion);
    else this.view = this.made(motion);
    clock.setPace(motion.pace(this.view.follows ? this.view.size : 0).typical);
    this.fillSpeeds();
    motion.speed = clock.speed;
    motion.fastest = motion.pace().largest;
    this.markFollow();
    this.place.dataset.view = this.view instanceof FlatView ? 'flat' : 'space';
    const part = data.view.part
      ? `The view shows t = ${shown(motion.first)} to ${shown(motion.last)} of ${shown(data.span[0])} to ${shown(
          data.span[1],
        )}: frames farther apart would jump. `
      : '';
    const every =
      data.view.stride > 1
        ? `Of ${data.rows.toLocaleString('en')} recorded rows one in ${data.view.stride} is a frame. `
        : '';
    this.note.textContent = part + every + this.reason;
    this.view.draw(clock.t);
  }
  made(motion) {
    this.reason = '';
    if (motion.dimension === 3 && this.SpaceView) {
      try {
        return new this.SpaceView(this.screen, motion);
      } catch {
        this.screen.replaceChildren();
        this.reason = 'This browser has no WebGL: lines instead of solids.';
      }
    }
    return new FlatView(this.screen, motion);
  }

  fillSpeeds() {
    const { clock } = this,
      factors = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16];
    this.speeds.replaceChildren(
      ...factors.map((factor) =>
        element(
          'option',
          { value: factor * clock.natural },
          `\u00d7${shown(factor * clock.natural, 4)}`,
        ),
      ),
    );
    this.speeds.value = clock.speed;
  }
  setSpeed(speed) {
    this.clock.speed = this.motion.speed = speed;
    this.speeds.value = speed;
    this.view.draw(this.clock.t);
  }

  timeOf(part) {
    return this.clock.first + (part / 10000) * (this.clock.last - this.clock.first);
  }
  update(t, playing) {
    const { clock } = this;
    this.view.draw(t);
    this.slider.value = Math.round((10000 * (t - clock.first)) / (clock.last - clock.first || 1));
    this.label.textContent = `t = ${shown(t, 5)}${this.timeUnit}`;
    if (playing !== this.wasPlaying) {
      const words = playing ? 'Pause (space)' : 'Play (space)';
      this.playButton.replaceChildren(icon(playing ? 'pause' : 'play'));
      this.playButton.title = words;
      this.playButton.setAttribute('aria-label', words);
      this.wasPlaying = playing;
    }
  }

  step(by) {
    const { clock, motion } = this,
      frame = motion.frame(clock.t);
    clock.pause();
    const next = by > 0 ? Math.floor(frame + 1e-6) + by : Math.ceil(frame - 1e-6) + by;
    clock.seek(motion.time(Math.min(motion.frames - 1, Math.max(0, next))));
  }
  toggleTrails() {
    this.view.trails = !this.view.trails;
    this.trailButton.setAttribute('aria-pressed', String(this.view.trails));
    this.view.draw(this.clock.t);
  }
  toggleFollow() {
    if (!this.view.roams) return;
    this.view.toggleFollow();
    this.markFollow();
  }
  markFollow() {
    this.followButton.hidden = !this.view.roams;
    this.followButton.setAttribute('aria-pressed', String(Boolean(this.view.follows)));
  }
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.place.requestFullscreen?.();
  }

  key(event) {
    const { clock } = this,
      by = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (by instanceof HTMLSelectElement || by instanceof HTMLTextAreaElement) return;
    if (by instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter')) return;
    if (by instanceof HTMLElement && by.tagName === 'SUMMARY' && (event.key === ' ' || event.key === 'Enter')) return;
    const faster = (up) => {
      const next = this.speeds.selectedIndex + (up ? 1 : -1);
      if (next >= 0 && next < this.speeds.length) this.setSpeed(Number(this.speeds[next].value));
    };
    const percent = (clock.last - clock.first) / 100;
    const calls = {
      ' ': () => clock.toggle(),
      ArrowLeft: () => (event.shiftKey ? clock.seek(clock.t - percent) : this.step(-1)),
      ArrowRight: () => (event.shiftKey ? clock.seek(clock.t + percent) : this.step(1)),
      Home: () => clock.seek(clock.first),
      End: () => clock.seek(clock.last),
      '+': () => faster(true),
      '-': () => faster(false),
      c: () => this.toggleFollow(),
      f: () => this.fullScreen(),
      r: () => this.view.reset(),
      t: () => this.toggleTrails(),
    };
    const call = calls[event.key];
    if (!call) return;
    event.preventDefault();
    call();
  }
}
