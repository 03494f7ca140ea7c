// What moves, at one time: places, bodies, forces, colours.

const BODY_COLOURS = ["#5b8fb9", "#d08a5b", "#6aa88c", "#a685b8", "#c2a14d", "#6fa8c7", "#8793a0", "#c27878"];

class Scene {
  constructor(data, numbers, motion) {
    this.motion = motion;
    this.space = data.dimension === 3;
    this.items = data.items;
    this.channels = data.channels.map(code => numbers.column(code));
    this.now = new Float64Array(this.channels.length);
    this.bodies = new Map();
    this.items.forEach((item, k) => { if (item.kind === "body") this.bodies.set(k, { item, at: [0, 0, 0], axes: axesOf([1, 0, 0, 0]) }); });
    [...this.bodies.values()].forEach((body, k) => {
      body.colour = body.item.colour ? body.item.colour.map(x => x / 255) : theme.rgb(BODY_COLOURS[k % BODY_COLOURS.length]);
      body.solids = body.item.solids.map(solid => solidOf(solid, numbers));
    });
    this.stresses = new Map(motion.columns.filter(c => c.kind === "multiplier").map(c => [c.name, c]));
    this.largestStress = Math.max(0, ...this.items.filter(item => item.stress).map(item => largest(this.stresses.get(item.stress)?.values)));
    this.colourItems();
    this.measure();
  }

  // Several lines or points have colours of their own, as long as they can be told apart.
  colourItems() {
    const lines = this.items.filter(item => item.kind === "line" && !item.stress && item.corners.some(place => !this.isFixed(place)));
    lines.forEach((item, k) => { item.colour = lines.length > 1 && lines.length < 30 ? theme.rgb(BODY_COLOURS[k % BODY_COLOURS.length]) : null; });
    const points = this.traced;
    points.forEach((item, k) => { item.number = points.length > 7 ? 0 : k; });
  }

  moveTo(t) {
    this.motion.at(t);
    for (let k = 0; k < this.now.length; k++) this.now[k] = this.motion.value(this.channels[k]);
    for (const body of this.bodies.values()) {
      body.at = body.item.position.map(x => this.number(x));
      body.axes = axesOf(body.item.rotation.map(x => this.number(x)));
    }
  }

  number(x) { return typeof x === "number" ? x : this.now[x[0]]; }

  place(place) {
    if (Array.isArray(place)) return [this.number(place[0]), this.number(place[1]), this.number(place[2])];
    const body = this.bodies.get(place.body);
    return add(body.at, along(body.axes, place.at));
  }

  direction(place, axis) {
    return Array.isArray(place) ? axis : along(this.bodies.get(place.body).axes, axis);
  }

  isFixed(place) { return Array.isArray(place) && place.every(x => typeof x === "number"); }

  // From -1 (pushed) to 1 (pulled), or nothing. The force of a joint has no sign: the larger, the redder.
  stress(item) {
    if (item.kind === "joint" && item.reaction && this.largestForce > 0) {
      const share = norm(item.reaction.map(x => this.number(x))) / this.largestForce;
      return Number.isFinite(share) ? -Math.min(1, share) : null;
    }
    const column = item.stress && this.stresses.get(item.stress);
    if (!column || !this.largestStress) return null;
    return Math.max(-1, Math.min(1, this.motion.value(column.values) / this.largestStress));
  }

  // Whether anything is coloured by what holds it.
  get isStressed() {
    return this.largestStress > 0 || (this.largestForce > 0 && this.items.some(item => item.kind === "joint" && item.reaction));
  }

  // All places of an item.
  places(item) { return item.kind === "body" ? [item.position] : item.corners ?? [item.at]; }

  // The box around everything that ever happens, and the largest force.
  measure() {
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    const include = ([...at], radius) => at.forEach((x, k) => {
      if (!Number.isFinite(x)) return;
      low[k] = Math.min(low[k], x - radius);
      high[k] = Math.max(high[k], x + radius);
    });
    this.largestForce = 0;
    this.shortest = Infinity;
    const { from, to } = this.motion;
    const count = this.bodies.size > 30 ? 80 : 240;
    for (let k = 0; k <= count; k++) {
      this.moveTo(from + ((to - from) * k) / count);
      for (const item of this.items) {
        if (item.kind === "body") {
          const body = this.bodies.get(this.items.indexOf(item));
          for (const solid of body.solids) for (const corner of solid.corners) include(add(body.at, along(body.axes, corner)), 0);
          if (!body.solids.length) include(body.at, 0);
        } else {
          const places = this.places(item).map(place => this.place(place));
          for (const place of places) include(place, 0);
          for (let j = 1; j < places.length && k === 0; j++) {
            const length = norm(minus(places[j], places[j - 1]));
            if (length > 0) this.shortest = Math.min(this.shortest, length);
          }
        }
        if (item.reaction) this.largestForce = Math.max(this.largestForce, norm(item.reaction.map(x => this.number(x))) || 0);
      }
    }
    const flat = k => (low[k] <= high[k] ? [low[k], high[k]] : [-1, 1]);
    this.box = [0, 1, 2].map(flat);
    this.size = Math.max(1e-12, ...this.box.map(([a, b]) => b - a).slice(0, this.space ? 3 : 2));
  }

  // What leaves traces: points, or bodies where there are none.
  get traced() {
    const moving = item => this.places(item).some(place => !this.isFixed(place));
    const points = this.items.filter(item => item.kind === "point" && moving(item));
    if (points.length) return points;
    const bodies = this.items.filter(item => item.kind === "body" && moving(item));
    return bodies;
  }

  // Where something was and will be.
  path(item) {
    if (item.path) return item.path;
    const place = item.kind === "body" ? item.position : item.at;
    const around = this.motion.t;
    const list = smoothTimes(this.motion, 3000);
    item.path = { times: list, places: Array.from(list, t => {
      this.moveTo(t);
      return this.place(place);
    }) };
    this.moveTo(around);
    return item.path;
  }

  // Velocities by differences of places a short time apart.
  velocities(t) {
    const { from, to } = this.motion;
    const short = 1e-5 * (to - from);
    const [before, after] = [t - short, t + short].map(x => Math.min(Math.max(from, to), Math.max(Math.min(from, to), x)));
    const list = this.traced.map(item => (item.kind === "body" ? item.position : item.at));
    this.moveTo(before);
    const old = list.map(place => this.place(place));
    this.moveTo(after);
    const young = list.map(place => this.place(place));
    this.moveTo(t);
    return list.map((place, k) => ({ at: this.place(place), vector: times(1 / (after - before || 1), minus(young[k], old[k])) }));
  }

  // The forces of constraints at this time.
  reactions() {
    const acting = this.items.filter(item => item.reaction);
    return acting.map(item => ({ at: this.place(item.at), vector: item.reaction.map(x => this.number(x)) }));
  }

  // The largest speed of anything that leaves a trace.
  get largestSpeed() {
    if (this.fastest) return this.fastest;
    let fastest = 1e-300;
    for (const item of this.traced) {
      const { times: list, places } = this.path(item);
      for (let k = 1; k < places.length; k++) {
        const speed = norm(minus(places[k], places[k - 1])) / Math.abs(list[k] - list[k - 1]);
        if (Number.isFinite(speed)) fastest = Math.max(fastest, speed);
      }
    }
    this.fastest = fastest;
    return fastest;
  }
}

function largest(values) {
  let most = 0;
  for (const x of values ?? []) if (Math.abs(x) > most) most = Math.abs(x);
  return most;
}

// Blue where it is pulled, red where it is pushed, grey between.
function stressColour(stress) {
  const [grey, pulled, pushed] = [theme.rgb(theme.colours.steel), theme.dark ? [0.35, 0.68, 1] : [0.0, 0.38, 0.75], theme.dark ? [1, 0.45, 0.35] : [0.82, 0.2, 0.1]];
  const end = stress > 0 ? pulled : pushed;
  const share = Math.sqrt(Math.abs(stress));
  return grey.map((x, k) => x + share * (end[k] - x));
}

const cssColour = rgb => `rgb(${rgb.map(x => Math.round(255 * x)).join(" ")})`;

