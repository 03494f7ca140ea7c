// Deflate (RFC 1951), decoded at once: nothing to wait for, and no browser is too old for it.

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

// A table that gives for the next bits a symbol and the length of its code: symbol << 4 | length.
function huffman(lengths) {
  const most = Math.max(1, ...lengths);
  const table = new Uint16Array(1 << most);
  let code = 0;
  for (let length = 1; length <= most; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      for (let k = reversed; k < table.length; k += 1 << length) table[k] = (symbol << 4) | length;
      code++;
    }
    code <<= 1;
  }
  return { table, mask: table.length - 1 };
}

class Bits {
  constructor(source) {
    this.source = source;
    this.at = 0;
    this.held = 0;
    this.count = 0;
  }

  take(count) {
    while (this.count < count) {
      this.held |= this.source[this.at++] << this.count;
      this.count += 8;
    }
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.count -= count;
    return value;
  }

  symbol({ table, mask }) {
    while (this.count < 15 && this.at < this.source.length) {
      this.held |= this.source[this.at++] << this.count;
      this.count += 8;
    }
    const entry = table[this.held & mask];
    this.held >>>= entry & 15;
    this.count -= entry & 15;
    return entry >> 4;
  }

  // Back to the beginning of a byte.
  align() {
    this.at -= this.count >> 3;
    this.held = this.count = 0;
  }
}

function fixedCodes() {
  const lengths = Array.from({ length: 288 }, (_, k) => (k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8));
  return [huffman(lengths), huffman(new Array(30).fill(5))];
}

function dynamicCodes(bits) {
  const [literals, distances, codes] = [bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4];
  const lengths = new Array(19).fill(0);
  for (let k = 0; k < codes; k++) lengths[CODE_ORDER[k]] = bits.take(3);
  const code = huffman(lengths);
  const all = [];
  while (all.length < literals + distances) {
    const symbol = bits.symbol(code);
    if (symbol < 16) all.push(symbol);
    else if (symbol === 16) for (let k = 3 + bits.take(2), last = all[all.length - 1]; k > 0; k--) all.push(last);
    else for (let k = symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7); k > 0; k--) all.push(0);
  }
  return [huffman(all.slice(0, literals)), huffman(all.slice(literals))];
}

function inflate(source, size) {
  const target = new Uint8Array(size);
  const bits = new Bits(source);
  let at = 0;
  for (let last = 0; !last;) {
    last = bits.take(1);
    const kind = bits.take(2);
    if (kind === 0) {
      bits.align();
      const length = source[bits.at] | (source[bits.at + 1] << 8);
      target.set(source.subarray(bits.at + 4, bits.at + 4 + length), at);
      bits.at += 4 + length;
      at += length;
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedCodes() : dynamicCodes(bits);
    for (let symbol; (symbol = bits.symbol(literals)) !== 256;) {
      if (symbol < 256) {
        target[at++] = symbol;
        continue;
      }
      const length = LENGTH_BASE[symbol - 257] + bits.take(LENGTH_BITS[symbol - 257]);
      const code = bits.symbol(distances);
      const from = at - DISTANCE_BASE[code] - bits.take(DISTANCE_BITS[code]);
      for (let k = 0; k < length; k++) target[at++] = target[from + k];
    }
  }
  return target;
}

