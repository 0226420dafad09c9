// The `pomerado/runtime` module.

import { Schema } from "../effect/index";
import { GenericTag } from "../effect/context";
import { laterCode, laterFunction } from "./later";
import { schemaExports } from "./values";

export { Schema };
export { defineOperation, defineHttpOperation } from "./define";
export { contractJsonSchema } from "./schemas";
export { Deadline } from "./deadline";
export { normalizeText } from "./text";
export { waitCode, outcomeWaitCode, formControlsCode, visibleTextCode } from "./pagecode";
export { timeoutDefaults, listLimitDefault, listLimitMax, listCursorTtlMs, listCallBounds, listDepth, defaultFileLimits } from "./values";
export {
  OperationFailure, operationErrors, InvalidInput, InvalidOutput, ChallengeFailure, ScriptInputFailure, DialogFailure, WriteConfirmationRefused,
  CommitAlreadySent, DeadlineExceeded, FileRefused, HttpFailure, EmbeddedJsonFailure, VariantSelectionFailed, WebsiteAuthenticationFailed,
  BrowserFailure, ConditionTimeout, TargetPageMismatch, TargetNotFound, TargetAmbiguous, TargetGuardMismatch, TargetGuardUnavailable,
  CaptureUnavailable, EventUnavailable, FixtureUnavailable, OfflineFixtureUnavailable, OfflineTrafficDenied,
} from "./errors";

export const {
  CalendarDate, ListMechanism, CursorRefusal, ListPosition, listInputFields, listOutputFields, FileInput, FileOutput, defaultedInput,
} = schemaExports(Schema);

export const ExecutionContext = GenericTag("pomerado/ExecutionContext");
export const ScriptInput = GenericTag("pomerado/ScriptInput");
export const NativeDialogs = GenericTag("pomerado/NativeDialogs");
export const SiteHttp = GenericTag("pomerado/SiteHttp");
export const SavedHttpFixtures = GenericTag("pomerado/SavedHttpFixtures");
export const SavedCaptureEvidence = GenericTag("pomerado/SavedCaptureEvidence");

export const isBotChallenge = (response: any): boolean => response?.challenge === true;

export const executeOperation = laterFunction("executeOperation");
export const runSupportedVariant = laterFunction("runSupportedVariant");
export const makeEffectJournal = laterFunction("makeEffectJournal");
export const makeEffectJournalWith = laterFunction("makeEffectJournalWith");
export const makeScriptInput = laterFunction("makeScriptInput");
export const makeNativeDialogs = laterFunction("makeNativeDialogs");
export const startList = laterFunction("startList");
export const selectRows = laterFunction("selectRows");
export const finishList = laterFunction("finishList");
export const readList = laterFunction("readList");
export const pagedListReader = laterFunction("pagedListReader");
export const SiteHttpRequest = laterFunction("SiteHttpRequest");
export const readText = laterFunction("readText");
export const readJson = laterFunction("readJson");
export const requestPastChallenge = laterFunction("requestPastChallenge");
export const parseHtml = laterFunction("parseHtml");
export const embeddedJson = laterFunction("embeddedJson");
export const readEmbeddedJson = laterFunction("readEmbeddedJson");
export const parseSavedHttp = laterFunction("parseSavedHttp");
export const paginationCode = laterCode("paginationCode");
