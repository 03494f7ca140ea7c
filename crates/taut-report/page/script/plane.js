// The plane: a canvas.

class PlaneView {
  constructor(canvas, scene) {
    Object.assign(this, { canvas, scene });
    this.context = canvas.getContext("2d");
    this.views = [];
    this.fit();
  }

  // Everything that ever happens, with room around it.
  fit() {
    const [[x0, x1], [y0, y1]] = this.scene.box;
    this.middle = [0.5 * (x0 + x1), 0.5 * (y0 + y1)];
    this.extent = [Math.max(x1 - x0, 0.2 * this.scene.size), Math.max(y1 - y0, 0.2 * this.scene.size)];
    this.zoom = 1;
  }

  resize(width, height) {
    Object.assign(this, { width, height });
    this.scale = this.zoom * Math.min((width - 90) / this.extent[0], (height - 120) / this.extent[1]);
    this.origin = [width / 2 - this.scale * this.middle[0], height / 2 + this.scale * this.middle[1]];
  }

  drag(dx, dy) {
    this.middle = [this.middle[0] - dx / this.scale, this.middle[1] + dy / this.scale];
  }

  zoomAt(factor, x, y) {
    const before = [(x - this.origin[0]) / this.scale, (this.origin[1] - y) / this.scale];
    this.zoom = Math.min(500, Math.max(0.05, this.zoom * factor));
    this.middle = [before[0] + (this.middle[0] - before[0]) / factor, before[1] + (this.middle[1] - before[1]) / factor];
  }

  toPage([x, y]) { return [this.origin[0] + this.scale * x, this.origin[1] - this.scale * y]; }

  draw(t, layers, sharpness) {
    const { context, scene } = this;
    context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    scene.moveTo(t);
    this.thickness = Math.min(9, Math.max(3, Math.min(0.016 * scene.size, 0.3 * scene.shortest) * this.scale));
    if (layers.grid) this.drawGrid();
    if (layers.traces) this.drawTraces(t);
    for (const item of scene.items) this.drawItem(item, layers);
    if (layers.velocities) this.drawArrows(scene.velocities(t), scene.largestSpeed, theme.curve(2));
    if (layers.forces) this.drawArrows(scene.reactions(), scene.largestForce, theme.curve(1));
    if (layers.labels) this.drawLabels();
  }

  drawGrid() {
    const { context } = this;
    const step = roundStep(90 / this.scale);
    const [left, top] = [-this.origin[0] / this.scale, this.origin[1] / this.scale];
    Object.assign(context, { lineWidth: 1, font: `12px ${FONT}`, fillStyle: theme.colours.muted, textAlign: "center" });
    context.setLineDash([]);
    const rule = (value, ends) => {
      context.strokeStyle = Math.abs(value) < 1e-9 * step ? theme.colours["strong-line"] : theme.colours.line;
      context.beginPath();
      context.moveTo(...ends[0]);
      context.lineTo(...ends[1]);
      context.stroke();
    };
    for (let k = Math.ceil(left / step); k * step < left + this.width / this.scale; k++) {
      const x = Math.round(this.toPage([k * step, 0])[0]) + 0.5;
      rule(k * step, [[x, 0], [x, this.height]]);
      if (x > 150 && x < this.width - 20) context.fillText(significant(k * step, 6), x, this.height - 10);
    }
    context.textAlign = "right";
    for (let k = Math.ceil((this.origin[1] - this.height) / this.scale / step); k * step < top; k++) {
      const y = Math.round(this.toPage([0, k * step])[1]) + 0.5;
      rule(k * step, [[0, y], [this.width, y]]);
      if (y > 54 && y < this.height - 26) context.fillText(significant(k * step, 6), this.width - 8, y - 4);
    }
  }

  // The whole way thin, the last part of it strong.
  drawTraces(t) {
    const { context, scene } = this;
    const trail = 0.06 * Math.abs(scene.motion.to - scene.motion.from);
    scene.traced.forEach((item, k) => {
      const { times: list, places } = scene.path(item);
      context.strokeStyle = theme.curve(item.number ?? k);
      Object.assign(context, { lineJoin: "round", lineCap: "round" });
      this.stroke(places, 1, 0.28);
      const late = rowsBetween(list, Math.min(t, t - trail), t);
      this.stroke([...places.slice(late[0] + 1, Math.max(late[0] + 1, late[1] - 1)), scene.place(item.at ?? item.position)], 2.5, 0.8);
    });
    context.globalAlpha = 1;
  }

  stroke(places, width, alpha) {
    const { context } = this;
    Object.assign(context, { lineWidth: width, globalAlpha: alpha });
    context.beginPath();
    places.forEach((place, k) => context[k ? "lineTo" : "moveTo"](...this.toPage(place)));
    context.stroke();
  }

  drawItem(item, layers) {
    const { scene } = this;
    const stress = layers.stress ? scene.stress(item) : null;
    const shade = stress == null ? item.colour : stressColour(stress);
    const colour = shade && cssColour(shade);
    if (item.kind === "line") this.drawLine(item, colour);
    else if (item.kind === "spring") this.drawSpring(item, colour);
    else if (item.kind === "point") this.drawPoint(item);
    else if (item.kind === "joint") this.drawJoint(item, colour);
    else this.drawBody(scene.bodies.get(scene.items.indexOf(item)));
  }

  // A rod: an edge and a core; a closed line is filled.
  drawLine(item, colour) {
    const { context, scene } = this;
    const corners = item.corners.map(place => this.toPage(scene.place(place)));
    if (corners.some(([x, y]) => !Number.isFinite(x + y))) return;
    const fixed = item.corners.every(place => scene.isFixed(place));
    const path = new Path2D();
    corners.forEach(([x, y], k) => path[k ? "lineTo" : "moveTo"](x, y));
    const [first, last] = [corners[0], corners[corners.length - 1]];
    const closed = corners.length > 3 && Math.hypot(first[0] - last[0], first[1] - last[1]) < 0.5;
    if (closed) {
      path.closePath();
      context.globalAlpha = 0.25;
      context.fillStyle = colour ?? theme.colours.steel;
      context.fill(path);
      context.globalAlpha = 1;
    }
    Object.assign(context, { lineJoin: "round", lineCap: "round" });
    context.setLineDash(fixed ? [2, 7] : []);
    Object.assign(context, { strokeStyle: theme.colours["steel-edge"], lineWidth: fixed ? 2 : this.thickness });
    context.stroke(path);
    context.setLineDash([]);
    if (!fixed) {
      Object.assign(context, { strokeStyle: colour ?? theme.colours.steel, lineWidth: this.thickness - 2 });
      context.stroke(path);
    }
    item.corners.forEach((place, k) => (scene.isFixed(place) ? this.drawSupport(corners[k]) : this.drawPin(corners[k])));
  }

  drawPin([x, y]) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, 0.55 * this.thickness, 0, 2 * Math.PI);
    Object.assign(context, { fillStyle: theme.colours.card, strokeStyle: theme.colours["steel-edge"], lineWidth: 1.5 });
    context.fill();
    context.stroke();
  }

  // A place that stays: a triangle on hatched ground.
  drawSupport([x, y]) {
    const { context } = this;
    const size = 1.5 * this.thickness;
    Object.assign(context, { strokeStyle: theme.colours["steel-edge"], fillStyle: theme.colours.card, lineWidth: 1.5, lineJoin: "round" });
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - size, y + 1.6 * size);
    context.lineTo(x + size, y + 1.6 * size);
    context.closePath();
    context.fill();
    context.stroke();
    context.beginPath();
    for (let k = -1; k <= 1; k += 0.5) {
      context.moveTo(x + k * size, y + 1.6 * size);
      context.lineTo(x + (k - 0.45) * size, y + 2.15 * size);
    }
    context.lineWidth = 1;
    context.stroke();
    this.drawPin([x, y]);
  }

  // Zigzag between two straight ends.
  drawSpring(item, colour) {
    const { context, scene } = this;
    const [from, to] = item.corners.map(place => this.toPage(scene.place(place)));
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!Number.isFinite(length)) return;
    const [ux, uy] = length ? [(to[0] - from[0]) / length, (to[1] - from[1]) / length] : [1, 0];
    const [turns, half, end] = [12, 1.1 * this.thickness, 0.12 * length];
    const points = [from, [from[0] + ux * end, from[1] + uy * end]];
    for (let k = 0; k < turns; k++) {
      const s = end + ((length - 2 * end) * (k + 0.5)) / turns;
      const side = k % 2 ? -half : half;
      points.push([from[0] + ux * s - uy * side, from[1] + uy * s + ux * side]);
    }
    points.push([to[0] - ux * end, to[1] - uy * end], to);
    Object.assign(context, { strokeStyle: colour ?? theme.colours["steel-edge"], lineWidth: 2, lineJoin: "round", lineCap: "round" });
    context.beginPath();
    points.forEach(([x, y], k) => context[k ? "lineTo" : "moveTo"](x, y));
    context.stroke();
    item.corners.forEach((place, k) => (scene.isFixed(place) ? this.drawSupport([from, to][k]) : this.drawPin([from, to][k])));
  }

  drawPoint(item) {
    const { context, scene } = this;
    const at = this.toPage(scene.place(item.at));
    if (!Number.isFinite(at[0] + at[1])) return;
    if (scene.isFixed(item.at)) return this.drawSupport(at);
    context.beginPath();
    context.arc(...at, 1.05 * this.thickness, 0, 2 * Math.PI);
    Object.assign(context, { fillStyle: theme.curve(item.number ?? 0), strokeStyle: theme.colours.card, lineWidth: 1.5 });
    context.fill();
    context.stroke();
  }

  drawJoint(item, colour) {
    const { context, scene } = this;
    const [x, y] = this.toPage(scene.place(item.at));
    if (scene.isFixed(item.at) && item.joint !== "prismatic") return this.drawSupport([x, y]);
    const size = 0.9 * this.thickness;
    Object.assign(context, { fillStyle: colour ?? theme.colours.card, strokeStyle: theme.colours["steel-edge"], lineWidth: 1.5 });
    context.beginPath();
    if (item.joint === "prismatic") {
      const [dx, dy] = scene.direction(item.at, item.axis);
      context.save();
      context.translate(x, y);
      context.rotate(-Math.atan2(dy, dx));
      context.rect(-1.6 * size, -size, 3.2 * size, 2 * size);
      context.restore();
    } else if (item.joint === "fixed") context.rect(x - size, y - size, 2 * size, 2 * size);
    else context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  drawBody(body) {
    const { context } = this;
    for (const solid of body.solids) {
      const outline = solid.outline.map(v => this.toPage(add(body.at, along(body.axes, v))));
      context.beginPath();
      outline.forEach(([x, y], k) => context[k ? "lineTo" : "moveTo"](x, y));
      context.closePath();
      Object.assign(context, { fillStyle: cssColour(body.colour), strokeStyle: theme.colours["steel-edge"], lineWidth: 1.5, globalAlpha: 0.85, lineJoin: "round" });
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
    }
  }

  drawArrows(arrows, most, colour) {
    const { context } = this;
    const length = 0.22 * Math.min(this.width, this.height);
    for (const { at, vector } of arrows) {
      const size = (length * Math.hypot(vector[0], vector[1])) / most;
      if (!(size > 2)) continue;
      const angle = -Math.atan2(vector[1], vector[0]);
      const head = Math.min(11, 0.6 * size);
      context.save();
      context.translate(...this.toPage(at));
      context.rotate(angle);
      Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 2.5, lineCap: "butt" });
      context.beginPath();
      context.moveTo(0, 0);
      context.lineTo(size - 0.7 * head, 0);
      context.stroke();
      context.beginPath();
      context.moveTo(size, 0);
      context.lineTo(size - head, 0.42 * head);
      context.lineTo(size - head, -0.42 * head);
      context.fill();
      context.restore();
    }
  }

  drawLabels() {
    const { context, scene } = this;
    context.font = `600 12px ${FONT}`;
    Object.assign(context, { textAlign: "left", lineWidth: 3, strokeStyle: theme.colours.card, fillStyle: theme.colours.ink, lineJoin: "round" });
    for (const item of scene.items.filter(item => item.name)) {
      const places = scene.places(item).map(place => scene.place(place));
      const middle = times(1 / places.length, places.reduce(add));
      const [x, y] = this.toPage(middle);
      context.strokeText(item.name, x + 9, y - 9);
      context.fillText(item.name, x + 9, y - 9);
    }
  }
}

