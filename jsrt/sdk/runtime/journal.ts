// The effect journal: what a run may have done to the site, as an operation in object form reports it (spec runtime-sdk.md §5.4).

import { isCommitName } from "./context";
import { type EffectModule, instantly } from "./effects";
import { CommitAlreadySent, WriteConfirmationRefused } from "./errors";

type State = "not_started" | "may_have_dispatched" | "verified";
interface Mark {
  name: string;
  state: "not_sent" | "sent" | "confirmed";
}

// Recorder is told of each event before the journal changes; what it throws leaves the journal as it is.
export interface Recorder {
  declareCommits(names: string[]): void;
  dispatch(): void;
  enteringCommit(name: string): void;
  confirmed(kind: "message" | "readback"): void;
}
const nobody: Recorder = { declareCommits() {}, dispatch() {}, enteringCommit() {}, confirmed() {} };

export function journalOf(effect: EffectModule, recorder: Recorder = nobody, settledCommits: readonly string[] = []): any {
  const now = instantly(effect);
  let state: State = "not_started";
  let confirmation: "message" | "readback" | "none" = "none";
  const marks: Mark[] = [];
  const markOf = (name: string): Mark => {
    const known = marks.find((mark) => mark.name === name);
    if (known) return known;
    marks.push({ name, state: "not_sent" });
    return marks[marks.length - 1]!;
  };
  return Object.freeze({
    declareCommits: (names: string[]) =>
      now(() => {
        recorder.declareCommits(names);
        names.forEach(markOf);
      }),
    enteringDispatch: now(() => {
      recorder.dispatch();
      state = "may_have_dispatched";
      confirmation = "none";
      for (const mark of marks) if (mark.state === "confirmed") mark.state = "sent";
    }),
    enteringCommit: (name: string) =>
      now(() => {
        if (!isCommitName(name)) throw new TypeError("enteringCommit takes a step's name: lower-case words joined by -, at most 48 characters");
        if (settledCommits.includes(name)) throw new CommitAlreadySent({ name });
        recorder.enteringCommit(name);
        state = "may_have_dispatched";
        markOf(name).state = "sent";
      }),
    confirmed: (kind: "message" | "readback") =>
      now(() => {
        if (kind !== "message" && kind !== "readback") throw new TypeError('confirmed takes "readback" or "message"');
        recorder.confirmed(kind);
        state = "verified";
        confirmation = kind;
        for (const mark of marks) if (mark.state === "sent") mark.state = "confirmed";
      }),
    // verified is the older word, without a kind.
    verified: now(() => {
      recorder.confirmed("readback");
      state = "verified";
    }),
    state: now(() => state),
    confirmation: now(() => confirmation),
    commits: now(() => marks.map((mark) => ({ ...mark }))),
  });
}

// refusing makes a recorder that lets no write be confirmed which is declared unverifiable.
export const refusing = (declared: string | undefined, recorder: Recorder): Recorder => ({
  ...recorder,
  confirmed(kind) {
    if (declared === "unverifiable") throw new WriteConfirmationRefused({ declared, recorded: kind });
    recorder.confirmed(kind);
  },
});

export const journals = (effect: EffectModule) => ({
  makeEffectJournal: effect.Effect.sync(() => journalOf(effect)),
  makeEffectJournalWith: ({ settledCommits = [] }: { settledCommits?: string[] } = {}) => effect.Effect.sync(() => journalOf(effect, nobody, settledCommits)),
});
