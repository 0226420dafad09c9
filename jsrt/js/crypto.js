// crypto.randomUUID and crypto.getRandomValues.
(function (host) {
  'use strict';
  class Crypto {
    randomUUID() { return host.uuid(); }
    getRandomValues(view) {
      if (!ArrayBuffer.isView(view) || view instanceof DataView || view instanceof Float32Array || view instanceof Float64Array)
        throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
      if (view.byteLength > 65536) throw new DOMException('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
      return host.random(view);
    }
    get subtle() { throw new TypeError('crypto.subtle is not supported in code that runs here; use it in the page, through page.evaluate'); }
  }
  Object.defineProperty(Crypto.prototype, Symbol.toStringTag, { value: 'Crypto', configurable: true });
  return { crypto: new Crypto() };
})
