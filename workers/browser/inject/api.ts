/**
 * The agreed surface between the engine (Go, over CDP) and the program that runs inside pages.
 *
 * ## How it is installed
 * Two programs are bundled from this folder (Go: inject.Programs): `index.ts`, the whole program, and `main.ts`, only the {@link Evaluator}.
 * Each bundle is one JavaScript expression whose value is a factory. The engine evaluates `BUNDLE(OPTIONS_JSON)` with Runtime.evaluate
 * (contextId = the world) and keeps the objectId of the result:
 *   - `index.ts` in the isolated ("utility") world of every frame it touches -> {@link Inject}; also in the main world when the page's
 *     own view of an element is needed in one call (locator.evaluate);
 *   - `main.ts` in the main world for page.evaluate and handles -> {@link Evaluator}.
 * Nothing is written on globalThis.
 *
 * ## How it is called
 * Runtime.callFunctionOn with objectId = the program's handle, always the same declaration so that V8 compiles it once:
 *   `function(m,...a){return this[m](...a)}`, arguments `[{value:"fill"},{value:"#name"},{value:{...}}]`,
 *   returnByValue true and awaitPromise true unless a method says it returns a remote object.
 * An argument typed {@link Target} is a selector string, a ref number or a node (an argument with objectId of the same world).
 * `scope` (last argument where offered) is a node with objectId; absent means the document.
 *
 * ## What comes back
 * {@link Reply}: `value` = done; `retry` = not now, ask again; `error` = a fatal error whose text is Playwright's after "locator.click: "; where Playwright throws inside the page the
 * text starts with "Error: " (strict mode violations, "Element is not a <select> element"), where its server throws it does not (selector syntax, "Element is not visible"). `log` holds the call log lines of this call in order, as Playwright's progress log has them
 * (two leading spaces where it has them). A method that returns a remote object throws the same text instead, as a string.
 * An exception from any other method is a defect of this program.
 *
 * ## Waiting
 * {@link Wait}: with `timeout` > 0 the call retries inside the page (Playwright's back-off) until it succeeds, fails or the time is over,
 * and then answers `retry` with all lines logged so far. With 0 or none it tries once. A navigation destroys the context: the engine sees the
 * call fail and repeats it in the new document. `call` names a running call for {@link Inject.abort}; after abort it does nothing more
 * to the page and answers `retry: {reason: "aborted"}`.
 *
 * ## Frames
 * A selector given here never contains `internal:control=enter-frame`: the engine splits there (rules and vectors: testdata/frames.json) and
 * descends with {@link Inject.frameElement}. A selector nested in a chunk (internal:has="…") may begin with the same frames; the engine checks that they are the same ("Frame locators are
 * not allowed inside composite locators, while querying …") and passes it as it is. Coordinates are CSS pixels of this frame's viewport.
 */

/** A selector, a ref (a number this program gave out in this document) or a node. */
export type Target = string | number | Node;

export type Point = { x: number; y: number };
export type Box = { x: number; y: number; width: number; height: number };

export type InstallOptions = {
  /** Comma-separated test id attributes; default "data-testid". */
  testIdAttribute?: string;
};

export type RetryReason =
  | 'notfound'           // the selector matches nothing
  | 'notconnected'       // the element left the document
  | 'notvisible'         // it has no box to point at
  | 'notinviewport'      // its box is outside the viewport
  | 'missingState'       // `state` says which state it is not in
  | 'intercepted'        // `description` says what receives the events instead
  | 'optionsnotfound'    // selectOption: some option is not there
  | 'optionnotenabled'   // selectOption: an option is disabled
  | 'mismatch'           // waitForSelector: found, but not in the wanted state
  | 'aborted';

export type Retry = {
  reason: RetryReason;
  state?: ElementState;
  description?: string;
  /** The element that was resolved, to go on with the same one. */
  ref?: number;
  /** Attempts made on `ref` so far: pass it as `attempt` to go on. */
  attempt?: number;
};

export type Reply<T> = { log?: string[] } & ({ value: T } | { retry: Retry } | { error: string });

export type Wait = {
  /** Milliseconds this call may keep retrying in the page. */
  timeout?: number;
  /** Name for abort(). */
  call?: number;
};

/** How an action finds its element. */
export type Resolve = Wait & {
  /** Throw on more than one match. Locators: true. page.click(selector): false. */
  strict?: boolean;
  /** Attempts already made on this element (from Retry.attempt): chooses wait time, scrolling and "retrying" log lines. */
  attempt?: number;
};


export type ElementState = 'attached' | 'visible' | 'hidden' | 'enabled' | 'disabled' | 'editable' | 'checked' | 'unchecked' | 'indeterminate' | 'stable';

export type StateResult = {
  matches: boolean;
  /** visible, hidden, enabled, disabled, editable, readOnly, checked, unchecked, mixed or error:notconnected. */
  received: string;
  isRadio?: boolean;
};

/** The names Playwright gives its pointer actions in logs ("attempting click action"). */
export type PointerAction = 'click' | 'dblclick' | 'hover' | 'tap' | 'move and down' | 'move and up' | 'drop';

export type PointerOptions = Resolve & {
  action: PointerAction;
  /** Skip states and hit target, as Playwright's force. */
  force?: boolean;
  /** Log as a trial run and swallow every event while armed. */
  trial?: boolean;
  /** Relative to the padding box. */
  position?: Point;
  /** 'none' leaves scroll positions alone. */
  scroll?: 'auto' | 'none';
  /**
   * How "stable" is judged. 'frames': two animation frames with the same box, as Playwright. 'event' (default): no waiting when nothing
   * is animating; instead the box must be the same when the first mouse event arrives, or the event is swallowed and settle() answers
   * `missingState: stable`, after which the engine passes `stability: 'frames'`. Falls back to 'frames' where it cannot be judged so (hover, trial, force…).
   */
  stability?: 'frames' | 'event';
  /** check/uncheck: the wanted state. Already in it: `value.already` and nothing else is done. */
  checked?: boolean;
  /**
   * Do not check the hit target here (a parent frame is transformed, so points cannot be translated); only at the event.
   */
  skipHitCheck?: boolean;
};

export type PointerReady = {
  ref: number;
  /** Where to send the mouse, in this frame's viewport, rounded as Playwright rounds it. */
  point: Point;
  box: Box;
  attempt: number;
  /** Give it to settle() after the events; 0 when nothing is armed (force). */
  token: number;
  /** checked: nothing to do. `point` is absent then. */
  already?: boolean;
};

export type SettleOptions = {
  /** check/uncheck: verify the final state ("Clicking the checkbox did not change its state"). */
  checked?: boolean;
  /** PointerReady.ref and .attempt. */
  ref?: number;
  attempt?: number;
};

export type FillOptions = Resolve & { value: string; force?: boolean };

export type FillNext = {
  ref: number;
  /** What the engine still has to send: Input.insertText of `text`, the Delete key, or nothing. */
  next: 'insertText' | 'delete' | 'none';
  text?: string;
};

export type OptionMatch = { valueOrLabel?: string; value?: string; label?: string; index?: number };

export type FilePayload = {
  name: string;
  mimeType?: string;
  /** base64 */
  buffer: string;
  lastModified?: number;
};

export type ReadKind =
  | 'textContent'   // string | null
  | 'innerText'     // error "Node is not an HTMLElement"
  | 'innerHTML'
  | 'outerHTML'
  | 'inputValue'    // error "Node is not an <input>, <textarea> or <select> element"
  | 'attribute'     // arg = name; string | null
  | 'boundingBox'   // Box | null when it has no box
  | 'values'        // selected values of a <select>
  | 'role'
  | 'name'          // accessible name
  | 'description'   // accessible description
  | 'preview'       // "<div id=…>…</div>"
  | 'selector'      // the selector Playwright would suggest (locator.normalize, aka …)
  | ElementState;   // boolean, with Playwright's errors ("Not a checkbox or radio button", …)

export type AriaSnapshotOptions = Resolve & {
  /** 'ai' adds [ref=e1], [cursor=pointer], [active] and generic containers as Playwright's does. Default 'default'. */
  mode?: 'default' | 'ai';
  depth?: number;
  /** Prefix of refs, e.g. "f2". */
  refPrefix?: string;
  boxes?: boolean;
};

/** The program in the utility world (index.ts). */
export interface Inject {
  // ---- queries -------------------------------------------------------------------------------------------------

  /** Checks a selector's syntax and engine names. */
  check(selector: string): Reply<true>;

  /** First match. Remote object or null; throws selector and strict errors. */
  query(selector: string, strict: boolean, scope?: Node): Element | null;

  /** Remote array of all matches. */
  queryAll(selector: string, scope?: Node): Element[];

  /** Number of matches. */
  count(selector: string, scope?: Node): Reply<number>;

  /**
   * The frame element that a selector chunk before `internal:control=enter-frame` names. Remote object or null; throws
   * `Selector "…" resolved to <div>…</div>, <iframe> was expected`.
   */
  frameElement(selector: string, strict: boolean, scope?: Node): Element | null;

  /** Waits for the element and gives its ref. Log: "  locator resolved to <…>". */
  find(target: Target, options: Resolve, scope?: Node): Promise<Reply<{ ref: number }>>;

  /** The element of a ref. Remote object or null when it is gone. */
  element(ref: number): Element | null;

  /** A ref for a node, to name it in JSON. Weak: it does not keep the node. */
  refOf(node: Node): number;

  /**
   * Playwright's waitForSelector: polls until the state holds. `value.ref` is 0 for hidden and detached. Log: "  locator resolved to visible <…>".
   * With `scope`, error "Element is not attached to the DOM" once the scope is gone.
   */
  waitForSelector(selector: string, options: Resolve & { state?: 'attached' | 'detached' | 'visible' | 'hidden' }, scope?: Node): Promise<Reply<{ ref: number }>>;

  // ---- reads ---------------------------------------------------------------------------------------------------

  /**
   * One value of one element; waits for the element (not for any state of it). Log: "  locator resolved to <…>".
   * 'visible'/'hidden' never wait: no match is invisible.
   */
  read(target: Target, kind: ReadKind, options: Resolve & { arg?: string }, scope?: Node): Promise<Reply<unknown>>;

  /** One value of all matches, without waiting (allTextContents, allInnerTexts, …). */
  readAll(selector: string, kind: ReadKind, arg?: string, scope?: Node): Reply<unknown[]>;

  /** matches and received for one state. */
  state(target: Target, state: ElementState, options: Resolve, scope?: Node): Promise<Reply<StateResult>>;

  /** elementHandle.waitForElementState. */
  waitForState(target: Target, state: ElementState, options: Resolve): Promise<Reply<true>>;

  /** Snapshot of the accessibility tree as Playwright's YAML. */
  ariaSnapshot(target: Target, options: AriaSnapshotOptions): Promise<Reply<string>>;

  // ---- pointer actions ------------------------------------------------------------------------------------------

  /**
   * Everything before the mouse events of one pointer action: resolve, states, scroll, point, hit target, and arming the check that runs at the
   * first event. The engine then sends the events (they may be pipelined) and calls settle. One call when nothing has to be waited for.
   */
  pointer(target: Target, options: PointerOptions, scope?: Node): Promise<Reply<PointerReady>>;

  /**
   * After the events. `retry` (intercepted, missingState) means they were swallowed: call pointer again with `retry.ref` and `retry.attempt`.
   * A token of a document that is gone never gets here: the engine takes the lost context for done.
   */
  settle(token: number, options?: SettleOptions): Reply<true>;

  /**
   * For a frame element in a parent frame: where `point` of the child's viewport lies here, and whether the frame element receives events
   * there. `point: null` = a transform is in the way; the engine then passes skipHitCheck to pointer() and relies on the event check.
   */
  framePoint(frame: Exclude<Target, string>, point: Point): Reply<{ point: Point | null }>;

  /** Where the child's viewport starts in this one and how large it is; null when it has no box. */
  frameBox(frame: Exclude<Target, string>): Reply<(Box & { transformed: boolean }) | null>;

  /** Whether `target` receives events at the point; `retry: intercepted` otherwise. */
  hitTarget(target: Exclude<Target, string>, point: Point): Reply<true>;

  /** locator.scrollIntoViewIfNeeded: waits for stable, then scrolls. */
  scrollIntoView(target: Target, options: Resolve, scope?: Node): Promise<Reply<true>>;

  /** Dispatches dragenter, dragover and drop with files and data at a point (locator.drop). Error when dragover is not cancelled. */
  drop(target: Exclude<Target, string>, files: FilePayload[], data: { mimeType: string; value: string }[], point: Point): Reply<true>;

  // ---- other actions ----------------------------------------------------------------------------------------------

  /**
   * The whole of fill except the typing: states, value types that are set directly (with input and change events), selection and focus for the rest.
   */
  fill(target: Target, options: FillOptions, scope?: Node): Promise<Reply<FillNext>>;

  /** The whole of selectOption; value = the selected values. Remaining arguments: option elements (objectIds). */
  selectOptions(target: Target, matches: OptionMatch[], options: Resolve & { force?: boolean }, ...elements: Node[]): Promise<Reply<string[]>>;

  /** focus(); `resetSelection` puts the caret of a newly focused input at its start, as type and press do. */
  focus(target: Target, options: Resolve & { resetSelection?: boolean }, scope?: Node): Promise<Reply<{ ref: number }>>;
  blur(target: Target, options: Resolve, scope?: Node): Promise<Reply<true>>;
  selectText(target: Target, options: Resolve & { force?: boolean }, scope?: Node): Promise<Reply<true>>;

  /**
   * dispatchEvent with the event class of the type. Call it in the page's own world, where the handles in `init` (a DataTransfer) are and the page sees the event's `detail`.
   */
  dispatchEvent(target: Target, type: string, init: Wire, options: Resolve, ...handles: unknown[]): Promise<Reply<true>>;

  /** setInputFiles with buffers. */
  setInputFiles(target: Target, files: FilePayload[], options: Resolve, scope?: Node): Promise<Reply<true>>;

  /**
   * For files placed by the host: checks the target and resolves it ("Non-multiple file input can only accept single file", …). `count` files will come.
   */
  fileInput(target: Target, count: number, options: Resolve, scope?: Node): Promise<Reply<{ ref: number; multiple: boolean }>>;

  // ---- texts --------------------------------------------------------------------------------------------------------

  /** `<div id="a">…</div>`, `#text=…`: previews in JSHandle.toString and logs. */
  preview(node: Node): string;

  /** The JavaScript locator text of a selector. Go has its own for logs before any page exists; both pass testdata/aslocator.json. Never fails: returns the selector. */
  asLocator(selector: string): string;

  // ---- life -----------------------------------------------------------------------------------------------------------

  /** Stops the running call of that name. */
  abort(call: number): true;

  /** Screenshots: pink boxes over elements (page.screenshot mask), and their removal. */
  mask(elements: Element[] | string, color: string): Reply<true>;
  unmask(): true;

  /** The evaluator of this world (remote object), for handles that live here. */
  readonly evaluator: Evaluator;
}

/**
 * Values on the wire, both ways. JSON numbers, strings, booleans and null stand for themselves (-0 and non-finite numbers do not).
 * Everything else is an object with the key `$`:
 *   {$:"u"}                              undefined (also functions and symbols in results)
 *   {$:"n", v:"NaN"|"Infinity"|"-Infinity"|"-0"}
 *   {$:"b", v:"123"}                     BigInt
 *   {$:"d", v:"2020-…Z"|null}            Date (null: invalid)
 *   {$:"l", v:"https://…"}               URL
 *   {$:"r", v:source, f:flags}           RegExp
 *   {$:"e", n:name, m:message, s:stack}  Error
 *   {$:"t", k:kind, v:base64}            typed array; kind i8 ui8 ui8c i16 ui16 i32 ui32 f32 f64 bi64 bui64
 *   {$:"x", v:base64}                    ArrayBuffer
 *   {$:"a", v:[…], id?}                  array
 *   {$:"o", k:[names], v:[values], id?}  object, in property order
 *   {$:"c", v:id}                        the array or object of that id again (cycles, shared values); `id` is only there when something refers to it
 *   {$:"h", v:index}                     arguments only: the index-th handle passed after the wire value
 * Map and Set become {$:"o"} without properties, as Playwright's do; Window, Document and Node become the strings "ref: <Window>", "ref: <Document>", "ref: <Node>".
 */
export type Wire =
  | null | boolean | number | string
  | { $: 'u' } | { $: 'n'; v: string } | { $: 'b'; v: string } | { $: 'd'; v: string | null } | { $: 'l'; v: string }
  | { $: 'r'; v: string; f: string } | { $: 'e'; n: string; m: string; s: string }
  | { $: 't'; k: string; v: string } | { $: 'x'; v: string }
  | { $: 'a'; v: Wire[]; id?: number } | { $: 'o'; k: string[]; v: Wire[]; id?: number }
  | { $: 'c'; v: number } | { $: 'h'; v: number };

/**
 * A function or an expression of the page code. Functions travel inside the functionDeclaration, never through eval, so that a page's CSP and
 * Trusted Types cannot refuse them: declaration `function(...a){return this.evaluate((SOURCE),...a)}`.
 * A string is evaluated as a script (completion value), as Playwright does for page.evaluate('1 + 1'); if it gives a function, that is called.
 */
export type Code = Function | string;

export interface Evaluator {
  /** Calls the code with the decoded arguments and encodes what it (or its promise) gives. Exceptions are the page code's own. */
  evaluate(code: Code, args: Wire[], ...handles: unknown[]): Promise<Wire> | Wire;

  /** The same, result left in the page: a remote object (awaitPromise settles promises). */
  evaluateHandle(code: Code, args: Wire[], ...handles: unknown[]): unknown;

  /** Encodes a value: jsHandle.jsonValue. */
  encode(value: unknown): Wire;

  /** Decodes arguments: a remote object. */
  decode(value: Wire, ...handles: unknown[]): unknown;

  /**
   * waitForFunction: calls the code until it gives a truthy value. `polling` in milliseconds, absent = every animation frame.
   * `timeout`, `call` as Wait. A remote object `{value}` when truthy; null when the time is over or it was aborted.
   */
  waitForFunction(code: Code, args: Wire[], options: Wait & { polling?: number }, ...handles: unknown[]): Promise<{ value: unknown } | null>;

  /** Stops waitForFunction. */
  abort(call: number): true;
}

/**
 * In the main world, index.ts offers these besides Inject: page code with an element found by selector, in one call.
 */
export interface MainWorld extends Inject {
  /** locator.evaluate, page.$eval: waits for the element. `retry` as everywhere. `value` is a Wire. Page code's exceptions are thrown. */
  evaluateOn(code: Code, target: Target, args: Wire[], options: Resolve, scope?: Node | null, ...handles: unknown[]): Promise<Reply<Wire>>;
  /** locator.evaluateHandle, after find(): the result as a remote object. */
  evaluateHandleOn(code: Code, ref: number, args: Wire[], ...handles: unknown[]): unknown;
  /** locator.evaluateAll, page.$$eval: no waiting. */
  evaluateAll(code: Code, selector: string, args: Wire[], scope?: Node | null, ...handles: unknown[]): Promise<Wire>;
  /** locator.waitForFunction: calls the code with the element until truthy. */
  waitForFunctionOn(code: Code, target: string, args: Wire[], options: Resolve, scope?: Node | null, ...handles: unknown[]): Promise<Reply<true>>;
}

/**
 * ## asLocator, for the Go port (vectors: testdata/aslocator.json, {"selector": "locator"})
 * Parts of the selector (split at `>>` outside quotes) are joined with "."; on any parse failure the selector itself is the answer.
 *   internal:describe="text" last     -> only asLocatorDescription uses it (the text itself); otherwise skipped
 *   nth=0 first()   nth=-1 last()   nth=N nth(N)
 *   visible=true|false                -> filter({ visible: true|false })
 *   internal:text=X                   -> getByText(X)            internal:label=X -> getByLabel(X)
 *   internal:attr=[placeholder|alt|title=X] -> getByPlaceholder|getByAltText|getByTitle(X)
 *       X is 'text', or 'text', { exact: true } (suffix s or none), or /re/flags with needless backslashes before quotes removed
 *   internal:testid=[attr=X]          -> getByTestId('x') or getByTestId(/re/)
 *   internal:role=R[a=v]…             -> getByRole('R', { name: X, description: X, exact: true, others in selector order }); include-hidden -> includeHidden
 *   internal:has-text="x"i|/re/       -> filter({ hasText: X });  after a locator(...) part the same: locator('div').filter({ hasText: X })
 *   internal:has-not-text             -> filter({ hasNotText: X })
 *       exact ("x"s or "x") has no locator form: locator('internal:has-text="x"s')
 *   internal:has="sel" | has-not      -> filter({ has: L }) | filter({ hasNot: L }),  L = asLocator(sel)
 *   internal:and | or | chain         -> and(L) | or(L) | locator(L)
 *   internal:control=enter-frame      -> .contentFrame() after the part before it
 *   css, and xpath starting with // or .. -> locator('body of the part'); any other engine -> locator('engine=body')
 * Strings are single-quoted: JSON escapes, but " stays bare and ' is escaped.
 */
export type AsLocatorRules = never;
