/** One call of the engine: its log, its time, finding its element and retrying. */
import type { ElementState, Reply, Resolve, Retry, Target, Wait } from './api';
import { now, sleep } from './builtins';
import { inPass, isElement } from './dom';
import { nodeOf, refOf } from './elements';
import { errorText, ServerError } from './errors';
import { startWait } from './evaluate';
import { previewOf } from './preview';
import { resolve } from './query';

/** What an attempt comes to: a value, or why not yet. */
export type Attempt<T> = { value: T } | { retry: Retry };

export const notConnected = { retry: { reason: 'notconnected' as const } };

export function missing(state: ElementState | 'notconnected'): { retry: Retry } {
  return state === 'notconnected' ? notConnected : { retry: { reason: 'missingState', state } };
}

/** Playwright's pauses between attempts of an action, in milliseconds. */
const actionPauses = [0, 20, 100, 100, 500];

export class Call {
  readonly log: string[] = [];
  private readonly wait;
  private polls = 0;

  constructor(private readonly options: Resolve) {
    this.wait = startWait(options);
  }

  /** Runs the whole call; what it throws becomes an error reply. */
  static async run<T>(options: Resolve | undefined, body: (call: Call) => Promise<Attempt<T>> | Attempt<T>): Promise<Reply<T>> {
    const call = new Call(options ?? {});
    let outcome: Attempt<T> | { error: string };
    try {
      outcome = await body(call);
      if ('retry' in outcome && call.wait.aborted())
        outcome = { retry: { reason: 'aborted' } };
    } catch (thrown) {
      outcome = { error: errorText(thrown) };
    } finally {
      call.wait.end();
    }
    return call.log.length ? { log: call.log, ...outcome } : outcome;
  }

  /** Whether there is time for another attempt. */
  get alive(): boolean {
    return this.wait.alive();
  }

  get aborted(): boolean {
    return this.wait.aborted();
  }

  /** Waits, but not beyond the call's time. False: the time is over. */
  async pause(ms: number): Promise<boolean> {
    if (this.alive && ms > 0)
      await sleep(Math.min(ms, Math.max(0, this.wait.remaining())));
    return this.alive;
  }

  /** The pause before looking again: at every frame at first, then less often, and never so often that looking takes more than a fifth of the time. */
  private async poll(costMs: number): Promise<boolean> {
    const count = ++this.polls;
    return this.pause(Math.max(count <= 20 ? 16 : count <= 60 ? 50 : 100, costMs * 4));
  }

  /**
   * Finds the element and acts on it; again while it is not found or was lost, unless the target is one definite node. `describe` makes the log
   * line for a single match.
   */
  async withElement<T>(target: Target, scope: Node | null | undefined, act: (element: Element) => Promise<Attempt<T>> | Attempt<T>,
    describe = (element: Element) => `  locator resolved to ${previewOf(element)}`): Promise<Attempt<T>> {
    if (typeof target !== 'string') {
      const node = nodeOf(target);
      return node ? act(node as Element) : notConnected;
    }
    for (;;) {
      const start = now();
      const found = resolve(target, scope ?? document, !!this.options.strict);
      let outcome: Attempt<T> = { retry: { reason: 'notfound' } };
      if (found.length) {
        this.log.push(found.length > 1 ? `  locator resolved to ${found.length} elements. Proceeding with the first one: ${previewOf(found[0])}` : describe(found[0]));
        outcome = await act(found[0]);
        if (!('retry' in outcome) || outcome.retry.reason !== 'notconnected')
          return outcome;
        this.log.push('element was detached from the DOM, retrying');
      }
      if (!await this.poll(now() - start))
        return outcome;
    }
  }

  /** Polls until `look` gives something. */
  async until<T>(look: () => Attempt<T>): Promise<Attempt<T>> {
    for (;;) {
      const start = now();
      const outcome = look();
      if ('value' in outcome || !await this.poll(now() - start))
        return outcome;
    }
  }

  /**
   * Attempts of an action on one element with Playwright's pauses and log lines, until it succeeds, the element is lost or the time is over. With `force` some failures are
   * final.
   */
  async attempts<T>(element: Node, name: string, how: { force?: boolean; trial?: boolean }, attempt: (count: number) => Promise<Attempt<T>> | Attempt<T>): Promise<Attempt<T>> {
    const suffix = how.trial ? ' (trial run)' : '';
    let last: Attempt<T> | undefined;
    for (let count = this.options.attempt ?? 0; ; count++) {
      if (count) {
        if (last && !this.alive)
          return last;
        this.log.push(`retrying ${name} action${suffix}`);
        const ms = actionPauses[Math.min(count - 1, actionPauses.length - 1)];
        if (ms)
          this.log.push(`  waiting ${ms}ms`);
        if (!last)
          await sleep(ms);
        else if (!await this.pause(ms))
          return last;
      } else {
        this.log.push(`attempting ${name} action${suffix}`);
      }
      const outcome = await attempt(count);
      if (this.aborted || 'value' in outcome || outcome.retry.reason === 'notconnected')
        return outcome;
      const { retry } = outcome;
      const problem = problemOf(retry);
      if (how.force && (retry.reason === 'notvisible' || retry.reason === 'notinviewport'))
        throw new ServerError(`E${problem.slice(1)}`);
      this.log.push(`  ${problem}`);
      last = { retry: { ...retry, ref: refOf(element), attempt: count + 1 } };
    }
  }
}

/** The log line of a failed attempt. */
function problemOf(retry: Retry): string {
  switch (retry.reason) {
    case 'notvisible': return 'element is not visible';
    case 'notinviewport': return 'element is outside of the viewport';
    case 'missingState': return `element is not ${retry.state}`;
    case 'intercepted': return `${retry.description} intercepts pointer events`;
    case 'optionsnotfound': return 'did not find some options';
    case 'optionnotenabled': return 'option being selected is not enabled';
  }
  return retry.reason;
}

/** A reply that needs no waiting. */
export function atOnce<T>(body: () => T): Reply<T> {
  try {
    return { value: inPass(body) };
  } catch (thrown) {
    return { error: errorText(thrown) };
  }
}

export function elementOf(target: Exclude<Target, string>): Element | undefined {
  const node = nodeOf(target);
  return node && isElement(node) ? node : undefined;
}

export type { Wait };
