// Space without WebGL: triangles from back to front on a canvas.

class CanvasSpaceView {
  constructor(canvas, scene) {
    Object.assign(this, { canvas, scene });
    this.context = canvas.getContext("2d");
    this.camera = new Camera(scene.box);
    this.solids = new Solids(scene);
    this.views = Object.keys(VIEWS);
    this.meshes = new Map();
  }

  mesh({ mesh: name, make }) {
    if (!this.meshes.has(name)) this.meshes.set(name, make(false));
    return this.meshes.get(name);
  }

  draw(t, layers, sharpness) {
    const { context, scene, camera } = this;
    scene.moveTo(t);
    camera.update(this.width, this.height);
    context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.floor = scene.box[2][0] - 0.012 * scene.size;
    const solids = this.solids.list(t, layers);
    if (layers.grid) {
      this.drawGround();
      if (camera.elevation > 0) this.drawShadows(solids);
    }
    if (layers.traces) scene.traced.forEach((item, k) => this.drawTrace(item, theme.curve(k), t));
    this.drawSolids(solids);
  }

  drawGround() {
    const { context, scene, camera } = this;
    const cell = roundStep(scene.size / 6);
    const count = 10;
    const [cx, cy] = [0, 1].map(k => cell * Math.round(camera.target[k] / cell));
    Object.assign(context, { strokeStyle: theme.colours.line, lineWidth: 1 });
    context.beginPath();
    for (let k = -count; k <= count; k++) {
      for (const ends of [[[cx + k * cell, cy - count * cell], [cx + k * cell, cy + count * cell]], [[cx - count * cell, cy + k * cell], [cx + count * cell, cy + k * cell]]]) {
        const [a, b] = ends.map(([x, y]) => this.toPage([x, y, this.floor]));
        if (a[2] <= 0 || b[2] <= 0) continue;
        context.moveTo(a[0], a[1]);
        context.lineTo(b[0], b[1]);
      }
    }
    context.stroke();
  }

  drawShadows(solids) {
    const { context } = this;
    context.fillStyle = "rgb(0 0 0 / 13%)";
    context.beginPath();
    for (const solid of solids) {
      const places = this.mesh(solid).corners.map(corner => {
        const at = through(solid.matrix, corner);
        return this.toPage(minus(at, times((at[2] - this.floor) / LIGHT[2], LIGHT)));
      });
      hull(places).forEach(([x, y], k) => context[k ? "lineTo" : "moveTo"](x, y));
      context.closePath();
    }
    context.fill();
  }

  drawTrace(item, colour, t) {
    const { context, scene } = this;
    const { times: list, places } = scene.path(item);
    const late = rowsBetween(list, t - 0.06 * Math.abs(scene.motion.to - scene.motion.from), t);
    Object.assign(context, { strokeStyle: colour, lineJoin: "round" });
    for (const [part, width, alpha] of [[places, 1, 0.35], [places.slice(...late), 2.5, 0.9]]) {
      Object.assign(context, { lineWidth: width, globalAlpha: alpha });
      context.beginPath();
      part.forEach((place, k) => {
        const [x, y] = this.toPage(place);
        context[k ? "lineTo" : "moveTo"](x, y);
      });
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  drawSolids(solids) {
    const faces = [];
    for (const solid of solids) this.collect(solid, faces);
    faces.sort((a, b) => b.depth - a.depth);
    const { context } = this;
    context.lineWidth = 0.7;
    for (const { points, colour } of faces) {
      context.fillStyle = context.strokeStyle = colour;
      context.beginPath();
      context.moveTo(points[0][0], points[0][1]);
      context.lineTo(points[1][0], points[1][1]);
      context.lineTo(points[2][0], points[2][1]);
      context.closePath();
      context.fill();
      context.stroke();
    }
  }

  // The triangles of a solid that face the eye.
  collect(solid, faces) {
    const { corners, triangles } = this.mesh(solid);
    const places = corners.map(corner => through(solid.matrix, corner));
    const pages = places.map(place => this.toPage(place));
    for (const triangle of triangles) {
      const points = triangle.map(k => pages[k]);
      if (points.some(point => point[2] <= 0)) continue;
      const [a, b, c] = triangle.map(k => places[k]);
      const normal = unit(cross(minus(b, a), minus(c, a)));
      if (dot(normal, minus(this.camera.eye, a)) <= 0) continue;
      const light = 0.5 + 0.13 * (1 + normal[2]) + 0.5 * Math.max(0, dot(normal, LIGHT));
      const colour = cssColour(solid.colour.map(x => Math.min(1, x * light)));
      faces.push({ points, colour, depth: points[0][2] + points[1][2] + points[2][2] });
    }
  }
}

for (const name of ["fit", "look", "resize", "drag", "zoomAt", "toPage"]) CanvasSpaceView.prototype[name] = SpaceView.prototype[name];

