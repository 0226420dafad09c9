// Digests of row keys and the encoding of list drafts. A list is cut by what its rows are, not by where they stand, and a cursor has no
// room for the keys themselves.

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export function utf8(text: string): number[] {
  const out: number[] = [];
  for (const char of text) {
    let point = char.codePointAt(0)!;
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd; // half a pair is no character
    if (point < 0x80) out.push(point);
    else if (point < 0x800) out.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) out.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else out.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return out;
}

export function base64url(bytes: readonly number[]): string {
  let out = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const whole = digits[word >> 18] + digits[(word >> 12) & 63] + digits[(word >> 6) & 63] + digits[word & 63];
    out += whole.slice(0, Math.min(4, bytes.length - i + 1));
  }
  return out;
}

// The first 32 bits of the fractions of the square roots of the first 8 primes and the cube roots of the first 64 (FIPS 180-4, 4.2.2 and 5.3.3).
let constants: { start: number[]; rounds: number[] } | undefined;

function made(): { start: number[]; rounds: number[] } {
  if (constants !== undefined) return constants;
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (value: number) => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
  constants = { start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))), rounds: primes.map((prime) => fraction(Math.cbrt(prime))) };
  return constants;
}

export function sha256(message: readonly number[]): number[] {
  const { start, rounds } = made();
  const bytes = [...message, 0x80];
  while (bytes.length % 64 !== 56) bytes.push(0);
  const bits = message.length * 8;
  for (let shift = 7; shift >= 0; shift -= 1) bytes.push(Math.floor(bits / 2 ** (8 * shift)) & 255);
  const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));
  const hash = [...start];
  const w = new Array<number>(64);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i += 1) {
      const j = at + 4 * i;
      w[i] = (bytes[j] << 24) | (bytes[j + 1] << 16) | (bytes[j + 2] << 8) | bytes[j + 3];
    }
    for (let i = 16; i < 64; i += 1) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] = (w[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[i - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i] + word) | 0));
  }
  return hash.flatMap((word) => [(word >>> 24) & 255, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
}

// digest is how rows and contexts are remembered: 8 characters of the base64url of the SHA-256 of the text.
export const digest = (text: string): string => base64url(sha256(utf8(text))).slice(0, 8);
