// What of this module speaks Effect, made for one effect module: ours, or the one a tool brings itself. The two do not mix, so each tool is
// given functions whose effects its own Effect can run.

import { type EffectModule } from "./effects";
import { deadlineFor } from "./deadline";
import { defining } from "./define";
import { speakWith } from "./errors";
import { readers } from "./http";
import { journals } from "./journal";
import { operating } from "./operate";
import { savedAnswers } from "./saved";
import { services } from "./services";
import { variants } from "./variants";

export function effectExports(effect: EffectModule): any {
  speakWith(effect);
  const tag = (name: string) => effect.Context.GenericTag(`pomerado/${name}`);
  const tags = {
    ExecutionContext: tag("ExecutionContext"),
    ScriptInput: tag("ScriptInput"),
    NativeDialogs: tag("NativeDialogs"),
    SiteHttp: tag("SiteHttp"),
    SavedHttpFixtures: tag("SavedHttpFixtures"),
    SavedCaptureEvidence: tag("SavedCaptureEvidence"),
  };
  return {
    ...tags,
    ...defining(effect, tags),
    ...operating(effect, tags),
    ...variants(effect),
    ...journals(effect),
    ...services(effect),
    ...readers(effect),
    ...savedAnswers(effect),
    Deadline: deadlineFor(effect),
  };
}
