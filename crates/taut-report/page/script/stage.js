// The stage: which view, what is shown, what the pointer does.

class Stage {
  constructor(scene, page) {
    Object.assign(this, { scene, page });
    this.element = document.querySelector(".stage");
    this.element.hidden = false;
    this.canvas = document.getElementById("view");
    this.canvas.setAttribute("aria-label", `Animation of ${page.title}`);
    this.view = this.makeView();
    this.layers = { grid: true, traces: scene.traced.length > 0 && scene.traced.length < 7, velocities: false, forces: false, stress: scene.isStressed, labels: false };
    this.makeTools();
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  makeView() {
    if (!this.scene.space) return new PlaneView(this.canvas, this.scene);
    const gl = this.canvas.getContext("webgl2", { antialias: true, stencil: true, preserveDrawingBuffer: true });
    return gl ? new SpaceView(this.canvas, this.scene, gl) : new CanvasSpaceView(this.canvas, this.scene);
  }

  makeTools() {
    const { scene } = this;
    const views = document.querySelector(".views");
    for (const name of this.view.views) {
      const title = name === "3D" ? "From above" : `Along ${name.toLowerCase()}`;
      views.append(element("button", { type: "button", title, onclick: () => this.change(() => this.view.look(name)) }, name));
    }
    views.append(element("button", { type: "button", title: "Show all of the motion", onclick: () => this.change(() => this.view.fit()) }, "Fit"));
    const possible = {
      traces: scene.traced.length > 0, velocities: scene.traced.length > 0, forces: scene.largestForce > 0,
      stress: scene.isStressed, labels: scene.items.some(item => item.name), grid: true,
    };
    const titles = {
      traces: "Where points go", velocities: "Arrows of velocities", forces: "Arrows of reaction forces",
      stress: "Colour by multiplier: rods blue where pulled, red where pushed; joints the redder the larger their force", labels: "Names", grid: "Grid",
    };
    const layers = document.querySelector(".layers");
    for (const name of Object.keys(possible).filter(name => possible[name])) {
      layers.append(element("button", {
        type: "button", title: titles[name], "aria-pressed": String(this.layers[name]), onclick: event => this.toggle(name, event.currentTarget),
      }, name[0].toUpperCase() + name.slice(1)));
    }
  }

  toggle(name, button) {
    this.layers[name] = !this.layers[name];
    button.setAttribute("aria-pressed", String(this.layers[name]));
    this.draw();
  }

  change(act) {
    act();
    this.view.resize(this.width, this.height);
    this.draw();
  }

  listen() {
    const pointers = new Map();
    this.canvas.addEventListener("pointerdown", event => {
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      this.canvas.setPointerCapture(event.pointerId);
    });
    const release = event => pointers.delete(event.pointerId);
    this.canvas.addEventListener("pointerup", release);
    this.canvas.addEventListener("pointercancel", release);
    this.canvas.addEventListener("pointermove", event => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      if (pointers.size === 2) this.pinch(pointers, event.pointerId, now);
      else this.change(() => this.view.drag(now[0] - before[0], now[1] - before[1], event.shiftKey || event.buttons > 1));
      pointers.set(event.pointerId, now);
    });
    this.canvas.addEventListener("contextmenu", event => event.preventDefault());
    this.canvas.addEventListener("dblclick", () => this.change(() => this.view.fit()));
    this.canvas.addEventListener("wheel", event => {
      event.preventDefault();
      const box = this.canvas.getBoundingClientRect();
      this.change(() => this.view.zoomAt(Math.exp(-0.0015 * event.deltaY), event.clientX - box.left, event.clientY - box.top));
    }, { passive: false });
  }

  // Two fingers: their distance zooms.
  pinch(pointers, moved, now) {
    const [other] = [...pointers].filter(([id]) => id !== moved).map(([, at]) => at);
    const before = pointers.get(moved);
    const box = this.canvas.getBoundingClientRect();
    const away = at => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
    this.change(() => this.view.zoomAt(away(now) / away(before), other[0] - box.left, other[1] - box.top));
  }

  resize() {
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    const scale = this.page.sharpness();
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.view.resize(this.width, this.height);
    this.draw();
  }

  draw() {
    if (this.width) this.view.draw(this.page.t, this.layers, this.page.sharpness());
  }

  // Pictures of the motion at six times, for paper.
  phases() {
    const { from, to } = this.scene.motion;
    const pictures = Array.from({ length: 6 }, (_, k) => {
      const t = this.page.timeAt(k / 5);
      this.view.draw(t, this.layers, this.page.sharpness());
      const text = `${this.page.timeName} = ${timeText(t, Math.abs(to - from))}`;
      return element("figure", { class: "phase" }, element("img", { src: this.canvas.toDataURL("image/png"), alt: `The motion at ${text}` }), element("figcaption", {}, text));
    });
    this.draw();
    return pictures;
  }
}

