// Vectors, rotations and matrices (4 x 4, column by column, as WebGL has them).

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (s, a) => [s * a[0], s * a[1], s * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = a => Math.hypot(a[0], a[1], a[2]);
const unit = a => times(1 / (norm(a) || 1), a);

// The columns of the rotation of a quaternion w, x, y, z of any length.
function axesOf([w, x, y, z]) {
  const s = 2 / (w * w + x * x + y * y + z * z || 1);
  return [
    [1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)],
    [s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)],
    [s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)],
  ];
}

// A vector given in axes.
const along = ([a, b, c], v) => [
  a[0] * v[0] + b[0] * v[1] + c[0] * v[2], a[1] * v[0] + b[1] * v[1] + c[1] * v[2], a[2] * v[0] + b[2] * v[1] + c[2] * v[2],
];

// Axes, each of its own length, at a place.
function matrixOf([a, b, c], at, scale = [1, 1, 1]) {
  const [x, y, z] = scale;
  return [a[0] * x, a[1] * x, a[2] * x, 0, b[0] * y, b[1] * y, b[2] * y, 0, c[0] * z, c[1] * z, c[2] * z, 0, at[0], at[1], at[2], 1];
}

// Axes of which the third points along a vector.
function axesAlong(direction) {
  const z = unit(direction);
  const other = Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const x = unit(cross(other, z));
  return [x, cross(z, x), z];
}

function product(a, b) {
  const c = new Array(16);
  for (let j = 0; j < 4; j++) {
    for (let i = 0; i < 4; i++) {
      c[4 * j + i] = a[i] * b[4 * j] + a[4 + i] * b[4 * j + 1] + a[8 + i] * b[4 * j + 2] + a[12 + i] * b[4 * j + 3];
    }
  }
  return c;
}

// A place through a matrix, without division.
const through = (m, [x, y, z]) => [
  m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13], m[2] * x + m[6] * y + m[10] * z + m[14], m[3] * x + m[7] * y + m[11] * z + m[15],
];

