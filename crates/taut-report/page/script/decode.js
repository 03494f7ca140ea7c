// The numbers of the page: quantised, differences taken, sorted by bytes, deflated, in base 64.

class Numbers {
  constructor(text, size) {
    const letters = atob(text.trim());
    const bytes = new Uint8Array(letters.length);
    for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
    this.bytes = inflate(bytes, size);
  }

  // Numbers as they are.
  exact([offset, count]) {
    const view = new DataView(this.bytes.buffer);
    return Float64Array.from({ length: count }, (_, k) => view.getFloat64(offset + 8 * k, true));
  }

  // A column: whole numbers, of which 0 stands for what is no number.
  column([offset, count, width, base, quantum, order, logarithmic]) {
    const values = new Float64Array(count);
    for (let byte = width - 1; byte >= 0; byte--) {
      const from = offset + byte * count;
      for (let k = 0; k < count; k++) values[k] = 256 * values[k] + this.bytes[from + k];
    }
    for (let k = 0; k < count; k++) {
      const folded = values[k];
      values[k] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    }
    for (let pass = 0; pass < order; pass++) {
      for (let k = 1; k < count; k++) values[k] += values[k - 1];
    }
    for (let k = 0; k < count; k++) {
      const value = base + (values[k] - 1) * quantum;
      values[k] = values[k] === 0 ? NaN : logarithmic ? 10 ** value : value;
    }
    return values;
  }
}

