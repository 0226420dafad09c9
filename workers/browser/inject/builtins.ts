/**
 * What this program needs of the world it runs in, captured when it is installed, so that a page that replaces timers (fake clocks)
 * or a script that patches them later changes nothing for it.
 */
import type { InstalledClock } from './clockworld';

/** A clock that page code moves keeps the world's own functions; see clockworld.ts. */
const replaced = (globalThis as { __pomeradoClock?: InstalledClock }).__pomeradoClock?.real;
const world = globalThis;
const own = replaced ?? world;

export const setTimer: (run: () => void, ms: number) => number = own.setTimeout.bind(world);
export const clearTimer: (timer: number) => void = own.clearTimeout.bind(world);
export const onFrame: (run: () => void) => number = own.requestAnimationFrame.bind(world);

/** Milliseconds of a clock that never goes back. */
export const now: () => number = replaced ? replaced.now : world.performance.now.bind(world.performance);

export function sleep(ms: number): Promise<void> {
  return new Promise(done => setTimer(done, ms));
}

/** The next animation frame, or 100 ms where frames are not drawn (a hidden tab, a throttled frame). */
export function nextFrame(): Promise<void> {
  return new Promise(done => {
    const timer = setTimer(done, 100);
    onFrame(() => {
      clearTimer(timer);
      done();
    });
  });
}
