// performance.now and timeOrigin.
(function (host) {
  'use strict';
  class Performance {
    now() { return host.now(); }
    get timeOrigin() { return host.origin(); }
    toJSON() { return { timeOrigin: this.timeOrigin }; }
  }
  Object.defineProperty(Performance.prototype, Symbol.toStringTag, { value: 'Performance', configurable: true });
  return { performance: new Performance() };
})
