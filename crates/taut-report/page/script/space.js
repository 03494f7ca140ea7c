// Space with WebGL: shaded solids, their shadows on the ground, traces.

const SOLID_VERTEX = `#version 300 es
uniform mat4 world, camera; uniform vec4 ground; uniform vec3 light;
in vec3 corner, normal; out vec3 facing, place;
void main() {
  vec4 at = world * vec4(corner, 1.0);
  if (ground.w > 0.5) at.xyz -= light * ((at.z - ground.z) / light.z);
  mat3 turn = mat3(world);
  facing = turn * (normal / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2])));
  place = at.xyz;
  gl_Position = camera * at;
}`;
const SOLID_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 colour, light, eye; uniform vec4 ground; in vec3 facing, place; out vec4 seen;
void main() {
  if (ground.w > 0.5) { seen = vec4(0.0, 0.0, 0.0, 0.16); return; }
  vec3 n = normalize(facing), to = normalize(eye - place);
  if (dot(n, to) < 0.0) n = -n;
  float direct = max(dot(n, light), 0.0), sky = 0.5 + 0.5 * n.z;
  float gloss = pow(max(dot(n, normalize(light + to)), 0.0), 40.0);
  seen = vec4(colour * (0.5 + 0.26 * sky + 0.5 * direct) + 0.14 * gloss, 1.0);
}`;
const GROUND_VERTEX = `#version 300 es
uniform mat4 camera; uniform vec4 area; in vec2 corner; out vec2 place;
void main() { place = area.xy + area.w * corner; gl_Position = camera * vec4(place, area.z, 1.0); }`;
const GROUND_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 area; uniform float cell; uniform vec3 line; in vec2 place; out vec4 seen;
float rule(float size) { vec2 g = place / size, w = fwidth(g) * 1.2; vec2 d = abs(fract(g - 0.5) - 0.5) / w; return 1.0 - min(min(d.x, d.y), 1.0); }
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(place - area.xy) / area.w);
  float strength = max(0.3 * rule(cell), 0.7 * rule(5.0 * cell));
  seen = vec4(line, strength * fade);
}`;
const TRACE_VERTEX = `#version 300 es
uniform mat4 camera; uniform vec2 size; uniform float width; in vec3 from, to; in vec2 corner;
void main() {
  vec4 a = camera * vec4(from, 1.0), b = camera * vec4(to, 1.0);
  vec2 d = (b.xy / b.w - a.xy / a.w) * size; d /= max(length(d), 1e-6);
  vec4 at = mix(a, b, corner.x);
  gl_Position = at + vec4(vec2(-d.y, d.x) * corner.y * width / size * at.w, 0.0, 0.0);
}`;
const TRACE_FRAGMENT = `#version 300 es
precision highp float; uniform vec4 colour; out vec4 seen; void main() { seen = colour; }`;

const LIGHT = unit([0.35, -0.3, 0.9]);

class SpaceView {
  constructor(canvas, scene, gl) {
    Object.assign(this, { canvas, scene, gl });
    this.camera = new Camera(scene.box);
    this.solids = new Solids(scene);
    this.views = Object.keys(VIEWS);
    this.meshes = new Map();
    this.traces = new Map();
    this.solid = this.program(SOLID_VERTEX, SOLID_FRAGMENT);
    this.groundProgram = this.program(GROUND_VERTEX, GROUND_FRAGMENT);
    this.traceProgram = this.program(TRACE_VERTEX, TRACE_FRAGMENT);
    this.quad = this.buffer(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    this.strip = this.buffer(new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]));
    gl.enable(gl.DEPTH_TEST);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) || "no shaders");
    const uniforms = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(program, k);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return { program, uniforms, place: name => gl.getAttribLocation(program, name) };
  }

  buffer(data, target = this.gl.ARRAY_BUFFER) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, data, gl.STATIC_DRAW);
    return buffer;
  }

  // The mesh of a solid, brought to the graphics card once.
  mesh({ mesh: name, make }) {
    if (this.meshes.has(name)) return this.meshes.get(name);
    const { gl } = this;
    const { corners, normals, triangles } = make(true);
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const [attribute, list] of [["corner", corners], ["normal", normals]]) {
      this.buffer(new Float32Array(list.flat()));
      gl.enableVertexAttribArray(this.solid.place(attribute));
      gl.vertexAttribPointer(this.solid.place(attribute), 3, gl.FLOAT, false, 0, 0);
    }
    this.buffer(new Uint32Array(triangles.flat()), gl.ELEMENT_ARRAY_BUFFER);
    gl.bindVertexArray(null);
    const made = { array, count: 3 * triangles.length };
    this.meshes.set(name, made);
    return made;
  }

  fit() { this.camera.fit(); }

  look(name) { this.camera.look(name); }

  resize(width, height) {
    if (width !== this.width || height !== this.height) this.camera.fitted = null;
    Object.assign(this, { width, height });
  }

  drag(dx, dy, panning) {
    if (panning) this.camera.pan(dx, dy, this.height);
    else this.camera.turn(dx, dy);
  }

  zoomAt(factor) { this.camera.zoom = Math.min(200, Math.max(0.05, this.camera.zoom * factor)); }

  draw(t, layers) {
    const { gl, scene, camera } = this;
    scene.moveTo(t);
    camera.update(this.width, this.height);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...theme.rgb(theme.colours.sky), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    this.floor = scene.box[2][0] - 0.012 * scene.size;
    if (layers.grid) this.drawGround();
    const solids = this.solids.list(t, layers);
    if (layers.grid && camera.elevation > 0) this.drawShadows(solids);
    this.drawSolids(solids, [0, 0, 0, 0]);
    if (layers.traces) scene.traced.forEach((item, k) => this.drawTrace(item, theme.curve(k), t));
  }

  drawGround() {
    const { gl, scene } = this;
    const { program, uniforms, place } = this.groundProgram;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.camera, false, this.camera.matrix);
    gl.uniform4f(uniforms.area, this.camera.target[0], this.camera.target[1], this.floor, 2.4 * scene.size);
    gl.uniform1f(uniforms.cell, roundStep(scene.size / 8));
    gl.uniform3fv(uniforms.line, theme.rgb(theme.colours["strong-line"]));
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    gl.enableVertexAttribArray(place("corner"));
    gl.vertexAttribPointer(place("corner"), 2, gl.FLOAT, false, 0, 0);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disableVertexAttribArray(place("corner"));
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // Each place of the ground is darkened once, however many solids are above it.
  drawShadows(solids) {
    const { gl } = this;
    gl.enable(gl.STENCIL_TEST);
    gl.enable(gl.BLEND);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthMask(false);
    this.drawSolids(solids, [0, 0, this.floor, 1]);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.disable(gl.STENCIL_TEST);
  }

  drawSolids(solids, ground) {
    const { gl } = this;
    const { program, uniforms } = this.solid;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.camera, false, this.camera.matrix);
    gl.uniform3fv(uniforms.light, LIGHT);
    gl.uniform3fv(uniforms.eye, this.camera.eye);
    gl.uniform4fv(uniforms.ground, ground);
    for (const solid of solids) {
      const { array, count } = this.mesh(solid);
      gl.bindVertexArray(array);
      gl.uniformMatrix4fv(uniforms.world, false, solid.matrix);
      gl.uniform3fv(uniforms.colour, solid.colour);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
  }

  traceOf(item) {
    if (this.traces.has(item)) return this.traces.get(item);
    const { gl } = this;
    const places = this.scene.path(item).places;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const { place } = this.traceProgram;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strip);
    gl.enableVertexAttribArray(place("corner"));
    gl.vertexAttribPointer(place("corner"), 2, gl.FLOAT, false, 0, 0);
    const points = this.buffer(new Float32Array(places.flat()));
    const trace = { array, points, count: places.length - 1 };
    for (const name of ["from", "to"]) {
      gl.enableVertexAttribArray(place(name));
      gl.vertexAttribDivisor(place(name), 1);
    }
    this.traces.set(item, trace);
    return trace;
  }

  // The whole way thin, the last part of it strong.
  drawTrace(item, colour, t) {
    const { gl, scene } = this;
    const { program, uniforms, place } = this.traceProgram;
    const trace = this.traceOf(item);
    const { times: list } = scene.path(item);
    const trail = 0.06 * Math.abs(scene.motion.to - scene.motion.from);
    const [first, behind] = rowsBetween(list, Math.min(t, t - trail), t);
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.camera, false, this.camera.matrix);
    gl.uniform2f(uniforms.size, this.width, this.height);
    gl.enable(gl.BLEND);
    gl.bindVertexArray(trace.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, trace.points);
    for (const [from, count, width, alpha] of [[0, trace.count, 1.2, 0.35], [first, Math.max(0, behind - first - 2), 2.6, 0.9]]) {
      gl.vertexAttribPointer(place("from"), 3, gl.FLOAT, false, 0, 12 * from);
      gl.vertexAttribPointer(place("to"), 3, gl.FLOAT, false, 0, 12 * (from + 1));
      gl.uniform1f(uniforms.width, width);
      gl.uniform4f(uniforms.colour, ...theme.rgb(colour), alpha);
      if (count > 0) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    }
    gl.bindVertexArray(null);
    gl.disable(gl.BLEND);
  }

  toPage(place) { return this.camera.toPage(place, this.width, this.height); }
}

