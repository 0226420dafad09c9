// TextEncoder and TextDecoder over Go's.
(function (host) {
  'use strict';
  const tag = (cls, name) => Object.defineProperty(cls.prototype, Symbol.toStringTag, { value: name, configurable: true });
  class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(input = '') { return new Uint8Array(host.utf8(String(input))); }
    encodeInto(source, target) {
      if (!(target instanceof Uint8Array)) throw new TypeError('The "dest" argument must be an instance of Uint8Array');
      let read = 0, written = 0;
      for (const c of String(source)) {
        const b = new Uint8Array(host.utf8(c));
        if (written + b.length > target.length) break;
        target.set(b, written);
        written += b.length;
        read += c.length;
      }
      return { read, written };
    }
  }
  tag(TextEncoder, 'TextEncoder');
  class TextDecoder {
    #d; #fatal; #ignoreBOM;
    constructor(label = 'utf-8', options = {}) {
      this.#fatal = !!options?.fatal;
      this.#ignoreBOM = !!options?.ignoreBOM;
      this.#d = host.decoder(String(label), this.#fatal, this.#ignoreBOM);
    }
    get encoding() { return this.#d.encoding; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    decode(input, options = {}) { return this.#d.decode(input, !!options?.stream); }
  }
  tag(TextDecoder, 'TextDecoder');
  return { TextEncoder, TextDecoder };
})
