// URL and URLSearchParams over the URL parser that Go lends as host.url(action, …): it answers the parts of a URL as an array.
(function (host) {
  'use strict';
  const HREF = 0, ORIGIN = 1, PROTOCOL = 2, USERNAME = 3, PASSWORD = 4, HOST = 5, HOSTNAME = 6, PORT = 7, PATHNAME = 8, SEARCH = 9, HASH = 10;
  const tag = (cls, name) => Object.defineProperty(cls.prototype, Symbol.toStringTag, { value: name, configurable: true });
  const enumerable = cls => {
    for (const key of Object.getOwnPropertyNames(cls.prototype)) {
      if (key === 'constructor') continue;
      Object.defineProperty(cls.prototype, key, { enumerable: true });
    }
  };
  const text = v => String(v).toWellFormed();

  const encode = s => encodeURIComponent(text(s)).replace(/[!'()~]|%20/g, c =>
    c === '%20' ? '+' : '%' + c.charCodeAt(0).toString(16).toUpperCase());
  const parse = query => {
    const out = [];
    for (const part of query.split('&')) {
      if (part === '') continue;
      const i = part.indexOf('=');
      const [name, value] = i < 0 ? [part, ''] : [part.slice(0, i), part.slice(i + 1)];
      out.push([host.decode(name.replaceAll('+', ' ')), host.decode(value.replaceAll('+', ' '))]);
    }
    return out;
  };

  const fresh = Symbol('fresh');
  const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  class URLSearchParams {
    #list = [];
    #changed = null;
    constructor(init = '') {
      if (typeof init === 'object' && init !== null || typeof init === 'function') {
        const start = init[Symbol.iterator];
        if (start === undefined || start === null) {
          for (const key of Reflect.ownKeys(init)) {
            const d = Object.getOwnPropertyDescriptor(init, key);
            if (d?.enumerable) this.#list.push([text(key), text(init[key])]);
          }
        } else {
          for (const pair of init) {
            if (typeof pair !== 'object' || pair === null || typeof pair[Symbol.iterator] !== 'function')
              throw new TypeError('Each query pair must be an iterable [name, value] tuple');
            const two = [...pair];
            if (two.length !== 2) throw new TypeError('Each query pair must be an iterable [name, value] tuple');
            this.#list.push([text(two[0]), text(two[1])]);
          }
        }
      } else {
        const s = text(init);
        this.#list = parse(s.startsWith('?') ? s.slice(1) : s);
      }
    }
    static [fresh](query, changed) {
      const p = new URLSearchParams(query);
      p.#changed = changed;
      return p;
    }
    [fresh](query) { this.#list = parse(query); }
    #update() { this.#changed?.(this.toString()); }
    get size() { return this.#list.length; }
    append(name, value) {
      if (arguments.length < 2) throw new TypeError('The "name" and "value" arguments must be specified');
      this.#list.push([text(name), text(value)]);
      this.#update();
    }
    delete(name, value) {
      const n = text(name);
      this.#list = this.#list.filter(p => p[0] !== n || value !== undefined && p[1] !== text(value));
      this.#update();
    }
    get(name) { return this.#list.find(p => p[0] === text(name))?.[1] ?? null; }
    getAll(name) { return this.#list.filter(p => p[0] === text(name)).map(p => p[1]); }
    has(name, value) { return this.#list.some(p => p[0] === text(name) && (value === undefined || p[1] === text(value))); }
    set(name, value) {
      if (arguments.length < 2) throw new TypeError('The "name" and "value" arguments must be specified');
      const n = text(name);
      const i = this.#list.findIndex(p => p[0] === n);
      if (i < 0) {
        this.#list.push([n, text(value)]);
      } else {
        this.#list[i] = [n, text(value)];
        this.#list = this.#list.filter((p, at) => at <= i || p[0] !== n);
      }
      this.#update();
    }
    sort() {
      this.#list.sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);
      this.#update();
    }
    forEach(callback, thisArg) {
      if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function. Received ' + String(callback));
      for (let i = 0; i < this.#list.length; i++) callback.call(thisArg, this.#list[i][1], this.#list[i][0], this);
    }
    #iterate(pick) {
      let i = 0;
      const it = Object.create(IteratorPrototype);
      it.next = () => i < this.#list.length ? { value: pick(this.#list[i++]), done: false } : { value: undefined, done: true };
      Object.defineProperty(it, 'next', { enumerable: false });
      Object.defineProperty(it, Symbol.toStringTag, { value: 'URLSearchParams Iterator', configurable: true });
      return it;
    }
    entries() { return this.#iterate(p => [p[0], p[1]]); }
    keys() { return this.#iterate(p => p[0]); }
    values() { return this.#iterate(p => p[1]); }
    toString() { return this.#list.map(p => encode(p[0]) + '=' + encode(p[1])).join('&'); }
  }
  enumerable(URLSearchParams);
  Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });
  tag(URLSearchParams, 'URLSearchParams');

  const invalid = (input, base) => {
    const e = new TypeError('Invalid URL');
    e.code = 'ERR_INVALID_URL';
    e.input = input;
    if (base !== undefined) e.base = base;
    return e;
  };
  class URL {
    #parts;
    #params = null;
    constructor(input, base = undefined) {
      if (arguments.length === 0) throw new TypeError('The "url" argument must be specified');
      const i = text(input);
      const b = base === undefined ? undefined : text(base);
      const parts = host.url('parse', i, b);
      if (!parts) throw invalid(i, b);
      this.#parts = parts;
    }
    static canParse(input, base = undefined) {
      if (arguments.length === 0) throw new TypeError('The "url" argument must be specified');
      return !!host.url('parse', text(input), base === undefined ? undefined : text(base));
    }
    static parse(input, base = undefined) {
      return URL.canParse(input, base) ? new URL(input, base) : null;
    }
    static createObjectURL() { throw new TypeError('URL.createObjectURL is not supported in code that runs here; make object URLs in the page'); }
    static revokeObjectURL() { throw new TypeError('URL.revokeObjectURL is not supported in code that runs here; make object URLs in the page'); }
    #set(what, value) {
      const parts = host.url('set', this.#parts[HREF], what, text(value));
      if (!parts) return;
      this.#parts = parts;
      if (what === 'search' || what === 'href') this.#params?.[fresh](parts[SEARCH].slice(1));
    }
    get href() { return this.#parts[HREF]; }
    set href(v) {
      const parts = host.url('parse', text(v), undefined);
      if (!parts) throw invalid(text(v));
      this.#parts = parts;
      this.#params?.[fresh](parts[SEARCH].slice(1));
    }
    get origin() { return this.#parts[ORIGIN]; }
    get protocol() { return this.#parts[PROTOCOL]; }
    set protocol(v) { this.#set('protocol', v); }
    get username() { return this.#parts[USERNAME]; }
    set username(v) { this.#set('username', v); }
    get password() { return this.#parts[PASSWORD]; }
    set password(v) { this.#set('password', v); }
    get host() { return this.#parts[HOST]; }
    set host(v) { this.#set('host', v); }
    get hostname() { return this.#parts[HOSTNAME]; }
    set hostname(v) { this.#set('hostname', v); }
    get port() { return this.#parts[PORT]; }
    set port(v) { this.#set('port', v); }
    get pathname() { return this.#parts[PATHNAME]; }
    set pathname(v) { this.#set('pathname', v); }
    get search() { return this.#parts[SEARCH]; }
    set search(v) { this.#set('search', v); }
    get searchParams() {
      return this.#params ??= URLSearchParams[fresh](this.#parts[SEARCH].slice(1), query => {
        this.#parts = host.url('set', this.#parts[HREF], 'search', query) ?? this.#parts;
      });
    }
    get hash() { return this.#parts[HASH]; }
    set hash(v) { this.#set('hash', v); }
    toString() { return this.#parts[HREF]; }
    toJSON() { return this.#parts[HREF]; }
  }
  enumerable(URL);
  tag(URL, 'URL');
  return { URL, URLSearchParams };
})
