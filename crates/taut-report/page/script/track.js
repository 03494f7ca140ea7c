// Tracks: columns over time, in pieces of polynomials (see track/mod.rs) or as rows.

// Points of so many intervals from 0 to 1.
const chebyshev = (() => {
  const known = new Map();
  return intervals => {
    if (!known.has(intervals)) {
      const place = (_, j) => (j === intervals ? 1 : 0.5 * (1 - Math.cos((Math.PI * j) / intervals)));
      known.set(intervals, Float64Array.from({ length: intervals + 1 }, place));
    }
    return known.get(intervals);
  };
})();

class Track {
  constructor(data, numbers) {
    this.times = numbers.exact(data.times);
    this.columns = data.columns.map(column => ({ ...column, values: numbers.column(column.values) }));
    this.intervals = data.intervals && numbers.column(data.intervals);
    this.forward = this.times.length < 2 || this.times[this.times.length - 1] >= this.times[0];
    this.starts = new Int32Array(this.times.length);
    if (this.intervals) this.intervals.forEach((n, k) => { this.starts[k + 1] = this.starts[k] + n; });
    this.weights = new Float64Array(17);
    this.first = 0;
    this.count = 0;
    this.at(this.times[0]);
  }

  get from() { return this.times[0]; }

  get to() { return this.times[this.times.length - 1]; }

  // The last piece that begins before t.
  piece(t) {
    let [low, high] = [0, this.times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.forward ? this.times[middle] <= t : this.times[middle] >= t) low = middle;
      else high = middle;
    }
    return low;
  }

  // Moves to a time: from then on `value` gives values there.
  at(t) {
    this.t = t;
    const last = this.times.length - 1;
    if (last < 1) {
      [this.first, this.count] = [0, Math.max(0, last + 1)];
      this.weights[0] = 1;
      return this;
    }
    const k = this.piece(t);
    const [from, to] = [this.times[k], this.times[k + 1]];
    const x = to === from ? 1 : Math.min(1, Math.max(0, (t - from) / (to - from)));
    if (this.intervals) this.barycentric(this.starts[k], this.intervals[k], x);
    else this.lagrange(k, from + x * (to - from));
    return this;
  }

  barycentric(first, intervals, x) {
    const [points, weights] = [chebyshev(intervals), this.weights];
    [this.first, this.count] = [first, intervals + 1];
    let sum = 0;
    for (let j = 0; j <= intervals; j++) {
      if (x === points[j]) {
        weights.fill(0);
        weights[j] = 1;
        return;
      }
      const end = j === 0 || j === intervals ? 0.5 : 1;
      weights[j] = ((j % 2 ? -1 : 1) * end) / (x - points[j]);
      sum += weights[j];
    }
    for (let j = 0; j <= intervals; j++) weights[j] /= sum;
  }

  // The cubic polynomial through the four rows around.
  lagrange(k, t) {
    const first = Math.max(0, Math.min(k - 1, this.times.length - 4));
    const behind = Math.min(this.times.length, first + 4);
    [this.first, this.count] = [first, behind - first];
    for (let i = first; i < behind; i++) {
      let weight = 1;
      for (let j = first; j < behind; j++) {
        const distance = this.times[i] - this.times[j];
        if (distance !== 0) weight *= (t - this.times[j]) / distance;
      }
      this.weights[i - first] = weight;
    }
  }

  // The value of numbers with the rows of this track.
  value(values) {
    let sum = 0;
    for (let j = 0; j < this.count; j++) {
      if (this.weights[j] !== 0) sum += this.weights[j] * values[this.first + j];
    }
    return sum;
  }

  // The time of each row.
  get rowTimes() {
    if (!this.intervals) return this.times;
    if (this.allTimes) return this.allTimes;
    const times = new Float64Array(this.starts[this.starts.length - 1] + 1);
    times[0] = this.times[0];
    this.intervals.forEach((n, k) => {
      const points = chebyshev(n);
      const [from, to] = [this.times[k], this.times[k + 1]];
      for (let j = 1; j <= n; j++) times[this.starts[k] + j] = j === n ? to : from + points[j] * (to - from);
    });
    this.allTimes = times;
    return times;
  }
}

