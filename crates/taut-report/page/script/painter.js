// One way to draw, onto a canvas or into an SVG file.

class CanvasPainter {
  constructor(context) { this.context = context; }

  line(points, colour, width, dash = 0) {
    const context = this.context;
    context.beginPath();
    let pen = false;
    for (const [x, y] of points) {
      if (!Number.isFinite(y)) pen = false;
      else if (pen) context.lineTo(x, y);
      else {
        // A point without neighbours is seen as well.
        context.moveTo(x, y);
        context.lineTo(x, y);
        pen = true;
      }
    }
    Object.assign(context, { strokeStyle: colour, lineWidth: width, lineJoin: "round", lineCap: dash ? "butt" : "round" });
    context.setLineDash(dash ? [dash, dash] : []);
    context.stroke();
  }

  dots(points, colour, radius) {
    const context = this.context;
    context.fillStyle = colour;
    context.beginPath();
    for (const [x, y] of points) {
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
    context.fill();
  }

  boxes(boxes, colour) {
    this.context.fillStyle = colour;
    for (const box of boxes) this.context.fillRect(...box);
  }

  text(words, x, y, { align = "left", colour, upwards = false, bold = false }) {
    const context = this.context;
    context.save();
    context.translate(x, y);
    if (upwards) context.rotate(-Math.PI / 2);
    context.font = `${bold ? "600 " : ""}12px ${FONT}`;
    Object.assign(context, { fillStyle: colour, textAlign: align, textBaseline: "alphabetic" });
    context.fillText(words, 0, 0);
    context.restore();
  }

  within([x, y, width, height], draw) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
    draw();
    this.context.restore();
  }
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

class SvgPainter {
  constructor(width, height, ground) {
    Object.assign(this, { width, height });
    this.parts = [`<rect width="100%" height="100%" fill="${ground}"/>`];
    this.clips = 0;
  }

  line(points, colour, width, dash = 0) {
    const runs = [[]];
    for (const point of points) {
      if (Number.isFinite(point[1])) runs[runs.length - 1].push(point);
      else if (runs[runs.length - 1].length) runs.push([]);
    }
    const dashes = dash ? ` stroke-dasharray="${dash} ${dash}"` : "";
    for (const run of runs.filter(run => run.length)) {
      const list = run.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
      this.parts.push(`<polyline points="${list}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="${dash ? "butt" : "round"}"${dashes}/>`);
    }
  }

  dots(points, colour, radius) {
    for (const [x, y] of points) this.parts.push(`<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${radius}" fill="${colour}"/>`);
  }

  boxes(boxes, colour) {
    for (const box of boxes) {
      const [x, y, width, height] = box.map(number => number.toFixed(2));
      this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}"/>`);
    }
  }

  text(words, x, y, { align = "left", colour, upwards = false, bold = false }) {
    const anchor = { left: "start", center: "middle", right: "end" }[align];
    const turn = upwards ? ` transform="rotate(-90 ${x.toFixed(2)} ${y.toFixed(2)})"` : "";
    const safe = words.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
    this.parts.push(`<text x="${x.toFixed(2)}" y="${y.toFixed(2)}" font-size="12" text-anchor="${anchor}" fill="${colour}"${bold ? ' font-weight="600"' : ""}${turn}>${safe}</text>`);
  }

  within([x, y, width, height], draw) {
    const name = `clip${this.clips++}`;
    this.parts.push(`<clipPath id="${name}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#${name})">`);
    draw();
    this.parts.push("</g>");
  }

  toString() {
    const { width, height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family='${FONT}'>\n${this.parts.join("\n")}\n</svg>\n`;
  }
}

