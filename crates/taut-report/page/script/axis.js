// Axes: which numbers are written where.

const TICKS = { x: 7, y: 5 };

function roundStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].find(factor => factor * power >= step * (1 - 1e-9)) * power;
}

class Axis {
  constructor(low, high, scale, wanted) {
    Object.assign(this, { low, high, scale });
    this.ticks = scale === "log" ? this.powers(wanted) : this.round(wanted);
  }

  // An axis that shows all numbers from least to most; `margin` is the share of the length left free at both ends.
  static around(least, most, scale, margin, wanted) {
    if (!(least <= most)) [least, most] = scale === "log" ? [0.1, 10] : [-1, 1];
    if (scale === "log") {
      let [low, high] = [Math.log10(least), Math.log10(most)];
      if (high - low < 1) [low, high] = [low - 0.3, high + 0.3];
      const free = margin * (high - low);
      return new Axis(low - free, high + free, scale, wanted);
    }
    const size = Math.max(Math.abs(least), Math.abs(most));
    // A constant is shown in the middle; differences of rounding size are none.
    if (most - least <= 1e-12 * size || size === 0) {
      const half = size === 0 ? 1 : 0.1 * size;
      return new Axis(least - half, most + half, scale, wanted);
    }
    const free = margin * (most - least);
    return new Axis(least - free, most + free, scale, wanted);
  }

  round(wanted) {
    const step = roundStep((this.high - this.low) / wanted);
    const [first, last] = [Math.ceil(this.low / step - 1e-9), Math.floor(this.high / step + 1e-9)];
    const digits = Math.max(3, Math.ceil(Math.log10(Math.max(Math.abs(this.low), Math.abs(this.high)) / step)) + 2);
    const ticks = [];
    for (let k = first; k <= last && ticks.length < 20; k++) ticks.push({ value: k * step, label: significant(k * step, digits) });
    return ticks;
  }

  powers(wanted) {
    const stride = Math.max(1, Math.ceil((this.high - this.low) / wanted));
    const ticks = [];
    const digits = this.high - this.low < 2.5 ? [1, 2, 5] : [1];
    for (let k = Math.floor(this.low); k <= Math.ceil(this.high); k++) {
      if (k % stride !== 0) continue;
      for (const digit of digits) {
        const place = k + Math.log10(digit);
        if (place < this.low - 1e-9 || place > this.high + 1e-9) continue;
        ticks.push({ value: digit * 10 ** k, label: digit === 1 ? `10${raised(k)}` : `${digit}·10${raised(k)}` });
      }
    }
    return ticks;
  }

  shows(x) { return Number.isFinite(x) && (this.scale !== "log" || x > 0); }

  // Where a number lies, from 0 to 1.
  share(x) { return ((this.scale === "log" ? Math.log10(x) : x) - this.low) / (this.high - this.low); }

  // The number at a place from 0 to 1.
  at(share) {
    const x = this.low + share * (this.high - this.low);
    return this.scale === "log" ? 10 ** x : x;
  }
}

