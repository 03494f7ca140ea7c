// What a reader does with a plot: seek, zoom, save.

Object.assign(Plot.prototype, {
  listen() {
    let from = null;
    const at = event => {
      const box = this.frame.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.frame.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      from = at(event);
      this.frame.setPointerCapture(event.pointerId);
    });
    this.frame.addEventListener("pointermove", event => {
      if (from) this.showBox(from, at(event));
      else if (event.pointerType === "mouse") this.hoverAt(at(event));
    });
    this.frame.addEventListener("pointerup", event => {
      if (from) this.release(from, at(event));
      from = null;
      this.box.hidden = true;
    });
    this.frame.addEventListener("pointercancel", () => {
      from = null;
      this.box.hidden = true;
    });
    this.frame.addEventListener("pointerleave", () => this.page.hoverAt(null));
    this.frame.addEventListener("dblclick", () => this.showAll());
  },

  // Who is quicker than the first drawing need not wait.
  ready() {
    if (this.stale !== false) this.page.freshen(this);
  },

  timeAt(x) {
    this.ready();
    const [left, , width] = this.area;
    return this.x.at(Math.min(1, Math.max(0, (x - left) / width)));
  },

  hoverAt([x]) {
    if (this.overTime) this.page.hoverAt(this.timeAt(x));
  },

  showBox(from, to) {
    this.ready();
    const [left, top, width, height] = this.area;
    const wide = Math.abs(to[0] - from[0]) > 5;
    this.box.hidden = !wide;
    const tall = this.overTime ? [top, top + height] : [from[1], to[1]];
    const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
    const across = [from[0], to[0]].map(x => clamp(x, left, left + width)).sort((a, b) => a - b);
    const upwards = tall.map(y => clamp(y, top, top + height)).sort((a, b) => a - b);
    Object.assign(this.box.style, {
      left: `${across[0]}px`, width: `${across[1] - across[0]}px`, top: `${upwards[0]}px`, height: `${upwards[1] - upwards[0]}px`,
    });
  },

  release(from, to) {
    this.ready();
    if (Math.abs(to[0] - from[0]) <= 5) return this.seek(to);
    if (this.overTime) {
      const times = [this.timeAt(from[0]), this.timeAt(to[0])].sort((a, b) => a - b);
      return this.page.zoomTo(times);
    }
    const [left, top, width, height] = this.area;
    const share = ([x, y]) => [(x - left) / width, 1 - (y - top) / height];
    const [a, b] = [share(from), share(to)];
    const part = (axis, k) => [a[k], b[k]].map(s => axis.low + s * (axis.high - axis.low)).sort((p, q) => p - q);
    this.zoom = { x: part(this.x, 0), y: part(this.y, 1) };
    this.draw();
  },

  // Where the reader clicked: that time, or that of the nearest point.
  seek(at) {
    if (this.overTime) return this.page.seek(this.timeAt(at[0]));
    const { motion } = this.page;
    let [nearest, distance] = [null, Infinity];
    this.data.lines.forEach((line, k) => {
      if (line.table !== 0 || this.hidden.has(k)) return;
      smoothTimes(motion, MOST_POINTS).forEach((t, j) => {
        const [x, y] = this.toPage(this.points[k][j]);
        const away = Math.hypot(x - at[0], y - at[1]);
        if (away < distance) [nearest, distance] = [t, away];
      });
    });
    if (nearest != null) this.page.seek(nearest);
  },

  showAll() {
    this.zoom = null;
    if (this.overTime) this.page.zoomTo(null);
    else this.draw();
  },

  downloadSvg() {
    this.ready();
    const painter = new SvgPainter(this.width, this.height + 28, theme.colours.card);
    const [left, top, width, height] = this.area;
    this.area = [left, top + 28, width, height];
    painter.text(this.data.title, left, 20, { colour: theme.colours.ink, bold: true });
    let at = left + width;
    [...this.data.lines.entries()].reverse().forEach(([k, line]) => {
      if (this.hidden.has(k) || !line.name) return;
      painter.text(line.name, at, 20, { align: "right", colour: theme.colours.ink });
      at -= 7 * line.name.length + 8;
      painter.line([[at - 14, 16], [at, 16]], theme.curve(k), 3);
      at -= 28;
    });
    this.paint(painter);
    this.area = [left, top, width, height];
    download(`${this.page.title}-${this.data.name}.svg`, "image/svg+xml", painter.toString());
  },

  // All curves over time that share a table, row by row; others one below the other.
  downloadCsv() {
    const quote = text => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const parts = [...new Set(this.data.lines.map(line => line.table))].map(number => {
      const table = this.page.tables[number];
      const lines = this.data.lines.filter(line => line.table === number);
      const columns = [...new Set(lines.flatMap(line => (line.x == null ? [line.y] : [line.x, line.y])))];
      const timed = this.overTime || number === 0;
      const heads = [...(timed ? [this.page.timeName] : []), ...columns.map(c => table.columns[c].name)];
      const rows = Array.from(table.rowTimes, (t, k) => [...(timed ? [t] : []), ...columns.map(c => table.columns[c].values[k])].join(","));
      return [heads.map(quote).join(","), ...rows].join("\n");
    });
    download(`${this.page.title}-${this.data.name}.csv`, "text/csv", `${parts.join("\n\n")}\n`);
  },
});

