// The functions the worker's Go code gives this module, and what their refusals mean to a script.

export interface Native {
  // execute runs page code and answers an envelope whose result is JSON text.
  execute(code: string, timeoutMs: number): Promise<{ success: boolean; result?: string; error?: string; stdout?: string; stderr?: string }>;
  // ask puts questions (JSON) and answers JSON: question id to raw answer.
  ask(questions: string): Promise<string>;
  dialog(step: string, type: string, message: string, url: string): Promise<{ accept: boolean; promptText?: string }>;
  signIn(): Promise<boolean>;
  // sendHttp sends one request (JSON) and answers {response} or {failure} as JSON, and the body. token names it for cancelHttp.
  sendHttp(request: string, token: number): Promise<[head: string, body: ArrayBuffer]>;
  // cancelHttp says that nobody waits for a request any more.
  cancelHttp(token: number): void;
  // filePlace takes a field (JSON) and answers JSON: name, media_type, size. fileCollect answers a file output as JSON.
  filePlace(reference: string, field: string, timeoutMs: number): Promise<string>;
  fileArm(): Promise<string>;
  fileCollect(slot: string, timeoutMs: number): Promise<string>;
  // The journal: each returns once the host has written it down.
  declareCommits(names: string[], write: boolean, confirmation: string): void;
  dispatch(): void;
  enteringCommit(name: string): void;
  verified(confirmation: string): void;
  remainingMs(): number;
}

// refusalCode is the closed-list code of a host that said no; undefined for any other error.
export const refusalCode = (thrown: unknown): string | undefined => {
  const code = (thrown as any)?.refusal;
  return typeof code === "string" ? code : undefined;
};

// Start is what a run begins with.
export interface Start {
  readonly sessionId: string;
  readonly siteOrigin?: string;
  readonly siteDomain?: string;
  // lists is JSON: {} from a host that signs list cursors, with the position of the caller's if it gave one.
  readonly lists?: string;
}

// Run is the state one script run shares between the parts of its context.
export interface Run {
  readonly native: Native;
  readonly start: Start;
  readonly operation: any;
  // calls counts what may have acted: executes and placed files.
  calls: number;
  // lastFailure is the error of the last execute's answer, if it failed.
  lastFailure: string | undefined;
  // signingIn is the sign-in under way: what else would touch the page waits for it.
  signingIn: Promise<unknown> | undefined;
  // turn runs work that drives the page one at a time, in order of asking.
  turn<A>(work: () => Promise<A>): Promise<A>;
}

export function newRun(native: Native, start: Start, operation: any): Run {
  let last: Promise<unknown> = Promise.resolve();
  return {
    native,
    start,
    operation,
    calls: 0,
    lastFailure: undefined,
    signingIn: undefined,
    turn(work) {
      const mine = last.then(work);
      last = mine.then(
        () => {},
        () => {},
      );
      return mine;
    },
  };
}
