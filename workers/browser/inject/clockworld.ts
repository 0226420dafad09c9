/** The program that gives a document a clock that page code moves: it replaces what tells the time and what waits for it. */
import { Clock, type Entry, type Kind, type RealTime } from './clock';

/** Where a document keeps its clock: commands come later, and the other programs need the world's own timers (builtins.ts). */
export const clockProperty = '__pomeradoClock';

export interface InstalledClock {
  clock: Clock;
  real: { setTimeout: typeof setTimeout; clearTimeout: typeof clearTimeout; requestAnimationFrame: typeof requestAnimationFrame; now: () => number };
}

/** Declared around the bundle (Go: inject.Banner). */
declare let install: (history: Entry[]) => Clock;

type Global = typeof globalThis & { [clockProperty]?: InstalledClock } & Record<string, any>;

install = history => {
  const world = globalThis as Global;
  let installed = world[clockProperty];
  if (!installed) {
    installed = replace(world);
    Object.defineProperty(world, clockProperty, { value: installed });
  }
  installed.clock.replay(history);
  return installed.clock;
};

function replace(world: Global): InstalledClock {
  const { setTimeout, clearTimeout, requestAnimationFrame, Date, performance } = world;
  const now = performance.now.bind(performance);
  const date = Date.now;
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  const real: RealTime = {
    setTimeout: setTimeout.bind(world),
    clearTimeout: clearTimeout.bind(world),
    now: () => Math.ceil(now()),
    date: () => date(),
    soon: run => {
      waiting.push(run);
      channel.port2.postMessage(0);
    },
    report: world.reportError.bind(world),
  };
  const clock = new Clock(real);
  replaceTimers(world, clock);
  replaceDate(world, clock);
  replaceFormat(world.Intl.DateTimeFormat.prototype, clock);
  replacePerformance(world, clock);
  replaceSignal(world, clock);
  return { clock, real: { setTimeout: real.setTimeout as typeof setTimeout, clearTimeout: real.clearTimeout as typeof clearTimeout, requestAnimationFrame: requestAnimationFrame?.bind(world), now } };
}

function put(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: true });
}

function replaceTimers(world: Global, clock: Clock): void {
  const script = world.eval;
  const runner = (handler: unknown, args: unknown[]) => () => {
    if (typeof handler === 'function')
      Reflect.apply(handler, world, args);
    else
      script(String(handler));
  };
  const needed = (name: string, callback: unknown): (...args: unknown[]) => void => {
    if (typeof callback !== 'function')
      throw new TypeError(`Failed to execute '${name}' on 'Window': parameter 1 is not of type 'Function'.`);
    return callback as (...args: unknown[]) => void;
  };
  const timer = (kind: Kind) => (handler: unknown, ms?: unknown, ...args: unknown[]) => clock.add(kind, runner(handler, args), ms);
  put(world, 'setTimeout', timer('timeout'));
  put(world, 'setInterval', timer('interval'));
  put(world, 'requestAnimationFrame', (callback: unknown) => {
    const run = needed('requestAnimationFrame', callback);
    return clock.add('frame', () => run(clock.now()), 0);
  });
  put(world, 'requestIdleCallback', (callback: unknown, options?: { timeout?: number }) => {
    const run = needed('requestIdleCallback', callback);
    const wait = clock.hasTimers() ? 50 : 0;
    return clock.add('idle', () => run({ didTimeout: false, timeRemaining: () => 0 }), options?.timeout ? Math.min(options.timeout, wait) : wait);
  });
  for (const name of ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'cancelIdleCallback']) {
    const clear = world[name].bind(world) as (id: unknown) => void;
    put(world, name, (id?: unknown) => {
      if (!clock.clear(id))
        clear(id);
    });
  }
}

/** The constructor behind Date stays the browser's, so that its dates, subclasses and instanceof are the same. */
function replaceDate(world: Global, clock: Clock): void {
  const native = world.Date;
  const shown: DateConstructor = new Proxy(native, {
    construct: (_, args, target) => Reflect.construct(native, args.length ? args : [clock.date()], target === shown ? native : target),
    apply: () => new native(clock.date()).toString(),
  });
  put(native, 'now', () => clock.date());
  native.prototype.constructor = shown;
  Object.defineProperty(native, 'now', { enumerable: false });
  Object.defineProperty(world, 'Date', { value: shown, writable: true, configurable: true, enumerable: false });
}

/** Formatting nothing is formatting now. */
function replaceFormat(prototype: Intl.DateTimeFormat, clock: Clock): void {
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')!.get!;
  const known = new WeakMap<object, unknown>();
  Object.defineProperty(prototype, 'format', { configurable: true, enumerable: false, get(this: Intl.DateTimeFormat) {
    if (!known.has(this)) {
      const own = Reflect.apply(format, this, []) as (date: unknown) => string;
      known.set(this, (date?: unknown) => own(date === undefined ? clock.date() : date));
    }
    return known.get(this);
  } });
  const parts = prototype.formatToParts;
  Object.defineProperty(prototype, 'formatToParts', { configurable: true, writable: true, enumerable: false, value(this: Intl.DateTimeFormat, date?: Date) {
    return Reflect.apply(parts, this, [date === undefined ? clock.date() : date]);
  } });
}

function replacePerformance(world: Global, clock: Clock): void {
  put(world.performance, 'now', () => clock.now());
  Object.defineProperty(world.performance, 'timeOrigin', { configurable: true, enumerable: true, get: () => clock.timeOrigin() });
  const stamps = new WeakMap<Event, number>();
  Object.defineProperty(world.Event.prototype, 'timeStamp', { configurable: true, enumerable: true, get(this: Event) {
    if (!stamps.has(this))
      stamps.set(this, clock.now());
    return stamps.get(this);
  } });
}

function replaceSignal(world: Global, clock: Clock): void {
  put(world.AbortSignal, 'timeout', (ms: number) => {
    const controller = new world.AbortController();
    clock.add('timeout', () => controller.abort(new world.DOMException('signal timed out', 'TimeoutError')), ms);
    return controller.signal;
  });
}
