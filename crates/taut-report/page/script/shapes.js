// Meshes: corners, normals and triangles of shapes of size 1, and what of them is seen in the plane.

// A surface of rings: profile is a list of [radius, z, normal's radius, normal's z] from below to above.
function turned(profile, around) {
  const mesh = { corners: [], normals: [], triangles: [] };
  for (const [radius, z, nr, nz] of profile) {
    for (let k = 0; k <= around; k++) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / around), Math.sin((2 * Math.PI * k) / around)];
      mesh.corners.push([radius * c, radius * s, z]);
      mesh.normals.push([nr * c, nr * s, nz]);
    }
  }
  const ring = around + 1;
  for (let j = 0; j + 1 < profile.length; j++) {
    for (let k = 0; k < around; k++) {
      const a = j * ring + k;
      mesh.triangles.push([a, a + 1, a + ring + 1], [a, a + ring + 1, a + ring]);
    }
  }
  return mesh;
}

const arc = (from, to, parts, z) => Array.from({ length: parts + 1 }, (_, k) => {
  const angle = from + ((to - from) * k) / parts;
  return [Math.cos(angle), z + Math.sin(angle), Math.cos(angle), Math.sin(angle)];
});

function cubeMesh() {
  const mesh = { corners: [], normals: [], triangles: [] };
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = mesh.corners.length;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const corner = [0, 0, 0];
        corner[axis] = 0.5 * side;
        corner[(axis + 1) % 3] = 0.5 * u;
        corner[(axis + 2) % 3] = 0.5 * v;
        mesh.corners.push(corner);
        mesh.normals.push([0, 1, 2].map(k => (k === axis ? side : 0)));
      }
      const order = side > 0 ? [[0, 1, 2], [0, 2, 3]] : [[0, 2, 1], [0, 3, 2]];
      for (const triangle of order) mesh.triangles.push(triangle.map(k => first + k));
    }
  }
  return mesh;
}

const MESHES = {
  cube: () => cubeMesh(),
  // radius 1, from z = -1/2 to 1/2
  cylinder: fine => turned([[0, -0.5, 0, -1], [1, -0.5, 0, -1], [1, -0.5, 1, 0], [1, 0.5, 1, 0], [1, 0.5, 0, 1], [0, 0.5, 0, 1]], fine ? 36 : 10),
  sphere: fine => turned(arc(-Math.PI / 2, Math.PI / 2, fine ? 20 : 6, 0), fine ? 36 : 10),
  cone: fine => turned([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, 0.7, 0.7], [0, 1, 0.7, 0.7]], fine ? 28 : 8),
  helix: fine => helix(9, fine ? 18 : 8, fine ? 8 : 3),
};

// A wire of radius 0.16 wound around z with radius 1, from z = 0 to 1; straight ends on the axis.
function helix(turns, around, tube) {
  const mesh = { corners: [], normals: [], triangles: [] };
  const count = turns * around;
  const [wire, pitch] = [0.16, 0.13];
  for (let k = 0; k <= count; k++) {
    const share = k / count;
    const z = 0.1 + 0.8 * share;
    const angle = 2 * Math.PI * turns * share;
    const radius = Math.min(1, 12 * share, 12 * (1 - share));
    const out = [Math.cos(angle), Math.sin(angle), 0];
    for (let j = 0; j <= tube; j++) {
      const turn = (2 * Math.PI * j) / tube;
      const normal = add(times(Math.cos(turn), out), [0, 0, Math.sin(turn)]);
      mesh.corners.push(add(times(radius, out), [wire * normal[0], wire * normal[1], z + pitch * wire * normal[2]]));
      mesh.normals.push(normal);
    }
  }
  for (let k = 0; k < count; k++) {
    for (let j = 0; j < tube; j++) {
      const a = k * (tube + 1) + j;
      mesh.triangles.push([a, a + tube + 1, a + tube + 2], [a, a + tube + 2, a + 1]);
    }
  }
  return mesh;
}

function capsuleMesh(ratio, fine) {
  const half = 0.5 * ratio;
  const parts = fine ? 8 : 3;
  return turned([...arc(-Math.PI / 2, 0, parts, -half), ...arc(0, Math.PI / 2, parts, half)], fine ? 32 : 10);
}

// Triangles as they are, each with its own normal.
function facets({ vertices, corners }) {
  const mesh = { corners: [], normals: [], triangles: [] };
  for (let k = 0; k + 2 < corners.length; k += 3) {
    const three = [0, 1, 2].map(j => vertices[corners[k + j]]);
    if (three.some(corner => !corner)) continue;
    const normal = unit(cross(minus(three[1], three[0]), minus(three[2], three[0])));
    mesh.triangles.push([0, 1, 2].map(j => mesh.corners.length + j));
    mesh.corners.push(...three);
    mesh.normals.push(normal, normal, normal);
  }
  return mesh;
}

// A solid of a body: which mesh, how large, where; its reach and its outline in the plane.
function solidOf(data, numbers) {
  const solid = { position: data.position, axes: axesOf(data.rotation), scale: [1, 1, 1] };
  if (data.box) Object.assign(solid, { mesh: "cube", scale: data.box, radius: 0.5 * norm(data.box) });
  else if (data.cylinder) {
    const [radius, length] = data.cylinder;
    Object.assign(solid, { mesh: "cylinder", scale: [radius, radius, length], radius: Math.hypot(radius, 0.5 * length) });
  } else if (data.sphere != null) Object.assign(solid, { mesh: "sphere", scale: [data.sphere, data.sphere, data.sphere], radius: data.sphere });
  else if (data.capsule) {
    const [radius, length] = data.capsule;
    const ratio = length / radius;
    Object.assign(solid, { mesh: `capsule ${ratio}`, make: fine => capsuleMesh(ratio, fine), scale: [radius, radius, radius], radius: radius + 0.5 * length });
  } else {
    const axes = data.mesh.vertices.map(code => numbers.column(code));
    const vertices = Array.from(axes[0], (x, k) => [x, axes[1][k], axes[2][k]]);
    const corners = numbers.column(data.mesh.corners).map(Math.round);
    solidOf.count = (solidOf.count ?? 0) + 1;
    Object.assign(solid, { mesh: `mesh ${solidOf.count}`, make: () => facets({ vertices, corners }), radius: Math.max(0, ...vertices.map(norm)) });
  }
  solid.make ??= MESHES[solid.mesh];
  solid.local = matrixOf(solid.axes, solid.position, solid.scale);
  solid.corners = cornersOf(solid);
  solid.outline = hull(solid.make(true).corners.map(corner => through(solid.local, corner).slice(0, 3)));
  return solid;
}

// The corners of the box around a solid, in body axes.
function cornersOf(solid) {
  const list = solid.make(false).corners;
  const ends = [0, 1, 2].map(axis => [Math.min(...list.map(c => c[axis])), Math.max(...list.map(c => c[axis]))]);
  const corner = k => through(solid.local, ends.map((end, axis) => end[(k >> axis) & 1])).slice(0, 3);
  return list.length ? Array.from({ length: 8 }, (_, k) => corner(k)) : [];
}

// The convex hull in x, y (Andrew 1979).
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = list => {
    const kept = [];
    for (const p of list) {
      for (let n = kept.length; n > 1; n = kept.length) {
        const [a, b] = [kept[n - 2], kept[n - 1]];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        kept.pop();
      }
      kept.push([p[0], p[1], 0]);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

