// Bars and tiles: boxes around points, as large as points are apart.

// Half of the least distance between two numbers that differ, on a scale.
function halfApart(values, scale) {
  const places = values.filter(x => Number.isFinite(x) && (scale !== "log" || x > 0)).map(x => (scale === "log" ? Math.log10(x) : x)).sort((a, b) => a - b);
  // Numbers are rounded on their way into the page, those of each curve by themselves: near ones are the same.
  const same = places.length ? 1e-3 * (places[places.length - 1] - places[0]) : 0;
  let least = Infinity;
  for (let k = 1; k < places.length; k++) {
    const distance = places[k] - places[k - 1];
    if (distance > same && distance < least) least = distance;
  }
  return least < Infinity ? least / 2 : 0.5;
}

// Where a box around a number begins and ends.
function boxEnds(x, half, scale) {
  return scale === "log" ? [x / 10 ** half, x * 10 ** half] : [x - half, x + half];
}

// The half width and height of the boxes of a plot, from all its curves, hidden ones as well.
function halfBoxes(lines, data) {
  const all = lines.flat();
  return [halfApart(all.map(([x]) => x), data.xScale), halfApart(all.map(([, y]) => y), data.yScale)];
}
