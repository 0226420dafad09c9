// The part of Node's Buffer that scripts use: a Uint8Array with text encodings.
(function (host) {
  'use strict';
  const size = n => {
    if (typeof n !== 'number') throw new TypeError('The "size" argument must be of type number. Received ' + typeof n);
    if (!(n >= 0 && n <= 0x7fffffff)) throw new RangeError('The value of "size" is out of range. Received ' + n);
    return n;
  };
  const wrap = u8 => {
    Object.setPrototypeOf(u8, Buffer.prototype);
    return u8;
  };
  const encoding = e => e === undefined || e === null || e === '' ? 'utf8' : String(e).toLowerCase();
  const bytes = (text, enc) => new Uint8Array(host.encode(text, encoding(enc)));

  function Buffer(value, encodingOrOffset, length) {
    if (typeof value === 'number') return Buffer.alloc(value);
    return Buffer.from(value, encodingOrOffset, length);
  }
  Buffer.prototype = Object.create(Uint8Array.prototype, { constructor: { value: Buffer, writable: true, configurable: true } });
  Object.setPrototypeOf(Buffer, Uint8Array);
  const hide = (target, members) => {
    for (const key of Reflect.ownKeys(members)) {
      const d = Object.getOwnPropertyDescriptor(members, key);
      d.enumerable = false;
      Object.defineProperty(target, key, d);
    }
  };
  const toText = (b, enc, start = 0, end = b.length) => {
    start = Math.max(0, Math.trunc(start) || 0);
    end = Math.min(b.length, end === undefined ? b.length : Math.trunc(end) || 0);
    if (end <= start) return '';
    return host.decodeBytes(b.buffer, b.byteOffset + start, end - start, encoding(enc));
  };
  hide(Buffer, {
    poolSize: 8192,
    from(value, enc, length) {
      if (typeof value === 'string') return wrap(bytes(value, enc));
      if (value instanceof ArrayBuffer) return wrap(new Uint8Array(value, enc, length));
      if (ArrayBuffer.isView(value)) return wrap(Uint8Array.from(value, v => Number(v) & 255));
      if (value !== null && typeof value === 'object') {
        if (value.type === 'Buffer' && Array.isArray(value.data)) return wrap(Uint8Array.from(value.data, v => Number(v) & 255));
        if (typeof value.length === 'number') return wrap(Uint8Array.from(value, v => Number(v) & 255));
        const primitive = typeof value.valueOf === 'function' ? value.valueOf() : value;
        if (primitive !== value && primitive !== null && primitive !== undefined) return Buffer.from(primitive, enc, length);
      }
      throw new TypeError('The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received ' +
        (value === null ? 'null' : typeof value));
    },
    of(...items) { return Buffer.from(items); },
    alloc(n, fill, enc) {
      const b = wrap(new Uint8Array(size(n)));
      return fill === undefined || fill === 0 ? b : b.fill(fill, enc);
    },
    allocUnsafe(n) { return wrap(new Uint8Array(size(n))); },
    allocUnsafeSlow(n) { return wrap(new Uint8Array(size(n))); },
    isBuffer(b) { return b instanceof Buffer; },
    isEncoding(e) { return typeof e === 'string' && /^(utf-?8|utf-?16le|ucs-?2|latin1|binary|ascii|hex|base64|base64url)$/i.test(e); },
    byteLength(v, enc) {
      if (typeof v === 'string') return bytes(v, enc).length;
      if (v instanceof ArrayBuffer || ArrayBuffer.isView(v)) return v.byteLength;
      throw new TypeError('The "string" argument must be of type string or an instance of Buffer or ArrayBuffer. Received ' + typeof v);
    },
    compare(a, b) {
      const n = Math.min(a.length, b.length);
      for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
      return Math.sign(a.length - b.length);
    },
    concat(list, total) {
      if (!Array.isArray(list)) throw new TypeError('The "list" argument must be an instance of Array. Received ' + typeof list);
      total ??= list.reduce((n, b) => n + b.length, 0);
      const out = Buffer.alloc(total);
      let at = 0;
      for (const b of list) {
        if (at >= total) break;
        out.set(b.length > total - at ? b.subarray(0, total - at) : b, at);
        at += b.length;
      }
      return out;
    },
  });
  const number = (name, bytesOf, view) => ({
    ['read' + name](offset = 0) { return new DataView(this.buffer, this.byteOffset, this.byteLength)['get' + view[0]](offset, view[1]); },
    ['write' + name](value, offset = 0) {
      new DataView(this.buffer, this.byteOffset, this.byteLength)['set' + view[0]](offset, value, view[1]);
      return offset + bytesOf;
    },
  });
  for (const [name, n, view] of [['UInt8', 1, 'Uint8'], ['Int8', 1, 'Int8']]) hide(Buffer.prototype, number(name, n, [view, true]));
  for (const [name, n, view] of [['UInt16', 2, 'Uint16'], ['Int16', 2, 'Int16'], ['UInt32', 4, 'Uint32'], ['Int32', 4, 'Int32'], ['Float', 4, 'Float32'],
    ['Double', 8, 'Float64'], ['BigInt64', 8, 'BigInt64'], ['BigUInt64', 8, 'BigUint64']]) {
    hide(Buffer.prototype, number(name + 'LE', n, [view, true]));
    hide(Buffer.prototype, number(name + 'BE', n, [view, false]));
  }
  hide(Buffer.prototype, {
    toString(enc, start, end) { return toText(this, enc, start, end); },
    toLocaleString(enc, start, end) { return toText(this, enc, start, end); },
    toJSON() { return { type: 'Buffer', data: [...this] }; },
    equals(other) { return Buffer.compare(this, other) === 0; },
    compare(other) { return Buffer.compare(this, other); },
    slice(start, end) { return wrap(Uint8Array.prototype.subarray.call(new Uint8Array(this.buffer, this.byteOffset, this.length), start, end)); },
    subarray(start, end) { return wrap(Uint8Array.prototype.subarray.call(new Uint8Array(this.buffer, this.byteOffset, this.length), start, end)); },
    copy(target, at = 0, start = 0, end = this.length) {
      const part = this.subarray(start, Math.min(end, start + target.length - at));
      target.set(part, at);
      return part.length;
    },
    write(text, offset = 0, length, enc) {
      if (typeof offset === 'string') [enc, offset, length] = [offset, 0, undefined];
      else if (typeof length === 'string') [enc, length] = [length, undefined];
      const b = bytes(text, enc);
      const n = Math.min(b.length, this.length - offset, length ?? Infinity);
      this.set(b.subarray(0, n), offset);
      return n;
    },
    fill(value, offset, end, enc) {
      if (typeof offset === 'string') [enc, offset, end] = [offset, undefined, undefined];
      if (typeof value === 'string' || value instanceof Uint8Array) {
        const b = typeof value === 'string' ? bytes(value, enc) : value;
        if (b.length === 0) return this;
        for (let i = offset ?? 0, j = 0; i < (end ?? this.length); i++, j++) this[i] = b[j % b.length];
        return this;
      }
      return Uint8Array.prototype.fill.call(this, Number(value) & 255, offset, end);
    },
    indexOf(value, from = 0, enc) {
      const b = typeof value === 'number' ? [value & 255] : typeof value === 'string' ? bytes(value, enc) : value;
      for (let i = from < 0 ? Math.max(0, this.length + from) : from; i + b.length <= this.length; i++) {
        let j = 0;
        while (j < b.length && this[i + j] === b[j]) j++;
        if (j === b.length) return i;
      }
      return -1;
    },
    includes(value, from, enc) { return this.indexOf(value, from, enc) >= 0; },
    get parent() { return this.buffer; },
    get offset() { return this.byteOffset; },
  });
  return { Buffer };
})
