// Where space is seen from.

const VIEWS = { "3D": [-0.85, 0.42], X: [0, 0.02], Y: [-Math.PI / 2, 0.02], Z: [-Math.PI / 2, Math.PI / 2 - 0.001] };
const OPENING = 0.6;

class Camera {
  constructor(box) {
    this.box = box;
    this.fit();
    this.look("3D");
  }

  fit() {
    this.target = this.box.map(([a, b]) => 0.5 * (a + b));
    this.reach = 0.5 * norm(this.box.map(([a, b]) => b - a)) || 1;
    this.zoom = 1;
    this.fitted = null;
  }

  look(name) {
    [this.azimuth, this.elevation] = VIEWS[name];
    this.fitted = null;
  }

  // How far away everything that ever happens fits into the picture.
  fittingDistance(aspect) {
    const { back, right, up } = this.axes;
    const [high, wide] = [0.8 * Math.tan(OPENING / 2), 0.86 * aspect * Math.tan(OPENING / 2)];
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = minus(this.box.map((ends, axis) => ends[(k >> axis) & 1]), this.target);
      const depth = dot(corner, back);
      distance = Math.max(distance, Math.abs(dot(corner, right)) / wide + depth, Math.abs(dot(corner, up)) / high + depth);
    }
    return distance || 1;
  }

  turn(dx, dy) {
    this.azimuth -= 0.008 * dx;
    this.elevation = Math.min(Math.PI / 2 - 0.001, Math.max(-Math.PI / 2 + 0.001, this.elevation + 0.008 * dy));
  }

  pan(dx, dy, height) {
    const size = (2 * this.distance * Math.tan(OPENING / 2)) / height;
    const { right, up } = this.axes;
    this.target = add(this.target, add(times(-dx * size, right), times(dy * size, up)));
  }

  get axes() {
    const [ca, sa, ce, se] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.elevation), Math.sin(this.elevation)];
    const back = [ce * ca, ce * sa, se];
    const right = [-sa, ca, 0];
    return { back, right, up: cross(back, right) };
  }

  // From the world to the picture, which is -1 to 1.
  update(width, height) {
    this.fitted ??= this.fittingDistance(width / height);
    this.distance = this.fitted / this.zoom;
    const { back, right, up } = this.axes;
    this.eye = add(this.target, times(this.distance, back));
    const view = [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, -dot(right, this.eye), -dot(up, this.eye), -dot(back, this.eye), 1];
    const [near, far] = [Math.max(0.02 * this.distance, this.distance - 6 * this.reach), this.distance + 12 * this.reach];
    const f = 1 / Math.tan(OPENING / 2);
    const projection = [(f * height) / width, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
    this.matrix = product(projection, view);
  }

  toPage(place, width, height) {
    const [x, y, , w] = through(this.matrix, place);
    return [(0.5 + (0.5 * x) / w) * width, (0.5 - (0.5 * y) / w) * height, w];
  }
}

