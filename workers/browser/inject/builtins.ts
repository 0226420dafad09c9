/**
 * What this program needs of the world it runs in, captured when it is installed, so that a page that replaces timers (fake clocks)
 * or a script that patches them later changes nothing for it.
 */
const world = globalThis;

export const setTimer: (run: () => void, ms: number) => number = world.setTimeout.bind(world);
export const clearTimer: (timer: number) => void = world.clearTimeout.bind(world);
export const onFrame: (run: () => void) => number = world.requestAnimationFrame.bind(world);

const clock = world.performance;

/** Milliseconds of a clock that never goes back. */
export function now(): number {
  return clock.now();
}

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
