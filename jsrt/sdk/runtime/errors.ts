// Every error class scripts and the runtime end a run with. The tag is the error's `name` and `_tag`; the host reads tags, fields and
// dispatch, never messages.

import { YieldableError } from "../effect/data";

export type Dispatch = "not_sent" | "sent" | "unknown";

const maxMessage = 4096;
const maxField = 200;
const maxAvailable = 100;
const maxStderr = 16_384;

export const cut = (text: unknown, most: number): string => {
  const whole = typeof text === "string" ? text : String(text);
  return whole.length > most ? whole.slice(0, most) : whole;
};

// Tagged is the base of all: fields are own properties beside the tag.
class Tagged extends YieldableError {
  declare readonly _tag: string;
  constructor(tag: string, message: string, fields: object, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    Object.defineProperty(this, "name", { value: tag, configurable: true, writable: true, enumerable: false });
    this._tag = tag;
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) (this as any)[name] = value;
  }
}

// speakWith lets these errors be yielded in generators of the effect module a tool brings itself.
export function speakWith(effect: { Effect: any }): void {
  const asEffect = (error: unknown) => effect.Effect.fail(error);
  const parts = {
    asEffect(this: unknown) {
      return asEffect(this);
    },
    [Symbol.iterator](this: unknown) {
      return asEffect(this)[Symbol.iterator]();
    },
  };
  for (const name of Reflect.ownKeys(parts))
    Object.defineProperty(Tagged.prototype, name, { value: (parts as any)[name], configurable: true, writable: true, enumerable: false });
}

const dispatchOf = (given: unknown): Dispatch => (given === "not_sent" || given === "sent" ? given : "unknown");

// OperationFailure is a failed step in the script's own words.
export class OperationFailure extends Tagged {
  declare readonly dispatch: Dispatch;
  constructor(message: unknown, { dispatch, cause, stderr, http, sessionLoss }: any = {}) {
    super(
      "OperationFailure",
      cut(message, maxMessage),
      { dispatch: dispatchOf(dispatch), http, sessionLoss: sessionLoss === "session_not_kept" ? sessionLoss : undefined },
      stderr === undefined || stderr === null || stderr === "" ? cause : stderrCause(stderr),
    );
  }
}

function stderrCause(stderr: unknown): Error {
  const cause = new Error("page code failed");
  cause.stack = cut(stderr, maxStderr);
  return cause;
}

// RefusedInput is errors.InvalidInput: the script or the site refuses a value of the input.
export class RefusedInput extends Tagged {
  declare readonly field?: string;
  declare readonly available?: string[];
  declare readonly kind?: string;
  constructor(message: unknown, { field, available, kind }: any = {}) {
    const offered = Array.isArray(available)
      ? available
          .filter((one) => typeof one === "string" && one.trim() !== "")
          .slice(0, maxAvailable)
          .map((one) => cut(one, maxField))
      : [];
    super("InvalidInput", cut(message, maxMessage), {
      field: typeof field === "string" ? cut(field, maxField) : undefined,
      available: offered.length > 0 ? offered : undefined,
      kind: typeof kind === "string" && kind.length <= 40 && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(kind) ? kind : undefined,
    });
  }
}

// InvalidInput is the runtime's: the input does not decode.
export class InvalidInput extends Tagged {
  constructor({ operation, issues }: { operation: string; issues?: { path: string; issue: "missing" | "invalid" }[] }) {
    const named = (issues ?? []).map(({ path, issue }) => `${path === "" ? "the input" : path} is ${issue}`).join(", ");
    super("InvalidInput", `The input of ${operation} does not fit its schema${named === "" ? "" : `: ${named}`}`, {
      operation,
      issues: issues?.slice(0, 20),
    });
  }
}

export class InvalidOutput extends Tagged {
  constructor({ operation, cause, output }: { operation: string; cause?: unknown; output?: unknown }) {
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    super("InvalidOutput", cut(`The output of ${operation} does not fit its schema${why}`, maxMessage), { operation, output }, cause);
  }
}

const signInFields = ["username", "email", "phone", "account_number", "password", "code", "date_of_birth", "zip", "recovery_code"];
export const isSignInField = (field: unknown): boolean => signInFields.includes(field as string);

export class CredentialsRejected extends Tagged {
  constructor(field: string) {
    if (!isSignInField(field)) throw new TypeError(`CredentialsRejected takes one of ${signInFields.join(", ")}`);
    super("CredentialsRejected", `The site did not accept the ${field.replaceAll("_", " ")}`, { field });
  }
}

// InputNotApplied says that the page shows another value than the input asked for. LocationNotApplied is its older name.
export class InputNotApplied extends Tagged {
  constructor(message: unknown, given: any = {}, tag = "InputNotApplied") {
    const text = (value: unknown) => (value === undefined || value === null ? undefined : cut(value, maxField));
    super(tag, cut(message, maxMessage), {
      field: text(given.field),
      requested: text(given.requested),
      applied: text(given.applied),
      step: text(given.step),
      siteMessage: given.siteMessage === undefined ? undefined : cut(given.siteMessage, maxMessage),
    });
  }
}
export class LocationNotApplied extends InputNotApplied {
  constructor(message: unknown, given: any = {}) {
    super(message, given, "LocationNotApplied");
  }
}

export class ChallengeFailure extends Tagged {
  constructor({ code, solverWaitMs }: { code?: string; solverWaitMs?: number } = {}) {
    super("ChallengeFailure", "The site's challenge did not clear", { code: code ?? "Unavailable", solverWaitMs });
  }
}

const inputWords: Record<string, string> = {
  Unavailable: "nobody here can answer questions",
  NoResponse: "no answer came in time",
  Unauthorized: "this run may not ask questions",
  Undeclared: "the question is not declared by the operation",
  InvalidOptions: "the question's options do not fit it",
};
export class ScriptInputFailure extends Tagged {
  constructor({ code, about }: { code: string; about?: string }) {
    super("ScriptInputFailure", `The question could not be asked: ${about ?? inputWords[code] ?? code}`, { code });
  }
}

export class DialogFailure extends Tagged {
  constructor({ reason }: { reason: string }) {
    super("DialogFailure", `The dialog was not decided: ${reason.replaceAll("_", " ")}`, { reason });
  }
}

export class WriteConfirmationRefused extends Tagged {
  constructor({ declared, recorded }: { declared: string; recorded: string }) {
    super("WriteConfirmationRefused", `The operation declares its write ${declared}, so it cannot be confirmed by ${recorded}`, { declared, recorded });
  }
}

export class CommitAlreadySent extends Tagged {
  constructor({ name }: { name: string }) {
    super("CommitAlreadySent", `The step ${name} was sent before and must not be sent again`, { name });
    // The field is called as an Error's own name is.
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true, enumerable: true });
  }
}

// simple makes the classes that are fields and a sentence.
function simple(tag: string, sentence: string, always?: string[]): any {
  return class extends Tagged {
    constructor(fields: any = {}) {
      const { cause, message, ...own } = fields;
      super(tag, cut(message ?? sentence, maxMessage), own, cause);
      for (const name of always ?? []) if (!(name in own)) (this as any)[name] = "unknown";
    }
  };
}

export const DeadlineExceeded = simple("DeadlineExceeded", "The time for this operation ran out");
export const FileRefused = simple("FileRefused", "The file was refused");
export const HttpFailure = simple("HttpFailure", "The HTTP request failed");
export const EmbeddedJsonFailure = simple("EmbeddedJsonFailure", "The page does not hold that data");
export const VariantSelectionFailed = simple("VariantSelectionFailed", "No variant of the operation applies");
export const WebsiteAuthenticationFailed = simple("WebsiteAuthenticationFailed", "Signing in to the site failed");
export const BrowserFailure = simple("BrowserFailure", "The browser failed", ["dispatch"]);
export const ConditionTimeout = simple("ConditionTimeout", "The page did not get into the expected state in time");
export const TargetPageMismatch = simple("TargetPageMismatch", "The page is not the expected one");
export const TargetNotFound = simple("TargetNotFound", "The page does not hold the element");
export const TargetAmbiguous = simple("TargetAmbiguous", "The page holds several such elements");
export const TargetGuardMismatch = simple("TargetGuardMismatch", "The element is not the expected one");
export const TargetGuardUnavailable = simple("TargetGuardUnavailable", "The element could not be checked");
export const CaptureUnavailable = simple("CaptureUnavailable", "The run could not be recorded");
export const EventUnavailable = simple("EventUnavailable", "The event could not be recorded");
export const FixtureUnavailable = simple("FixtureUnavailable", "The saved response cannot be used");
export const OfflineFixtureUnavailable = simple("OfflineFixtureUnavailable", "The offline fixture cannot be used");
export const OfflineTrafficDenied = simple("OfflineTrafficDenied", "The offline run tried to reach the network");

// BrowserActionTimeout is how the runtime reports a failure that repeats a timeout of the last call; scripts do not make it.
export class BrowserActionTimeout extends Tagged {
  constructor(failure: OperationFailure) {
    super("BrowserActionTimeout", failure.message, { dispatch: failure.dispatch }, failure);
  }
}

// operationErrors is the script's `errors`.
export const operationErrors = Object.freeze({
  OperationFailure,
  ChallengeFailure,
  InvalidInput: RefusedInput,
  CredentialsRejected,
  LocationNotApplied,
  InputNotApplied,
});

// passesThrough says whether a thrown value ends the run as what it is; anything else becomes an OperationFailure.
export const passesThrough = (thrown: unknown): boolean => thrown instanceof Tagged;
