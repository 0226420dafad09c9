// What ECMAScript 2025 has and goja lacks. It is the body of a function that runs once per runtime, before any other script, so it must
// be cheap; `host` is what Go lends it. Everything it defines looks like a built-in: not enumerable, its own name and length.
(function (host) {
  'use strict';
  // Each member that the target has not gets there, not enumerable and under its own name. Go does it: most of what this script costs is here.
  const define = host.define;
  const constants = (target, members) => {
    for (const key of Object.keys(members)) {
      if (key in target) continue;
      Object.defineProperty(target, key, { value: members[key], writable: false, enumerable: false, configurable: false });
    }
  };
  const isObject = v => v !== null && (typeof v === 'object' || typeof v === 'function');
  const callable = (f, what) => {
    if (typeof f !== 'function') throw new TypeError(what + ' is not a function');
    return f;
  };

  constants(Symbol, { asyncIterator: Symbol('Symbol.asyncIterator'), dispose: Symbol('Symbol.dispose'), asyncDispose: Symbol('Symbol.asyncDispose') });

  define(Promise, {
    withResolvers() {
      let resolve, reject;
      const promise = new this((a, b) => { resolve = a; reject = b; });
      return { promise, resolve, reject };
    },
    try(f, ...args) {
      return new this(resolve => resolve(f(...args)));
    },
  });

  const groups = (items, keyOf, add) => {
    callable(keyOf, 'callback');
    let i = 0;
    for (const item of items) add(keyOf(item, i++), item);
  };
  define(Object, {
    groupBy(items, callback) {
      const out = Object.create(null);
      groups(items, callback, (key, item) => {
        const k = typeof key === 'symbol' ? key : String(key);
        (out[k] ??= []).push(item);
      });
      return out;
    },
  });
  define(Map, {
    groupBy(items, callback) {
      const out = new Map();
      groups(items, callback, (key, item) => {
        const list = out.get(key);
        if (list) list.push(item);
        else out.set(key, [item]);
      });
      return out;
    },
  });

  define(Array, {
    fromAsync(source, map, thisArg) {
      const Target = typeof this === 'function' ? this : Array;
      return (async () => {
        if (map !== undefined) callable(map, 'mapper');
        const out = [];
        const add = async value => {
          out.push(map === undefined ? value : await map.call(thisArg, value, out.length));
        };
        const isAsync = source[Symbol.asyncIterator];
        const start = isAsync ?? source[Symbol.iterator];
        if (start == null) {
          const n = Math.min(Math.max(Math.trunc(Number(source.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
          for (let i = 0; i < n; i++) await add(await source[i]);
        } else {
          const iterator = start.call(source);
          const next = iterator.next;
          let done = false;
          try {
            for (;;) {
              const step = isAsync == null ? next.call(iterator) : await next.call(iterator);
              if (!isObject(step)) throw new TypeError('Iterator result ' + String(step) + ' is not an object');
              if (step.done) {
                done = true;
                break;
              }
              await add(isAsync == null ? await step.value : step.value);
            }
          } catch (e) {
            if (!done) {
              try {
                const back = iterator.return;
                if (back !== undefined && back !== null) await back.call(iterator);
              } catch {}
            }
            throw e;
          }
        }
        return Target === Array ? out : Object.assign(new Target(), out, { length: out.length });
      })();
    },
  });

  define(String.prototype, {
    isWellFormed() {
      return String(this) === String(this).toWellFormed();
    },
    toWellFormed() {
      const s = String(this);
      let out = '';
      for (let i = 0; i < s.length; i++) {
        const c = s.charCodeAt(i);
        if (c < 0xd800 || c > 0xdfff) {
          out += s[i];
        } else if (c < 0xdc00 && i + 1 < s.length && s.charCodeAt(i + 1) >= 0xdc00 && s.charCodeAt(i + 1) <= 0xdfff) {
          out += s[i] + s[++i];
        } else {
          out += '\ufffd';
        }
      }
      return out;
    },
  });
  const html = (tag, attribute) => function (value) {
    const set = attribute ? ` ${attribute}="${String(value).replaceAll('"', '&quot;')}"` : '';
    return `<${tag}${set}>${this}</${tag}>`;
  };
  define(String.prototype, {
    anchor: html('a', 'name'), big: html('big'), blink: html('blink'), bold: html('b'), fixed: html('tt'), fontcolor: html('font', 'color'),
    fontsize: html('font', 'size'), italics: html('i'), link: html('a', 'href'), small: html('small'), strike: html('strike'), sub: html('sub'),
    sup: html('sup'),
  });

  define(Date.prototype, {
    getYear() { return this.getFullYear() - 1900; },
    setYear(year) {
      const y = Math.trunc(Number(year));
      return this.setFullYear(y >= 0 && y <= 99 ? y + 1900 : y);
    },
    toGMTString: Date.prototype.toUTCString,
  });

  const accessorOf = (object, key, which) => {
    for (let o = object; o !== null; o = Object.getPrototypeOf(o)) {
      const d = Object.getOwnPropertyDescriptor(o, key);
      if (d) return d[which];
    }
    return undefined;
  };
  define(Object.prototype, {
    __defineGetter__(key, f) { Object.defineProperty(this, key, { get: f, enumerable: true, configurable: true }); },
    __defineSetter__(key, f) { Object.defineProperty(this, key, { set: f, enumerable: true, configurable: true }); },
    __lookupGetter__(key) { return accessorOf(this, key, 'get'); },
    __lookupSetter__(key) { return accessorOf(this, key, 'set'); },
  });

  define(Error, {
    captureStackTrace(target) {
      const name = target.name === undefined ? 'Error' : String(target.name);
      const message = target.message === undefined ? '' : String(target.message);
      Object.defineProperty(target, 'stack', {
        value: (message ? name + ': ' + message : name) + host.stack(), writable: true, enumerable: false, configurable: true,
      });
    },
    stackTraceLimit: 10,
  });

  const f16 = x => {
    x = Number(x);
    if (!Number.isFinite(x) || x === 0) return x;
    const a = Math.abs(x);
    if (a >= 65520) return x < 0 ? -Infinity : Infinity;
    const step = a < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(a)) - 10);
    let n = a / step;
    let r = Math.floor(n);
    const rest = n - r;
    if (rest > 0.5 || rest === 0.5 && r % 2 === 1) r++;
    return Math.sign(x) * r * step;
  };
  define(Math, {
    f16round(x) { return f16(x); },
  });

  const getters = (target, members) => {
    for (const [name, get] of Object.entries(members)) Object.defineProperty(target, name, { get, enumerable: false, configurable: true });
  };
  getters(ArrayBuffer.prototype, {
    resizable() { return false; },
    maxByteLength() { return this.byteLength; },
    detached() {
      try { new Uint8Array(this); return false; } catch { return true; }
    },
  });
  define(ArrayBuffer.prototype, {
    resize() { throw new TypeError('ArrayBuffer.prototype.resize is not supported in code that runs here; make a new buffer and copy'); },
    transfer() { throw new TypeError('ArrayBuffer.prototype.transfer is not supported in code that runs here; use slice'); },
    transferToFixedLength() { throw new TypeError('ArrayBuffer.prototype.transferToFixedLength is not supported in code that runs here; use slice'); },
  });

  // A reference that is never let go is a correct WeakRef; a registry that never calls back is a correct FinalizationRegistry.
  const canHold = v => isObject(v) || typeof v === 'symbol' && Symbol.keyFor(v) === undefined;
  class WeakRef {
    #target;
    constructor(target) {
      if (!canHold(target)) throw new TypeError('WeakRef: target must be an object');
      this.#target = target;
    }
    deref() { return this.#target; }
    get [Symbol.toStringTag]() { return 'WeakRef'; }
  }
  class FinalizationRegistry {
    #tokens = new WeakSet();
    constructor(cleanup) { callable(cleanup, 'cleanup'); }
    register(target, held, token) {
      if (!canHold(target)) throw new TypeError('FinalizationRegistry.prototype.register: invalid target');
      if (token !== undefined && isObject(token)) this.#tokens.add(token);
    }
    unregister(token) { return this.#tokens.delete(token); }
    get [Symbol.toStringTag]() { return 'FinalizationRegistry'; }
  }
  define(globalThis, { WeakRef, FinalizationRegistry });

  // Iterator and its helpers.
  const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  const direct = o => {
    if (!isObject(o)) throw new TypeError('Iterator helper called on a value that is not an object');
    return { iterator: o, next: o.next };
  };
  const step = record => {
    const result = record.next.call(record.iterator);
    if (!isObject(result)) throw new TypeError('Iterator result ' + String(result) + ' is not an object');
    return result;
  };
  const close = record => {
    const back = record.iterator.return;
    if (back !== undefined && back !== null) back.call(record.iterator);
  };
  const closing = (record, f) => {
    let ok = false;
    try {
      const v = f();
      ok = true;
      return v;
    } finally {
      if (!ok) {
        try { close(record); } catch {}
      }
    }
  };
  const HelperPrototype = Object.create(IteratorPrototype);
  const state = new WeakMap();
  define(HelperPrototype, {
    next() { return state.get(this).next(); },
    return() {
      const s = state.get(this);
      s.closed ||= (s.close(), true);
      return s.generator.return(undefined);
    },
  });
  Object.defineProperty(HelperPrototype, Symbol.toStringTag, { value: 'Iterator Helper', configurable: true });
  const helper = (record, generator) => {
    const o = Object.create(HelperPrototype);
    const g = generator();
    let started = false;
    state.set(o, {
      generator: g,
      closed: false,
      next() { started = true; return g.next(); },
      close() { if (!started) close(record); },
    });
    return o;
  };
  const flattened = value => {
    if (!isObject(value)) throw new TypeError(String(value) + ' is not an object');
    const start = value[Symbol.iterator];
    if (start === undefined || start === null) return direct(value);
    return direct(start.call(value));
  };
  const count = value => {
    const n = Number(value);
    if (Number.isNaN(n)) throw new RangeError(String(value) + ' must be positive');
    const i = Math.trunc(n);
    if (i < 0) throw new RangeError(String(value) + ' must be positive');
    return i;
  };
  // each runs f for every value and closes the source when f throws or the consumer stops.
  function* each(record, f) {
    let done = false;
    try {
      for (let i = 0; ; i++) {
        let result;
        try {
          result = step(record);
          if (result.done) {
            done = true;
            return;
          }
        } catch (e) {
          done = true;
          throw e;
        }
        yield* f(result.value, i);
      }
    } finally {
      if (!done) close(record);
    }
  }
  define(IteratorPrototype, {
    map(f) {
      const r = direct(this);
      closing(r, () => callable(f, 'mapper'));
      return helper(r, () => each(r, function* (v, i) { yield f(v, i); }));
    },
    filter(f) {
      const r = direct(this);
      closing(r, () => callable(f, 'predicate'));
      return helper(r, () => each(r, function* (v, i) { if (f(v, i)) yield v; }));
    },
    take(limit) {
      const r = direct(this);
      const n = closing(r, () => count(limit));
      return helper(r, function* () {
        let left = n;
        let done = false;
        try {
          while (left-- > 0) {
            let result;
            try {
              result = step(r);
              if (result.done) {
                done = true;
                return;
              }
            } catch (e) {
              done = true;
              throw e;
            }
            yield result.value;
          }
        } finally {
          if (!done) close(r);
        }
      });
    },
    drop(limit) {
      const r = direct(this);
      const n = closing(r, () => count(limit));
      return helper(r, () => each(r, function* (v, i) { if (i >= n) yield v; }));
    },
    flatMap(f) {
      const r = direct(this);
      closing(r, () => callable(f, 'mapper'));
      return helper(r, () => each(r, function* (v, i) { yield* each(flattened(f(v, i)), function* (w) { yield w; }); }));
    },
    reduce(f, ...initial) {
      const r = direct(this);
      closing(r, () => callable(f, 'reducer'));
      let has = initial.length > 0;
      let total = initial[0];
      for (let i = 0; ; i++) {
        const result = step(r);
        if (result.done) {
          if (!has) throw new TypeError('Reduce of a done iterator with no initial value');
          return total;
        }
        if (has) total = closing(r, () => f(total, result.value, i));
        else [has, total] = [true, result.value];
      }
    },
    toArray() {
      const r = direct(this);
      const out = [];
      for (;;) {
        const result = step(r);
        if (result.done) return out;
        out.push(result.value);
      }
    },
    forEach(f) {
      const r = direct(this);
      closing(r, () => callable(f, 'callback'));
      for (let i = 0; ; i++) {
        const result = step(r);
        if (result.done) return;
        closing(r, () => f(result.value, i));
      }
    },
    some(f) {
      const r = direct(this);
      closing(r, () => callable(f, 'predicate'));
      for (let i = 0; ; i++) {
        const result = step(r);
        if (result.done) return false;
        if (closing(r, () => f(result.value, i))) {
          close(r);
          return true;
        }
      }
    },
    every(f) {
      return !IteratorPrototype.some.call(this, (v, i) => !f(v, i));
    },
    find(f) {
      const r = direct(this);
      closing(r, () => callable(f, 'predicate'));
      for (let i = 0; ; i++) {
        const result = step(r);
        if (result.done) return undefined;
        if (closing(r, () => f(result.value, i))) {
          close(r);
          return result.value;
        }
      }
    },
  });
  function Iterator() {
    if (new.target === undefined || new.target === Iterator) throw new TypeError('Abstract class Iterator not directly constructable');
  }
  Iterator.prototype = IteratorPrototype;
  Object.defineProperty(Iterator, 'prototype', { writable: false, enumerable: false, configurable: false });
  define(Iterator, {
    from(value) {
      if (typeof value !== 'string' && !isObject(value)) throw new TypeError(String(value) + ' is not an object');
      const start = value[Symbol.iterator];
      const r = start === undefined || start === null ? direct(value) : direct(start.call(value));
      if (r.iterator instanceof Iterator) return r.iterator;
      const wrapped = Object.create(IteratorPrototype);
      define(wrapped, {
        next() { return r.next.call(r.iterator); },
        return() {
          const back = r.iterator.return;
          return back === undefined ? { value: undefined, done: true } : back.call(r.iterator);
        },
      });
      return wrapped;
    },
  });
  Object.defineProperty(IteratorPrototype, 'constructor', { value: Iterator, writable: true, enumerable: false, configurable: true });
  if (!(Symbol.toStringTag in IteratorPrototype))
    Object.defineProperty(IteratorPrototype, Symbol.toStringTag, { value: 'Iterator', writable: true, configurable: true });
  define(globalThis, { Iterator });

  // Locale-aware methods go to Intl, which answers as Node does for English or says that it cannot.
  const intl = () => host.load('intl');
  const replace = (target, members) => {
    for (const key of Object.keys(members))
      Object.defineProperty(target, key, { value: members[key], writable: true, enumerable: false, configurable: true });
  };
  replace(Number.prototype, { toLocaleString(locales, options) { return intl().number(Number.prototype.valueOf.call(this), locales, options); } });
  replace(BigInt.prototype, { toLocaleString(locales, options) { return intl().number(BigInt.prototype.valueOf.call(this), locales, options); } });
  replace(Date.prototype, {
    toLocaleString(locales, options) { return intl().date(this, locales, options, 'any', 'all'); },
    toLocaleDateString(locales, options) { return intl().date(this, locales, options, 'date', 'date'); },
    toLocaleTimeString(locales, options) { return intl().date(this, locales, options, 'time', 'time'); },
  });
  const compare = String.prototype.localeCompare;
  const [lower, upper] = [String.prototype.toLocaleLowerCase, String.prototype.toLocaleUpperCase];
  replace(String.prototype, {
    localeCompare(that, locales, options) {
      if (locales === undefined && options === undefined) return compare.call(this, that);
      return intl().compare(String(this), String(that), locales, options);
    },
    toLocaleLowerCase(locales) { return locales === undefined ? lower.call(this) : host.caseFold(String(this), String([locales].flat()[0]), false); },
    toLocaleUpperCase(locales) { return locales === undefined ? upper.call(this) : host.caseFold(String(this), String([locales].flat()[0]), true); },
  });

  // Globals that are made when they are first read.
  for (const [module, names] of Object.entries(host.lazy)) {
    for (const name of names) {
      const settle = value => Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
      Object.defineProperty(globalThis, name, {
        get: () => { const value = host.load(module)[name]; settle(value); return value; },
        set: settle,
        enumerable: false, configurable: true,
      });
    }
  }
})
