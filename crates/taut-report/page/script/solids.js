// Everything in space as solids: a mesh, its matrix, its colour.

const shape = (mesh, matrix, colour) => ({ mesh, make: MESHES[mesh], matrix, colour });

const ball = (at, radius, colour) => shape("sphere", matrixOf(axesOf([1, 0, 0, 0]), at, [radius, radius, radius]), colour);

function rod(from, to, radius, colour) {
  const span = minus(to, from);
  return shape("cylinder", matrixOf(axesAlong(span), times(0.5, add(from, to)), [radius, radius, norm(span)]), colour);
}

function arrow(at, vector, radius, colour) {
  const length = norm(vector);
  const head = Math.min(5 * radius, 0.5 * length);
  const axes = axesAlong(vector);
  const neck = add(at, times(1 - head / length, vector));
  return [rod(at, neck, radius, colour), shape("cone", matrixOf(axes, neck, [2.4 * radius, 2.4 * radius, head]), colour)];
}

class Solids {
  constructor(scene) {
    this.scene = scene;
    this.radius = 0.011 * scene.size;
  }

  // What is there at a time; the scene has been moved to it.
  list(t, layers) {
    const { scene } = this;
    const solids = [];
    scene.items.forEach((item, k) => {
      const stress = layers.stress ? scene.stress(item) : null;
      const colour = stress == null ? item.colour : stressColour(stress);
      if (item.kind === "body") this.body(scene.bodies.get(k), solids);
      else if (item.kind === "line") this.line(item, colour, solids);
      else if (item.kind === "spring") this.spring(item, colour, solids);
      else if (item.kind === "joint") this.joint(item, colour, solids);
      else this.point(item, solids);
    });
    if (layers.velocities) this.arrows(scene.velocities(t), scene.largestSpeed, theme.rgb(theme.curve(2)), solids);
    if (layers.forces) this.arrows(scene.reactions(), scene.largestForce, theme.rgb(theme.curve(1)), solids);
    return solids.filter(solid => solid.matrix.every(Number.isFinite));
  }

  body(body, solids) {
    const pose = matrixOf(body.axes, body.at);
    for (const solid of body.solids) solids.push({ mesh: solid.mesh, make: solid.make, matrix: product(pose, solid.local), colour: body.colour });
  }

  line(item, colour, solids) {
    const places = item.corners.map(place => this.scene.place(place));
    const steel = colour ?? theme.rgb(theme.colours.steel);
    for (let k = 0; k + 1 < places.length; k++) {
      if (norm(minus(places[k + 1], places[k])) > 0) solids.push(rod(places[k], places[k + 1], this.radius, steel));
    }
    for (const place of places) solids.push(ball(place, 1.25 * this.radius, theme.rgb(theme.colours["steel-edge"])));
  }

  spring(item, colour, solids) {
    const [from, to] = item.corners.map(place => this.scene.place(place));
    const span = minus(to, from);
    const wide = 2.6 * this.radius;
    const shade = colour ?? theme.rgb(theme.colours.steel);
    solids.push(shape("helix", matrixOf(axesAlong(span), from, [wide, wide, norm(span)]), shade));
    for (const [a, b] of [[0, 0.1], [0.9, 1]]) solids.push(rod(add(from, times(a, span)), add(from, times(b, span)), 0.4 * this.radius, shade));
  }

  joint(item, colour, solids) {
    const at = this.scene.place(item.at);
    const shade = colour ?? theme.rgb(theme.colours["steel-edge"]);
    if (item.joint === "spherical" || item.joint === "other" || item.joint === "fixed") return solids.push(ball(at, 1.9 * this.radius, shade));
    const axis = times(3.2 * this.radius, unit(this.scene.direction(item.at, item.axis)));
    if (item.joint === "prismatic") solids.push(shape("cube", matrixOf(axesAlong(axis), at, [3.2 * this.radius, 3.2 * this.radius, 5 * this.radius]), shade));
    else solids.push(rod(minus(at, axis), add(at, axis), 1.7 * this.radius, shade));
  }

  point(item, solids) {
    const colour = this.scene.isFixed(item.at) ? theme.rgb(theme.colours["steel-edge"]) : theme.rgb(theme.curve(item.number ?? 0));
    solids.push(ball(this.scene.place(item.at), 2.4 * this.radius, colour));
  }

  arrows(list, most, colour, solids) {
    for (const { at, vector } of list) {
      const scaled = times((0.25 * this.scene.size) / most, vector);
      if (norm(scaled) > 2 * this.radius) solids.push(...arrow(at, scaled, 0.6 * this.radius, colour));
    }
  }
}

