// Puts the page together and lets others move it: window.taut.

class Page {
  constructor(data, numbers) {
    this.title = data.title;
    this.tables = data.tables.map(table => new Track(table, numbers));
    this.motion = this.tables[0];
    this.events = data.events;
    this.timeName = data.time.name;
    this.timeUnit = data.time.unit;
    this.timeLabel = data.time.unit ? `${data.time.name} (${data.time.unit})` : data.time.name;
    this.moves = this.motion.times.length > 1;
    const firstAfter = this.motion.times.find(t => t > 0);
    this.logarithmic = data.time.logarithmic && firstAfter > 0 && this.motion.to > firstAfter;
    const ends = [this.logarithmic ? firstAfter : this.motion.from, this.motion.to];
    this.whole = this.moves ? ends.sort((a, b) => a - b) : [0, 1];
    this.range = this.whole;
    this.t = this.moves ? this.motion.from : 0;
    this.hover = null;
    this.frames = [];
    this.plots = [];
  }

  sharpness() { return Math.min(3, Math.max(1, devicePixelRatio || 1) * (this.printing ? 2 : 1)); }

  // The time at a share of the run from 0 to 1.
  timeAt(share) {
    const s = Math.min(1, Math.max(0, share));
    const { from, to } = this.motion;
    if (!this.logarithmic) return s === 1 ? to : from + s * (to - from);
    return s === 0 ? from : s === 1 ? to : this.whole[0] * (this.whole[1] / this.whole[0]) ** s;
  }

  shareOf(t) {
    const { from, to } = this.motion;
    if (!this.logarithmic) return to === from ? 0 : (t - from) / (to - from);
    return t <= this.whole[0] ? 0 : Math.log(t / this.whole[0]) / Math.log(this.whole[1] / this.whole[0]);
  }

  get share() { return this.shareOf(this.t); }

  seek(t) {
    if (!this.moves || !Number.isFinite(t)) return;
    const { from, to } = this.motion;
    this.t = Math.min(Math.max(from, to), Math.max(Math.min(from, to), t));
    this.stage?.draw();
    this.motion.at(this.t);
    for (const plot of this.plots) plot.showTime();
    this.player.showTime();
    this.showValues();
  }

  // Values in legends: not more often than can be read.
  showValues() {
    if (this.pending) return;
    this.pending = setTimeout(() => {
      this.pending = null;
      for (const plot of this.plots) plot.showValues();
      this.motion.at(this.t);
    }, this.player?.playing ? 120 : 0);
  }

  hoverAt(t) {
    this.hover = t;
    for (const plot of this.plots) if (plot.overTime && plot.area && plot.visible) plot.place(plot.ghost, t);
    this.showValues();
  }

  zoomTo(times) {
    this.range = times && times[1] > times[0] ? times : this.whole;
    this.draw();
  }

  draw() {
    for (const plot of this.plots) {
      plot.stale = true;
      if (plot.visible || this.printing) this.freshen(plot);
    }
    this.motion.at(this.t);
    this.showValues();
  }

  freshen(plot) {
    plot.stale = false;
    plot.draw();
  }

  // Everything there is to know about the state at the time that is shown.
  state() {
    this.motion.at(this.t);
    const values = kind => this.motion.columns.filter(column => column.kind === kind).map(column => [column.name, this.motion.value(column.values)]);
    const [positions, velocities, multipliers] = ["position", "velocity", "multiplier"].map(values);
    const columns = Object.fromEntries(this.motion.columns.map(column => [column.name, this.motion.value(column.values)]));
    const state = { t: this.t, playing: Boolean(this.player.playing), speed: this.player.speed, columns };
    const names = positions.map(([name]) => name);
    const numbers = list => list.map(([, value]) => value);
    if (velocities.length) Object.assign(state, { coordinates: names, q: numbers(positions), v: numbers(velocities) });
    else Object.assign(state, { variables: names, x: numbers(positions) });
    state.multipliers = Object.fromEntries(multipliers.map(([name, value]) => [name.replace(/^lambda\./, ""), value]));
    return state;
  }
}

function makePlots(page, groups) {
  const section = document.getElementById("plots");
  const watcher = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      const plot = page.plots.find(plot => plot.element === target);
      plot.visible = isIntersecting;
      if (isIntersecting && plot.stale === false) plot.showTime();
      else if (isIntersecting && page.begun) page.freshen(plot);
    }
    page.motion.at(page.t);
    page.showValues();
  }, { rootMargin: "100px" });
  const sizes = new ResizeObserver(entries => {
    for (const { target } of entries) {
      const plot = page.plots.find(plot => plot.frame === target);
      if (plot.width !== target.clientWidth && plot.visible) page.freshen(plot);
      else if (plot.width !== target.clientWidth) plot.stale = true;
    }
    page.motion.at(page.t);
  });
  for (const group of groups) {
    const plots = group.plots.map(data => new Plot(data, page));
    const words = group.text.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
    section.append(element("div", { class: "group" },
      ...(group.title ? [element("h2", {}, group.title)] : []),
      ...(words.length ? [element("dl", {}, ...words)] : []),
      element("div", { class: "grid" }, ...plots.map(plot => plot.element))));
    page.plots.push(...plots);
  }
  for (const plot of page.plots) {
    watcher.observe(plot.element);
    sizes.observe(plot.frame);
  }
  afterFirstPicture(() => {
    page.begun = true;
    drawRest(page);
  });
}

// Plots would hold up the first picture. Where a browser does not tell of it, they wait for a while.
function afterFirstPicture(act) {
  const once = () => {
    clearTimeout(late);
    watcher.disconnect();
    if (act) setTimeout(act);
    act = null;
  };
  const watcher = new PerformanceObserver(once);
  const late = setTimeout(once, 600);
  watcher.observe({ type: "paint", buffered: true });
}

// Plots are drawn when there is time, first those that are seen.
function drawRest(page) {
  setTimeout(() => {
    const waiting = page.plots.filter(plot => plot.stale !== false);
    const plot = waiting.find(plot => plot.visible) ?? waiting[0];
    if (!plot) return;
    if (!page.player?.playing) {
      page.freshen(plot);
      page.motion.at(page.t);
    }
    drawRest(page);
  }, page.plots.some(plot => plot.visible && plot.stale !== false) ? 0 : 30);
}

function preparePrinting(page) {
  const phases = document.getElementById("phases");
  addEventListener("beforeprint", () => {
    page.printing = true;
    page.stage?.resize();
    if (page.stage) phases.replaceChildren(...page.stage.phases());
    page.draw();
  });
  addEventListener("afterprint", () => {
    page.printing = false;
    phases.replaceChildren();
    page.stage?.resize();
    page.draw();
  });
}

function begin() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const numbers = new Numbers(document.getElementById("numbers").textContent, data.bytes);
  theme.begin();
  const page = new Page(data, numbers);
  makePlots(page, data.groups);
  page.player = new Player(page);
  if (data.scene) page.stage = new Stage(new Scene(data.scene, numbers, page.motion), page);
  document.getElementById("motion").hidden = !page.moves;
  document.querySelector(".moves").hidden = !page.moves;
  theme.listeners.push(() => {
    page.stage?.draw();
    page.draw();
  });
  preparePrinting(page);
  if (page.moves) page.player.showTime();
  window.taut = Object.freeze({
    seek: t => page.seek(Number(t)),
    state: () => page.state(),
    play: () => page.player.play(),
    pause: () => page.player.pause(),
    frames: () => [...page.frames],
  });
}

begin();
