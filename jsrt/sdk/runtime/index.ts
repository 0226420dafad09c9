// The `pomerado/runtime` module.

import { Cause, Context, Effect, Either, Schema } from "../effect/index";
import { effectExports } from "./carried";
import { schemaExports } from "./values";

export { Schema };
export { defineOperation } from "./define";
export { parseHtml } from "./html";
export { isBotChallenge } from "./http";
export { contractJsonSchema } from "./schemas";
export { normalizeText } from "./text";
export { waitCode, outcomeWaitCode, formControlsCode, visibleTextCode, paginationCode } from "./pagecode";
export { startList, selectRows, finishList, readList } from "./lists";
export { pagedListReader } from "./pager";
export { timeoutDefaults, listLimitDefault, listLimitMax, listCursorTtlMs, listCallBounds, listDepth, defaultFileLimits } from "./values";
export {
  OperationFailure, operationErrors, InvalidInput, InvalidOutput, ChallengeFailure, ScriptInputFailure, DialogFailure, WriteConfirmationRefused,
  CommitAlreadySent, DeadlineExceeded, FileRefused, HttpFailure, EmbeddedJsonFailure, VariantSelectionFailed, WebsiteAuthenticationFailed,
  BrowserFailure, ConditionTimeout, TargetPageMismatch, TargetNotFound, TargetAmbiguous, TargetGuardMismatch, TargetGuardUnavailable,
  CaptureUnavailable, EventUnavailable, FixtureUnavailable, OfflineFixtureUnavailable, OfflineTrafficDenied,
} from "./errors";

export const {
  CalendarDate, ListMechanism, CursorRefusal, ListPosition, listInputFields, listOutputFields, FileInput, FileOutput, defaultedInput,
  SiteHttpRequest,
} = schemaExports(Schema);

export const {
  ExecutionContext, ScriptInput, NativeDialogs, SiteHttp, SavedHttpFixtures, SavedCaptureEvidence, defineHttpOperation, executeOperation,
  runSupportedVariant, makeEffectJournal, makeEffectJournalWith, makeScriptInput, makeNativeDialogs, requestPastChallenge, readText, readJson,
  embeddedJson, readEmbeddedJson, parseSavedHttp, Deadline,
} = effectExports({ Effect, Context, Either, Cause });
