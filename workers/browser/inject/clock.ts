/** A clock that page code sets and moves, with the timers that go by it. What the document's own functions are replaced with is in clockworld.ts. */

/** The world's own functions, taken before they were replaced. */
export interface RealTime {
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  /** Whole milliseconds that never go back. */
  now(): number;
  /** Milliseconds since the epoch. */
  date(): number;
  /** Calls run in a task of its own, soon. */
  soon(run: () => void): void;
  /** Shows what a callback threw as the browser does. */
  report(thrown: unknown): void;
}

export type Change = 'install' | 'fastForward' | 'runFor' | 'pauseAt' | 'resume' | 'setFixedTime' | 'setSystemTime';

/** One change of the clock: what, when (milliseconds since the epoch, by the engine's clock), and its milliseconds. */
export type Entry = [change: Change, at: number, ms: number];

export type Kind = 'timeout' | 'interval' | 'frame' | 'idle';

interface Timer {
  id: number;
  kind: Kind;
  run: () => void;
  /** Milliseconds between two runs of an interval. */
  every: number;
  due: number;
}

/** Ids of ours are out of reach of the browser's own, which count from 1: a timer from before the clock can still be cleared. */
const firstId = 1e12;

/** setTimeout's limit; what is longer is due at once, as in browsers. */
const longest = 2 ** 31 - 1;

/** A frame's length in milliseconds. */
const frame = 16;

export class Clock {
  /** Milliseconds since the clock began, in whole numbers; never goes back. */
  private ticks = 0;
  /** What ticks need to be a date, while none is fixed. */
  private offset: number;
  private fixed: number | undefined;
  /** performance.timeOrigin once a time was set. */
  private origin: number | undefined;
  /** The real time that ticks stand for, undefined while paused. */
  private synced: number | undefined;
  private timers = new Map<number, Timer>();
  private lastId = firstId;
  /** A callback runs, or what it left to do at once. */
  private calling = false;
  private wake: number | undefined;
  /** The end of all changes and runs so far. */
  private queue: Promise<unknown> = Promise.resolve();
  private done = 0;

  constructor(private real: RealTime) {
    this.offset = real.date();
    this.synced = real.now();
  }

  date(): number {
    this.sync();
    return this.fixed ?? this.offset + this.ticks;
  }

  now(): number {
    this.sync();
    return this.ticks;
  }

  timeOrigin(): number {
    return this.origin ?? 0;
  }

  /** Takes over what happened before this document was there. A longer history takes the place of a shorter one. */
  replay(history: Entry[]): void {
    if (history.length <= this.done)
      return;
    this.done = history.length;
    this.ticks = 0;
    let running = true;
    let last: number | undefined;
    for (const [change, at, ms] of history) {
      if (running && last !== undefined)
        this.ticks += Math.max(0, at - last);
      last = at;
      switch (change) {
        case 'fastForward':
        case 'runFor':
          this.ticks += Math.max(0, Math.ceil(ms));
          break;
        case 'pauseAt':
          this.ticks += Math.max(0, ms - (this.fixed ?? this.offset + this.ticks));
          running = false;
          break;
        case 'resume':
          running = true;
          break;
        default:
          this.set(change, ms);
      }
    }
    if (running && last !== undefined)
      this.ticks += Math.max(0, this.real.date() - last);
    this.synced = running ? this.real.now() : undefined;
    this.schedule();
  }

  /** Makes the change with that number in the history, unless this document knows it; in turn, after those before it. */
  change(number: number, change: Change, ms: number): Promise<void> {
    const made = this.queue.then(() => {
      if (number <= this.done)
        return;
      this.done = number;
      return this.make(change, ms);
    });
    this.queue = made.catch(() => {});
    return made;
  }

  add(kind: Kind, run: () => void, ms: unknown): number {
    this.sync();
    let delay = kind === 'frame' ? frame - this.ticks % frame : Number(ms) || 0;
    if (delay > longest || delay < 0)
      delay = delay < 0 ? 0 : 1;
    const id = ++this.lastId;
    // What a callback asks for at once waits for the next millisecond, or running would never end.
    this.timers.set(id, { id, kind, run, every: Math.max(1, delay), due: this.ticks + (delay || (this.calling ? 1 : 0)) });
    this.schedule();
    return id;
  }

  /** Whether id is the clock's; its timer is gone then. */
  clear(id: unknown): boolean {
    const number = Number(id);
    if (!(number > firstId && number <= this.lastId))
      return false;
    this.timers.delete(number);
    return true;
  }

  hasTimers(): boolean {
    return this.timers.size > 0;
  }

  private async make(change: Change, ms: number): Promise<void> {
    switch (change) {
      case 'resume':
        this.synced ??= this.real.now();
        this.schedule();
        return;
      case 'runFor':
        if (ms < 0)
          throw new TypeError('Negative ticks are not supported');
        return this.paused(() => this.runTo(this.ticks + ms));
      case 'fastForward':
        return this.paused(() => this.jumpTo(this.ticks + Math.trunc(ms)));
      case 'pauseAt':
        this.sync();
        this.synced = undefined;
        return this.jumpTo(this.ticks + ms - (this.fixed ?? this.offset + this.ticks));
      default:
        this.sync();
        this.set(change, ms);
        this.schedule();
    }
  }

  private set(change: Change, ms: number): void {
    if (change === 'install' && this.origin === undefined)
      this.restart();
    this.fixed = change === 'setFixedTime' ? ms : undefined;
    this.offset = ms - this.ticks;
    this.origin ??= ms;
  }

  /** Counts from 0 again; timers keep their distance. */
  private restart(): void {
    for (const timer of this.timers.values())
      timer.due -= this.ticks;
    this.ticks = 0;
  }

  /** Does work while real time does not move the clock. */
  private async paused(work: () => Promise<void>): Promise<void> {
    const running = this.synced !== undefined;
    this.sync();
    this.synced = undefined;
    try {
      await work();
    } finally {
      if (running)
        this.synced = this.real.now();
      this.schedule();
    }
  }

  private async jumpTo(to: number): Promise<void> {
    if (to < this.ticks)
      throw new Error('Cannot fast-forward to the past');
    for (const timer of this.timers.values())
      timer.due = Math.max(timer.due, to);
    // Those that are due later are so still: only what was passed over is due now.
    await this.runTo(to);
  }

  /** Runs what is due until then, in order. Throws the first of the callbacks' exceptions, when all have run. */
  private async runTo(to: number): Promise<void> {
    to = Math.ceil(to);
    const thrown: unknown[] = [];
    for (let timer = this.first(to); timer; timer = this.first(to))
      await this.call(timer, error => thrown.push(error));
    this.ticks = Math.max(this.ticks, to);
    if (thrown.length)
      throw thrown[0];
  }

  private async call(timer: Timer, failed: (error: unknown) => void): Promise<void> {
    this.ticks = Math.max(this.ticks, timer.due);
    if (timer.kind === 'interval')
      timer.due += timer.every;
    else
      this.timers.delete(timer.id);
    this.calling = true;
    try {
      timer.run();
    } catch (error) {
      failed(error);
    }
    // What the callback left for microtasks is part of it.
    await new Promise<void>(next => this.real.soon(next));
    this.calling = false;
  }

  private first(until = Infinity): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers.values()) {
      if (timer.due <= until && (!first || timer.due < first.due))
        first = timer;
    }
    return first;
  }

  private sync(): void {
    if (this.synced === undefined)
      return;
    const now = this.real.now();
    if (now > this.synced) {
      this.ticks += now - this.synced;
      this.synced = now;
    }
  }

  /** Has the next timer run by real time. */
  private schedule(): void {
    if (this.wake !== undefined)
      this.real.clearTimeout(this.wake);
    this.wake = undefined;
    const first = this.first();
    if (this.synced === undefined || !first)
      return;
    this.wake = this.real.setTimeout(() => {
      this.wake = undefined;
      this.queue = this.queue.then(() => this.runDue());
    }, Math.min(longest, Math.max(0, first.due - this.ticks)));
  }

  private async runDue(): Promise<void> {
    if (this.synced === undefined)
      return;
    this.sync();
    const until = this.ticks;
    for (let timer = this.first(until); timer; timer = this.first(until))
      await this.call(timer, error => this.real.report(error));
    this.schedule();
  }
}
