// The points of curves: as many as can be seen, and no extreme lost.

// Rows of a curve over time between two times, with one row on either side.
function rowsBetween(times, from, to) {
  const forward = times.length < 2 || times[times.length - 1] >= times[0];
  const behind = value => {
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (forward ? times[middle] < value : times[middle] > value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const [first, last] = forward ? [from, to] : [to, from];
  return [Math.max(0, behind(first) - 1), Math.min(times.length, behind(last) + 1)];
}

// Rows, or where there are too many the least and the largest of each bin, in the order in which they come.
function thinnedRows(times, values, [first, behind], pixels) {
  const points = [];
  const size = Math.ceil((behind - first) / pixels);
  if (size <= 3) {
    for (let k = first; k < behind; k++) points.push([times[k], values[k]]);
    return points;
  }
  for (let from = first; from < behind; from += size) {
    const to = Math.min(behind, from + size);
    let [least, most] = [from, from];
    for (let k = from + 1; k < to; k++) {
      if (values[k] < values[least] || Number.isNaN(values[least])) least = k;
      if (values[k] > values[most] || Number.isNaN(values[most])) most = k;
    }
    for (const k of least < most ? [least, most] : [most, least]) points.push([times[k], values[k]]);
  }
  return points;
}

// Points of a column over time; `axis` is the axis of the time.
function pointsOverTime(track, column, axis, pixels) {
  const values = track.columns[column].values;
  const [from, to] = [axis.at(0), axis.at(1)];
  const range = rowsBetween(track.rowTimes, Math.min(from, to), Math.max(from, to));
  if (!track.intervals || range[1] - range[0] > 3 * pixels) return thinnedRows(track.rowTimes, values, range, pixels);
  const points = [];
  const [start, end] = [Math.min(track.from, track.to), Math.max(track.from, track.to)];
  for (let k = 0; k <= pixels; k++) {
    const t = Math.min(end, Math.max(start, axis.at(k / pixels)));
    points.push([t, track.at(t).value(values)]);
  }
  return points;
}

// Times at which a curve through pieces looks smooth.
function smoothTimes(track, most) {
  if (!track.intervals) return track.times;
  if (track.smooth) return track.smooth;
  const pieces = track.times.length - 1;
  const within = Math.max(1, Math.min(16, Math.floor(most / pieces)));
  const times = [];
  for (let k = 0; k < pieces; k++) {
    for (let j = 0; j < within; j++) times.push(track.times[k] + ((track.times[k + 1] - track.times[k]) * j) / within);
  }
  times.push(track.to);
  track.smooth = times;
  return times;
}

const MOST_POINTS = 6000;

// Points of one column over another.
function pointsOverColumn(track, x, y) {
  const [across, upwards] = [track.columns[x].values, track.columns[y].values];
  if (!track.intervals) return Array.from(across, (value, k) => [value, upwards[k]]);
  return smoothTimes(track, MOST_POINTS).map(t => [track.at(t).value(across), track.value(upwards)]);
}

