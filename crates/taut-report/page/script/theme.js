// Light and dark: what the system wants, until the reader wants something else.

const theme = {
  listeners: [],
  colours: {},
  dark: false,

  begin() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    let chosen = null;
    const show = () => this.show(chosen ?? (system.matches ? "dark" : "light"));
    system.addEventListener("change", show);
    document.getElementById("theme").addEventListener("click", () => {
      chosen = this.dark ? "light" : "dark";
      show();
    });
    // Paper is white.
    addEventListener("beforeprint", () => this.show("light"));
    addEventListener("afterprint", show);
    show();
  },

  show(name) {
    this.dark = name === "dark";
    document.documentElement.dataset.theme = name;
    const style = getComputedStyle(document.documentElement);
    const colour = key => style.getPropertyValue(`--${key}`).trim();
    const keys = ["card", "ink", "muted", "line", "strong-line", "accent", "steel", "steel-edge", "floor", "sky"];
    this.colours = Object.fromEntries(keys.map(key => [key, colour(key)]));
    this.curves = Array.from({ length: 7 }, (_, k) => colour(`curve-${k}`));
    for (const listener of this.listeners) listener();
  },

  // A colour for a curve, and dashes when all colours are taken.
  curve(k) { return this.curves[k % this.curves.length]; },

  // The k-th of n levels: from near the ground to the accent and beyond, lightness alone tells them apart.
  level(k, n) {
    const share = n > 1 ? k / (n - 1) : 1;
    const [from, to] = this.dark ? [[32, 44, 66], [255, 214, 140]] : [[222, 235, 247], [8, 48, 107]];
    const middle = this.dark ? [190, 92, 90] : [66, 146, 198];
    const between = (a, b, t) => a.map((x, i) => Math.round(x + (b[i] - x) * t));
    return `rgb(${(share < 0.5 ? between(from, middle, 2 * share) : between(middle, to, 2 * share - 1)).join(", ")})`;
  },

  dash(k) { return [0, 6, 2][Math.floor(k / this.curves.length) % 3]; },

  // #rrggbb as numbers from 0 to 1.
  rgb(hex) { return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16) / 255); },
};

