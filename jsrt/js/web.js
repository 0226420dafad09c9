// Web globals that are plain JavaScript: events, abort signals, DOMException. Made when the first of them is read.
(function (host) {
  'use strict';
  const codes = {
    IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5, NoModificationAllowedError: 7, NotFoundError: 8,
    NotSupportedError: 9, InUseAttributeError: 10, InvalidStateError: 11, SyntaxError: 12, InvalidModificationError: 13, NamespaceError: 14,
    InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18, NetworkError: 19, AbortError: 20, URLMismatchError: 21,
    QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24, DataCloneError: 25,
  };
  const tag = (cls, name) => Object.defineProperty(cls.prototype, Symbol.toStringTag, { value: name, configurable: true });

  class DOMException extends Error {
    #name;
    constructor(message = '', nameOrOptions = 'Error') {
      super(message);
      const options = typeof nameOrOptions === 'object' && nameOrOptions !== null ? nameOrOptions : { name: nameOrOptions };
      this.#name = options.name === undefined ? 'Error' : String(options.name);
      if ('cause' in options) Object.defineProperty(this, 'cause', { value: options.cause, writable: true, enumerable: false, configurable: true });
      Error.captureStackTrace(this);
    }
    get name() { return this.#name; }
    get code() { return codes[this.#name] ?? 0; }
  }
  tag(DOMException, 'DOMException');
  for (const [name, code] of Object.entries(codes)) {
    const constant = name.replace(/Error$/, '').replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase() + '_ERR';
    for (const o of [DOMException, DOMException.prototype]) Object.defineProperty(o, constant, { value: code, enumerable: true });
  }

  class Event {
    #type; #init; #target = null; #current = null; #prevented = false; #time = host.now();
    _stop = false;
    _stopNow = false;
    constructor(type, init = {}) {
      if (arguments.length === 0) throw new TypeError('The "type" argument must be specified');
      this.#type = String(type);
      this.#init = { bubbles: !!init?.bubbles, cancelable: !!init?.cancelable, composed: !!init?.composed };
      for (const key of ['_stop', '_stopNow']) Object.defineProperty(this, key, { enumerable: false });
    }
    get type() { return this.#type; }
    get bubbles() { return this.#init.bubbles; }
    get cancelable() { return this.#init.cancelable; }
    get composed() { return this.#init.composed; }
    get target() { return this.#target; }
    get srcElement() { return this.#target; }
    get currentTarget() { return this.#current; }
    get defaultPrevented() { return this.#prevented; }
    get returnValue() { return !this.#prevented; }
    get cancelBubble() { return this._stop; }
    get eventPhase() { return this.#current ? 2 : 0; }
    get isTrusted() { return false; }
    get timeStamp() { return this.#time; }
    preventDefault() { if (this.#init.cancelable) this.#prevented = true; }
    stopPropagation() { this._stop = true; }
    stopImmediatePropagation() { this._stop = this._stopNow = true; }
    composedPath() { return this.#current ? [this.#current] : []; }
    static _dispatch(event, target, run) {
      event.#target = event.#current = target;
      event._stop = event._stopNow = false;
      try { run(); } finally { event.#current = null; }
    }
  }
  const dispatch = Event._dispatch;
  delete Event._dispatch;
  tag(Event, 'Event');
  class CustomEvent extends Event {
    #detail;
    constructor(type, init) { super(type, init); this.#detail = init?.detail ?? null; }
    get detail() { return this.#detail; }
  }
  tag(CustomEvent, 'CustomEvent');

  class EventTarget {
    #listeners = new Map();
    addEventListener(type, listener, options) {
      if (listener === null || listener === undefined) return;
      const o = typeof options === 'object' && options !== null ? options : { capture: !!options };
      if (o.signal?.aborted) return;
      const list = this.#listeners.get(String(type)) ?? [];
      this.#listeners.set(String(type), list);
      if (list.some(l => l.listener === listener && l.capture === !!o.capture)) return;
      list.push({ listener, capture: !!o.capture, once: !!o.once, removed: false });
      o.signal?.addEventListener('abort', () => this.removeEventListener(type, listener, o), { once: true });
    }
    removeEventListener(type, listener, options) {
      const capture = !!(typeof options === 'object' && options !== null ? options.capture : options);
      const list = this.#listeners.get(String(type)) ?? [];
      const i = list.findIndex(l => l.listener === listener && l.capture === capture);
      if (i >= 0) list.splice(i, 1)[0].removed = true;
    }
    dispatchEvent(event) {
      if (!(event instanceof Event)) throw new TypeError('The "event" argument must be an instance of Event');
      dispatch(event, this, () => {
        for (const l of [...(this.#listeners.get(event.type) ?? [])]) {
          if (l.removed || event._stopNow) continue;
          if (l.once) this.removeEventListener(event.type, l.listener, l.capture);
          try {
            if (typeof l.listener === 'function') l.listener.call(this, event);
            else l.listener.handleEvent?.(event);
          } catch (e) {
            queueMicrotask(() => { throw e; });
          }
        }
      });
      return !event.defaultPrevented;
    }
  }
  tag(EventTarget, 'EventTarget');

  const handlerProperty = (cls, type) => {
    const handlers = new WeakMap();
    Object.defineProperty(cls.prototype, 'on' + type, {
      get() { return handlers.get(this)?.f ?? null; },
      set(f) {
        const old = handlers.get(this);
        if (old) this.removeEventListener(type, old.call);
        handlers.delete(this);
        if (typeof f !== 'function') return;
        const call = e => f.call(this, e);
        handlers.set(this, { f, call });
        this.addEventListener(type, call);
      },
      enumerable: true, configurable: true,
    });
  };

  const making = Symbol('making');
  const abort = Symbol('abort');
  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason = undefined;
    #dependents = [];
    constructor(key) {
      if (key !== making) throw new TypeError('Illegal constructor');
      super();
    }
    get aborted() { return this.#aborted; }
    get reason() { return this.#reason; }
    throwIfAborted() { if (this.#aborted) throw this.#reason; }
    [abort](reason) {
      if (this.#aborted) return;
      this.#aborted = true;
      this.#reason = reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
      for (const d of this.#dependents) d[abort](this.#reason);
      this.dispatchEvent(new Event('abort'));
    }
    static abort(reason) {
      const s = new AbortSignal(making);
      s[abort](reason);
      return s;
    }
    static timeout(ms) {
      const n = Number(ms);
      if (!(n >= 0 && n <= Number.MAX_SAFE_INTEGER)) throw new RangeError('The value of "delay" is out of range. It must be >= 0 && <= 9007199254740991. Received ' + String(ms));
      const s = new AbortSignal(making);
      setTimeout(() => s[abort](new DOMException('The operation was aborted due to timeout', 'TimeoutError')), n).unref();
      return s;
    }
    static any(signals) {
      const s = new AbortSignal(making);
      const list = [...signals];
      for (const one of list) {
        if (!(one instanceof AbortSignal)) throw new TypeError('The "signals" argument must hold instances of AbortSignal');
      }
      const done = list.find(one => one.aborted);
      if (done) s[abort](done.reason);
      else for (const one of list) one.#dependents.push(s);
      return s;
    }
  }
  tag(AbortSignal, 'AbortSignal');
  handlerProperty(AbortSignal, 'abort');
  class AbortController {
    #signal = new AbortSignal(making);
    get signal() { return this.#signal; }
    abort(reason) { this.#signal[abort](reason); }
  }
  tag(AbortController, 'AbortController');

  return { DOMException, Event, CustomEvent, EventTarget, AbortSignal, AbortController };
})
