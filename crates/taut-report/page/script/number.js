// Numbers for people.

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

const raised = exponent => [...String(exponent)].map(letter => RAISED[letter]).join("");

const withMinus = text => text.replace("-", "−");

// A number with so many significant digits, without trailing zeros.
function significant(x, digits = 5) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : withMinus(String(x)).replace("Infinity", "∞");
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e6) return withMinus(String(Number(x.toPrecision(digits))));
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const short = withMinus(String(Number(mantissa)));
  return `${short === "1" ? "" : `${short}·`}10${raised(Number(exponent))}`;
}

// A time: as many decimals as tell the times of a run apart.
function timeText(t, span) {
  if (!(span > 0)) return significant(t, 6);
  const decimals = Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(span))));
  if (decimals > 6 || Math.abs(t) >= 1e7) return significant(t, 5);
  return withMinus(t.toFixed(decimals));
}

