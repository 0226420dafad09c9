// Deadline: a clock that can be paused. Suspensions nest; the time they last does not count.

import type { EffectModule } from "./effects";
import { timeoutDefaults } from "./values";

const pollMs = 100;

class Clock {
  private suspensions = 0;
  private pausedAt = 0;
  private pausedFor = 0;
  private limits: Clock[] = [];

  constructor(
    // source is the time this deadline counts in: the wall clock, or a parent's time, which stands still while the parent is paused.
    private readonly source: () => number,
    private readonly end: number,
    private readonly now: () => number,
  ) {}

  static after(ms: number = timeoutDefaults.execution, now: () => number = Date.now): any {
    return new this(now, now() + positive(ms), now);
  }

  private counted(): number {
    const at = this.suspensions > 0 ? this.pausedAt : this.source();
    return at - this.pausedFor;
  }

  remainingMs(): number {
    const own = Math.max(0, this.end - this.counted());
    return this.limits.reduce((least, other) => Math.min(least, other.remainingMs()), own);
  }

  // expiresAt moves on while the clock is paused.
  get expiresAt(): number {
    return this.now() + this.remainingMs();
  }

  // suspend pauses the clock and gives the function that lets it run again; calling that twice is calling it once.
  suspend(): () => void {
    if (this.suspensions === 0) this.pausedAt = this.source();
    this.suspensions += 1;
    let resumed = false;
    return () => {
      if (resumed) return;
      resumed = true;
      this.suspensions -= 1;
      if (this.suspensions === 0) this.pausedFor += this.source() - this.pausedAt;
    };
  }

  // child gives a deadline that ends no later than this one and pauses with it.
  child(ms: number): any {
    const start = this.counted();
    const child = this.like(() => this.counted(), start + positive(ms), this.now);
    child.limits = [this];
    return child;
  }

  // limitTo gives a deadline that ends when this one does or the other, whichever comes first.
  limitTo(other: any): any {
    const limited = this.like(() => this.counted(), this.end, this.now);
    limited.limits = [...this.limits, other];
    return limited;
  }

  private like(source: () => number, end: number, now: () => number): Clock {
    return new (this.constructor as typeof Clock)(source, end, now);
  }
}

// deadlineFor makes the class whose awaitExpiry is an effect of one effect module.
export const deadlineFor = ({ Effect }: EffectModule): any =>
  class Deadline extends Clock {
    // awaitExpiry is the effect that ends once the time is up.
    get awaitExpiry(): any {
      return Effect.suspend(() => {
        const left = this.remainingMs();
        return left <= 0 ? Effect.void : Effect.flatMap(Effect.sleep(Math.min(pollMs, left)), () => this.awaitExpiry);
      });
    }
  };

function positive(ms: number): number {
  if (typeof ms !== "number" || !Number.isFinite(ms) || ms <= 0) throw new RangeError("a deadline takes a positive number of milliseconds");
  return ms;
}
