// A plot: curves over time, or over one another.

const MARGIN = { left: 62, right: 22, top: 8, bottom: 36 };

class Plot {
  constructor(data, page) {
    Object.assign(this, { data, page, hidden: new Set(), zoom: null });
    this.overTime = data.lines.every(line => line.x == null);
    this.boxes = ["bars", "tiles"].find(kind => data.lines.some(line => line.marks === kind));
    if (this.boxes) this.half = halfBoxes(data.lines.map(line => pointsOverColumn(this.table(line), line.x, line.y)), data);
    this.makeElements();
    this.listen();
  }

  makeElements() {
    const { data } = this;
    const tool = (label, title, act) => element("button", { type: "button", class: "quiet", title, "aria-label": `${label} of ${data.title}`, onclick: act }, label);
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.cursor = element("div", { class: "cursor", hidden: true });
    this.ghost = element("div", { class: "cursor ghost", hidden: true });
    this.box = element("div", { class: "zoom", hidden: true });
    const moving = this.page.motion.times.length > 1;
    this.dots = data.lines.map(line => element("div", { class: "dot", hidden: true, "data-still": line.table !== 0 || !moving }));
    this.frame = element("div", { class: data.equal ? "frame square" : "frame", role: "img", "aria-label": this.description() }, this.canvas, this.box, this.ghost, this.cursor, ...this.dots);
    this.legend = element("div", { class: "legend" }, ...this.makeLegend());
    this.element = element("figure", { class: "card plot", "data-name": data.name },
      element("div", { class: "head" }, element("h3", {}, data.title), element("div", { class: "tools" },
        tool("SVG", "Download the picture", () => this.downloadSvg()), tool("CSV", "Download the numbers", () => this.downloadCsv()))),
      this.legend, this.frame);
  }

  makeLegend() {
    const named = this.data.lines.length > 1 || this.data.lines[0].name;
    this.values = this.data.lines.map(() => element("output", { "aria-live": "off" }));
    this.swatches = this.data.lines.map(() => element("span", { class: this.boxes ? "swatch tile" : "swatch", "aria-hidden": "true" }));
    if (!named) return [];
    return this.data.lines.map((line, k) => element("button", {
      type: "button", "aria-pressed": "true", title: `Hide or show ${line.name}`,
      onclick: event => this.toggle(k, event.currentTarget),
    }, this.swatches[k], line.name, this.values[k]));
  }

  description() {
    const names = this.data.lines.map(line => line.name).filter(Boolean).join(", ");
    return `${this.data.title}: ${names || this.data.y} over ${this.overTime ? this.page.timeName : this.data.x}`;
  }

  toggle(k, button) {
    if (!this.hidden.delete(k)) this.hidden.add(k);
    button.setAttribute("aria-pressed", String(!this.hidden.has(k)));
    this.draw();
  }

  table(line) { return this.page.tables[line.table]; }

  // What is on the axis to the right.
  acrossAxis() {
    if (this.overTime) {
      const [from, to] = this.page.range;
      const axis = new Axis(...(this.page.logarithmic ? [Math.log10(from), Math.log10(to)] : [from, to]), this.page.logarithmic ? "log" : "linear", TICKS.x);
      return axis;
    }
    if (this.zoom) return new Axis(this.zoom.x[0], this.zoom.x[1], this.data.xScale, TICKS.x);
    const [least, most] = this.extent(0, this.data.xScale);
    return Axis.around(least, most, this.data.xScale, this.boxes ? 0.01 : 0.05, TICKS.x);
  }

  // What all points reach; bars stand on zero, tiles are shown whole.
  extent(axis, scale) {
    const [least, most] = extent(this.points, axis, scale);
    if (!this.boxes || !(least <= most)) return [least, most];
    if (this.boxes === "bars" && axis === 1) return [Math.min(0, least), Math.max(0, most)];
    return [boxEnds(least, this.half[axis], scale)[0], boxEnds(most, this.half[axis], scale)[1]];
  }

  colour(k) { return this.boxes === "tiles" ? theme.level(k, this.data.lines.length) : theme.curve(k); }

  layOut() {
    this.width = this.frame.clientWidth;
    this.height = this.frame.clientHeight;
    const { left, right, top, bottom } = MARGIN;
    this.area = [left, top, Math.max(10, this.width - left - right), Math.max(10, this.height - top - bottom)];
    const pixels = Math.ceil(this.area[2]);
    const shown = (line, k) => !this.hidden.has(k);
    if (this.overTime) this.x = this.acrossAxis();
    this.points = this.data.lines.map((line, k) => {
      if (!shown(line, k)) return [];
      return this.overTime ? pointsOverTime(this.table(line), line.y, this.x, pixels) : pointsOverColumn(this.table(line), line.x, line.y);
    });
    if (!this.overTime) this.x = this.acrossAxis();
    const [least, most] = this.extent(1, this.data.yScale);
    this.y = this.zoom && !this.overTime ? new Axis(this.zoom.y[0], this.zoom.y[1], this.data.yScale, TICKS.y) : Axis.around(least, most, this.data.yScale, 0.06, TICKS.y);
    if (this.data.equal && !this.zoom) this.makeEqual();
  }

  // One unit to the right is as long as one upwards.
  makeEqual() {
    const [, , width, height] = this.area;
    const scale = Math.max((this.x.high - this.x.low) / width, (this.y.high - this.y.low) / height);
    const wider = (axis, length, wanted) => {
      const middle = 0.5 * (axis.low + axis.high);
      return new Axis(middle - 0.5 * scale * length, middle + 0.5 * scale * length, "linear", wanted);
    };
    [this.x, this.y] = [wider(this.x, width, TICKS.x), wider(this.y, height, TICKS.y)];
  }

  toPage([x, y]) {
    const [left, top, width, height] = this.area;
    return [left + this.x.share(x) * width, this.y.shows(y) ? top + (1 - this.y.share(y)) * height : NaN];
  }

  draw() {
    this.layOut();
    if (!this.width) return;
    const scale = this.page.sharpness();
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    this.paint(new CanvasPainter(context));
    this.swatches.forEach((swatch, k) => { swatch.style.borderColor = this.colour(k); });
    this.dots.forEach((dot, k) => { dot.style.background = theme.curve(k); });
    this.showTime();
  }

  paint(painter) {
    const [left, top, width, height] = this.area;
    const { line, muted } = theme.colours;
    for (const { value, label } of this.x.ticks) {
      const at = Math.round(left + this.x.share(value) * width) + 0.5;
      painter.line([[at, top], [at, top + height]], line, 1);
      painter.text(label, at, top + height + 15, { align: "center", colour: muted });
    }
    for (const { value, label } of this.y.ticks) {
      const at = Math.round(top + (1 - this.y.share(value)) * height) + 0.5;
      painter.line([[left, at], [left + width, at]], line, 1);
      painter.text(label, left - 6, at + 4, { align: "right", colour: muted });
    }
    painter.line([[left, top], [left, top + height], [left + width, top + height]], theme.colours["strong-line"], 1);
    painter.text(this.overTime ? this.page.timeLabel : this.data.x, left + width / 2, top + height + 31, { align: "center", colour: muted });
    if (this.data.y) painter.text(this.data.y, 12, top + height / 2, { align: "center", colour: muted, upwards: true });
    painter.within([left, top - 4, width + 4, height + 8], () => this.paintCurves(painter));
  }

  paintCurves(painter) {
    if (this.overTime) {
      for (const event of this.page.events) {
        const at = this.toPage([event.t, 1])[0];
        painter.line([[at, this.area[1]], [at, this.area[1] + this.area[3]]], theme.curve(1), 1, 3);
      }
    }
    this.points.forEach((points, k) => {
      const shown = points.map(point => this.toPage(point));
      const { marks } = this.data.lines[k];
      if (marks === this.boxes) {
        painter.boxes(points.map(point => this.corners(point)), this.colour(k));
        return;
      }
      if (marks !== "dots") painter.line(shown, theme.curve(k), 1.6, theme.dash(k));
      if (marks !== "line" && shown.length <= 400) painter.dots(shown.filter(([, y]) => Number.isFinite(y)), theme.curve(k), 2);
      else if (marks === "dots") painter.dots(shown.filter(([, y]) => Number.isFinite(y)), theme.curve(k), 1.2);
    });
  }

  // The corners of the bar or tile of a point: left, top, width, height.
  corners([x, y]) {
    const [from, to] = boxEnds(x, this.half[0], this.data.xScale);
    const [low, high] = this.boxes === "bars" ? [0, y] : boxEnds(y, this.half[1], this.data.yScale);
    const [[left, bottom], [right, top]] = [this.toPage([from, low]), this.toPage([to, high])];
    // Bars have a gap between them, tiles have none.
    const gap = this.boxes === "bars" ? 1 : -0.4;
    return [left + gap / 2, top, Math.max(0.5, right - left - gap), Math.max(0, bottom - top - Math.min(0, gap))];
  }

  // Moves cursor and dots to the time of the page. Only styles change: nothing is painted anew.
  showTime() {
    if (!this.area || !this.visible) return;
    const { t, hover, motion } = this.page;
    if (motion.t !== t) motion.at(t);
    const [left, top, width, height] = this.area;
    if (this.overTime && motion.times.length > 1) {
      this.place(this.cursor, t);
      this.place(this.ghost, hover);
    }
    this.data.lines.forEach((line, k) => {
      const dot = this.dots[k];
      if (dot.dataset.still != null || line.table !== 0) return;
      const values = motion.columns[line.y].values;
      const across = line.x == null ? t : motion.value(motion.columns[line.x].values);
      const [x, y] = this.toPage([across, motion.value(values)]);
      const inside = !this.hidden.has(k) && Number.isFinite(y) && x >= left - 1 && x <= left + width + 1 && y >= top - 1 && y <= top + height + 1;
      dot.hidden = !inside;
      if (inside) dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  place(cursor, t) {
    const [left, top, width, height] = this.area;
    const share = t == null ? -1 : this.x.share(t);
    cursor.hidden = !(share >= 0 && share <= 1);
    if (cursor.hidden) return;
    cursor.style.transform = `translate(${(left + share * width).toFixed(1)}px, ${top}px)`;
    cursor.style.height = `${height}px`;
  }

  // The values at the cursor, in the legend.
  showValues() {
    if (!this.visible) return;
    const t = this.page.hover ?? this.page.t;
    this.data.lines.forEach((line, k) => {
      if (line.x != null && line.table !== 0) return;
      const table = this.table(line);
      const row = table === this.page.motion ? null : nearestRow(table.rowTimes, t);
      const values = table.columns[line.y].values;
      this.values[k].textContent = significant(row == null ? table.at(t).value(values) : values[row], 5);
    });
  }
}

function extent(lists, axis, scale) {
  let [least, most] = [Infinity, -Infinity];
  for (const points of lists) {
    for (const point of points) {
      const x = point[axis];
      if (!Number.isFinite(x) || (scale === "log" && x <= 0)) continue;
      if (x < least) least = x;
      if (x > most) most = x;
    }
  }
  return [least, most];
}

function nearestRow(times, t) {
  const [first, behind] = rowsBetween(times, t, t);
  let nearest = first;
  for (let k = first; k < behind; k++) if (Math.abs(times[k] - t) < Math.abs(times[nearest] - t)) nearest = k;
  return nearest;
}

