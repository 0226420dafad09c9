/** The whole program: one object with what api.ts promises. */
import type { InstallOptions, MainWorld, Reply } from './api';
import { ariaSnapshot } from './ariasnapshot';
import { Call } from './call';
import { elementOf } from './call';
import { nodeOf, refOf } from './elements';
import { CallError, errorText } from './errors';
import { abort, evaluator } from './evaluate';
import * as input from './input';
import { asLocator } from './locator';
import { mask, unmask } from './mask';
import * as code from './pagecode';
import { frameBox, framePoint, hitTarget, pointer, settle, wrongFrame } from './pointer';
import { previewOf } from './preview';
import { parse, resolve } from './query';
import { read, readAll, scrollIntoView, state, waitForSelector, waitForState } from './read';
import { setTestIdAttribute } from './suggest';
import { decode } from './wire';

/** Declared around the bundle (Go: inject.Banner): assigning needs none of the helpers that exports do, and a page may have broken what those use. */
declare let install: (options?: InstallOptions) => MainWorld;

const program: MainWorld = {
  check(selector) {
    return attempt(() => {
      parse(selector);
      return true as const;
    });
  },
  query: (selector, strict, scope) => throwing(() => resolve(selector, scope ?? document, strict)[0] ?? null),
  queryAll: (selector, scope) => throwing(() => resolve(selector, scope ?? document, false)),
  count: (selector, scope) => attempt(() => resolve(selector, scope ?? document, false).length),
  frameElement: (selector, strict, scope) => throwing(() => {
    const element = resolve(selector, scope ?? document, strict)[0] ?? null;
    if (element && element.nodeName !== 'IFRAME' && element.nodeName !== 'FRAME')
      throw new CallError(wrongFrame(selector, element));
    return element;
  }),
  find: (target, options, scope) => Call.run(options, call => call.withElement(target, scope, element => ({ value: { ref: refOf(element) } }))),
  element: ref => elementOf(ref) ?? null,
  refOf,
  waitForSelector,

  read,
  readAll,
  state,
  waitForState,
  ariaSnapshot,

  pointer,
  settle,
  framePoint,
  frameBox,
  hitTarget,
  scrollIntoView,
  drop: (target, files, data, point) => input.drop(nodeOf(target), files, data, point),

  fill: input.fill,
  selectOptions: (target, matches, options, ...elements) => input.selectOptions(target, matches, options, elements),
  focus: input.focus,
  blur: input.blur,
  selectText: input.selectText,
  dispatchEvent: (target, type, init, options, ...handles) => input.dispatchEvent(target, type, decode(init, handles) as object, options),
  setInputFiles: input.setInputFiles,
  fileInput: input.fileInput,

  preview: previewOf,
  asLocator,
  abort,
  mask,
  unmask,
  evaluator,

  evaluateOn: code.evaluateOn,
  evaluateHandleOn: code.evaluateHandleOn,
  evaluateAll: code.evaluateAll,
  waitForFunctionOn: code.waitForFunctionOn,
};

function attempt<T>(work: () => T): Reply<T> {
  try {
    return { value: work() };
  } catch (thrown) {
    return { error: errorText(thrown) };
  }
}

/** For results that stay in the page: what is thrown is the text itself, since V8 would put "Error: " before the message of an error. */
function throwing<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw errorText(thrown);
  }
}

install = options => {
  if (options?.testIdAttribute)
    setTestIdAttribute(options.testIdAttribute);
  return program;
};
