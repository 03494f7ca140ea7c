// Time: play, pause, loop, speed, keyboard.

const DURATION = 10;

class Player {
  constructor(page) {
    this.page = page;
    this.section = document.getElementById("motion");
    this.slider = document.getElementById("time");
    this.button = document.getElementById("play");
    this.select = document.getElementById("speed");
    this.loop = true;
    const { from, to } = page.motion;
    const [least, most] = page.logarithmic ? [0, 1] : [Math.min(from, to), Math.max(from, to)];
    Object.assign(this.slider, { min: least, max: most, value: page.logarithmic ? 0 : from });
    this.makeSpeeds();
    this.makeEvents();
    this.listen();
  }

  // Real time where a run takes between 3 and 60 seconds, else what makes it last about ten.
  makeSpeeds() {
    const span = Math.abs(this.page.motion.to - this.page.motion.from);
    const slow = this.page.logarithmic || this.page.motion.times.length < 2;
    const usual = slow ? 1 : span >= 3 && span <= 60 ? 1 : roundStep(0.999 * (span / DURATION));
    const factors = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].map(factor => Number((factor * usual).toPrecision(1)));
    if (!factors.includes(1) && !slow) factors.push(1);
    factors.sort((a, b) => a - b);
    for (const factor of factors) {
      this.select.append(element("option", { value: factor, selected: factor === usual }, `${significant(factor, 2)} ×`));
    }
    this.speed = usual;
  }

  makeEvents() {
    const line = document.querySelector(".events");
    for (const event of this.page.events) {
      const mark = element("i", { title: `${event.name} at ${this.page.timeName} = ${significant(event.t, 6)}` });
      mark.style.left = `${100 * this.page.shareOf(event.t)}%`;
      line.append(mark);
    }
  }

  listen() {
    this.button.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => {
      const value = Number(this.slider.value);
      this.page.seek(this.page.logarithmic ? this.page.timeAt(value) : value);
    });
    this.select.addEventListener("change", () => { this.speed = Number(this.select.value); });
    const loop = document.getElementById("loop");
    loop.addEventListener("click", () => {
      this.loop = !this.loop;
      loop.setAttribute("aria-pressed", String(this.loop));
    });
    addEventListener("keydown", event => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onControl = event.target.closest?.("button, select, pre, a");
    const { page } = this;
    const small = (event.shiftKey ? 0.1 : 0.01);
    const act = {
      " ": () => !onControl && this.toggle(),
      ArrowLeft: () => page.seek(page.timeAt(page.share - small)),
      ArrowRight: () => page.seek(page.timeAt(page.share + small)),
      Home: () => page.seek(page.timeAt(0)),
      End: () => page.seek(page.timeAt(1)),
    }[event.key];
    if (!act || (onControl && (event.key === " " || onControl.matches("select, pre")))) return;
    if (act() !== false) event.preventDefault();
  }

  toggle() {
    if (this.playing) return this.pause();
    this.play();
  }

  play() {
    if (this.playing || this.page.motion.times.length < 2) return;
    if (this.page.share >= 1) this.page.seek(this.page.timeAt(0));
    this.playing = true;
    this.show();
    let last = null;
    const frame = now => {
      if (!this.playing) return;
      if (last != null) this.advance((now - last) / 1000);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    this.playing = false;
    this.show();
  }

  advance(seconds) {
    const began = performance.now();
    const { page } = this;
    const span = Math.abs(page.motion.to - page.motion.from) || 1;
    const ahead = page.logarithmic ? (seconds * this.speed) / DURATION : (seconds * this.speed) / span;
    let share = page.share + ahead;
    if (share >= 1) {
      share = this.loop && page.share >= 1 ? 0 : 1;
      if (!this.loop) this.pause();
    }
    page.seek(page.timeAt(share));
    page.frames.push(performance.now() - began);
    if (page.frames.length > 600) page.frames.shift();
  }

  show() {
    this.section.classList.toggle("playing", this.playing);
    this.button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.button.title = this.playing ? "Pause (space)" : "Play (space)";
  }

  showTime() {
    const { page } = this;
    const span = Math.abs(page.motion.to - page.motion.from);
    const text = `${page.timeName} = ${page.logarithmic ? significant(page.t, 4) : timeText(page.t, span)}${page.timeUnit ? ` ${page.timeUnit}` : ""}`;
    this.slider.value = page.logarithmic ? page.share : page.t;
    this.slider.setAttribute("aria-valuetext", text);
    document.getElementById("clock").textContent = text;
    document.getElementById("now").textContent = text;
  }
}

