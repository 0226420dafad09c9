// Programs run through effect 3.22.4 and through ours; both must end the same way. The recorded ends of effect are in
// effect_ends.json.

export function programs({ Effect: E, Either, Option, Data, Exit, Cause, Context, pipe, flow, Schema }) {
  class Broken extends Data.TaggedError("Broken") {}
  class Odd extends Data.TaggedError("Odd") {}
  class Db extends Context.Tag("Db")() {}
  const seen = [];
  const note = (value) => E.sync(() => void seen.push(value));
  const take = () => seen.splice(0).join(",");
  const later = (value) => E.promise(async () => value);
  return {
    succeed: () => E.succeed(1),
    fail: () => E.fail("no"),
    "fail with an error": () => E.fail(new Broken({ message: "it broke", n: 1 })),
    die: () => E.die(new Error("bug")),
    sync: () => E.sync(() => 2),
    "sync that throws": () => E.sync(() => { throw new Error("bug"); }),
    suspend: () => E.suspend(() => E.succeed(3)),
    promise: () => later(4),
    "promise that rejects": () => E.promise(async () => { throw new Error("bug"); }),
    tryPromise: () => E.tryPromise(async () => { throw new Error("down"); }),
    "tryPromise caught": () => E.tryPromise({ try: async () => { throw new Error("down"); }, catch: (e) => new Broken({ message: e.message }) }),
    try: () => E.try(() => { throw new Error("bad"); }),
    "try caught": () => E.try({ try: () => JSON.parse("{"), catch: () => "not JSON" }),
    gen: () => E.gen(function* () { const a = yield* E.succeed(1); const b = yield* later(2); return a + b; }),
    "gen that fails": () => E.gen(function* () { yield* E.fail("stop"); return 1; }),
    "gen yields an error": () => E.gen(function* () { yield* new Broken({ message: "mine" }); return 1; }),
    "gen yields Either and Option": () => E.gen(function* () { const a = yield* Either.right(1); const b = yield* Option.some(2); return a + b; }),
    "gen yields none": () => E.gen(function* () { return yield* Option.none(); }),
    "gen yields left": () => E.gen(function* () { return yield* Either.left("l"); }),
    "gen that throws": () => E.gen(function* () { throw new Error("inside"); }),
    "gen with this": () => E.gen({ n: 5 }, function* () { return this.n; }),
    map: () => E.succeed(1).pipe(E.map((n) => n + 1)),
    flatMap: () => pipe(E.succeed(1), E.flatMap((n) => E.succeed(n + 1))),
    "map data first": () => E.map(E.succeed(1), (n) => n * 10),
    andThen: () => E.succeed(1).pipe(E.andThen((n) => n + 1), E.andThen(E.succeed(9))),
    "andThen promise": () => E.succeed(1).pipe(E.andThen(async (n) => n + 1)),
    tap: () => E.succeed(1).pipe(E.tap(() => E.succeed(2))),
    "tap that fails": () => E.succeed(1).pipe(E.tap(() => E.fail("t"))),
    as: () => E.succeed(1).pipe(E.as("x")),
    asVoid: () => E.succeed(1).pipe(E.asVoid),
    zip: () => E.zip(E.succeed(1), E.succeed(2)),
    zipRight: () => E.succeed(1).pipe(E.zipRight(E.succeed(2))),
    zipWith: () => E.zipWith(E.succeed(1), E.succeed(2), (a, b) => a + b),
    catchAll: () => E.fail("x").pipe(E.catchAll((e) => E.succeed(`was ${e}`))),
    "catchAll passes defects": () => E.die("d").pipe(E.catchAll(() => E.succeed(1))),
    catchTag: () => E.fail(new Broken({ n: 7 })).pipe(E.catchTag("Broken", (e) => E.succeed(e.n))),
    "catchTag of another": () => E.fail(new Broken({ n: 7 })).pipe(E.catchTag("Odd", () => E.succeed(1))),
    catchTags: () => E.fail(new Odd()).pipe(E.catchTags({ Broken: () => E.succeed(1), Odd: () => E.succeed(2) })),
    catchIf: () => E.fail(3).pipe(E.catchIf((n) => n === 3, () => E.succeed("three"))),
    catchSome: () => E.fail(3).pipe(E.catchSome((n) => (n === 3 ? Option.some(E.succeed("t")) : Option.none()))),
    catchAllCause: () => E.die("d").pipe(E.catchAllCause((c) => E.succeed(Cause.isDie(c)))),
    catchAllDefect: () => E.die("d").pipe(E.catchAllDefect((d) => E.succeed(d))),
    mapError: () => E.fail(1).pipe(E.mapError((n) => n + 1)),
    mapBoth: () => E.fail(1).pipe(E.mapBoth({ onFailure: (n) => -n, onSuccess: (n) => n })),
    orElse: () => E.fail(1).pipe(E.orElse(() => E.succeed("else"))),
    orElseSucceed: () => E.fail(1).pipe(E.orElseSucceed(() => 0)),
    orDie: () => E.fail("x").pipe(E.orDie),
    either: () => E.fail("x").pipe(E.either),
    "either of success": () => E.succeed("x").pipe(E.either),
    option: () => E.fail("x").pipe(E.option),
    exit: () => E.fail("x").pipe(E.exit, E.map(Exit.isFailure)),
    flip: () => E.fail("x").pipe(E.flip),
    "flip of success": () => E.succeed("x").pipe(E.flip),
    match: () => E.fail("x").pipe(E.match({ onFailure: (e) => `f${e}`, onSuccess: (v) => `s${v}` })),
    matchEffect: () => E.succeed("x").pipe(E.matchEffect({ onFailure: () => E.succeed("f"), onSuccess: (v) => E.fail(v) })),
    merge: () => E.fail("x").pipe(E.merge),
    ignore: () => E.fail("x").pipe(E.ignore),
    tapError: () => E.gen(function* () { const r = yield* E.fail("x").pipe(E.tapError((e) => note(e)), E.either); return [take(), r]; }),
    filterOrFail: () => E.succeed(1).pipe(E.filterOrFail((n) => n > 1, () => "small")),
    ensuring: () => E.gen(function* () { const r = yield* E.fail("x").pipe(E.ensuring(note("closed")), E.either); return [take(), r]; }),
    onExit: () => E.gen(function* () { yield* E.succeed(1).pipe(E.onExit((e) => note(Exit.isSuccess(e)))); return take(); }),
    acquireUseRelease: () => E.gen(function* () {
      const r = yield* E.acquireUseRelease(note("open"), () => E.fail("used"), () => note("released")).pipe(E.either);
      return [take(), r];
    }),
    scoped: () => E.gen(function* () {
      const r = yield* E.scoped(E.gen(function* () {
        const one = yield* E.acquireRelease(E.succeed("a"), (it) => note(`close ${it}`));
        const two = yield* E.acquireRelease(E.succeed("b"), (it) => note(`close ${it}`));
        return one + two;
      }));
      return [take(), r];
    }),
    service: () => E.gen(function* () { const db = yield* Db; return db.name; }).pipe(E.provideService(Db, { name: "pg" })),
    "service missing": () => E.gen(function* () { return (yield* Db).name; }),
    serviceOption: () => E.serviceOption(Db).pipe(E.map(Option.isNone)),
    "provide context": () => E.gen(function* () { return (yield* Db).name; }).pipe(E.provide(Context.make(Db, { name: "c" }))),
    forEach: () => E.forEach([1, 2, 3], (n, i) => E.succeed(n * i)),
    "forEach pipe": () => pipe([1, 2], E.forEach((n) => later(n + 1))),
    "forEach discard": () => E.forEach([1], (n) => E.succeed(n), { discard: true }),
    "forEach beside": () => E.forEach([30, 1, 10], (ms, i) => E.delay(E.succeed(i), ms), { concurrency: "unbounded" }),
    "forEach two at a time": () => E.forEach([1, 2, 3, 4], (n) => later(n * 2), { concurrency: 2 }),
    "forEach fails": () => E.forEach([1, 2, 3], (n) => (n === 2 ? E.fail("two") : E.succeed(n))),
    "forEach beside fails": () => E.forEach([1, 2, 3], (n) => (n === 2 ? E.fail("two") : E.never), { concurrency: 3 }),
    all: () => E.all([E.succeed(1), later(2)]),
    "all of a record": () => E.all({ a: E.succeed(1), b: E.succeed("x") }),
    "all beside": () => E.all([later(1), later(2)], { concurrency: 2 }),
    "all either": () => E.all([E.succeed(1), E.fail("x")], { mode: "either" }),
    filter: () => E.filter([1, 2, 3], (n) => E.succeed(n !== 2)),
    reduce: () => E.reduce([1, 2, 3], 10, (sum, n) => E.succeed(sum + n)),
    loop: () => E.loop(0, { while: (n) => n < 3, step: (n) => n + 1, body: (n) => E.succeed(n * n) }),
    iterate: () => E.iterate(1, { while: (n) => n < 100, body: (n) => E.succeed(n * 3) }),
    race: () => E.race(E.delay(E.succeed("slow"), 1000), E.succeed("quick")),
    "race of failures": () => E.race(E.fail("a"), E.delay(E.succeed("b"), 1)),
    timeout: () => E.never.pipe(E.timeout(5), E.catchTag("TimeoutException", () => E.succeed("late"))),
    timeoutFail: () => E.never.pipe(E.timeoutFail({ duration: "5 millis", onTimeout: () => "late" })),
    timeoutOption: () => E.never.pipe(E.timeoutOption(5), E.map(Option.isNone)),
    "timeout in time": () => later(1).pipe(E.timeout("1 second")),
    "timeout closes": () => E.gen(function* () {
      const r = yield* E.never.pipe(E.ensuring(note("closed")), E.timeoutOption(5));
      return [take(), Option.isNone(r)];
    }),
    retry: () => { let n = 0; return E.suspend(() => (++n < 3 ? E.fail(n) : E.succeed(n))).pipe(E.retry({ times: 5 })); },
    "retry runs out": () => { let n = 0; return E.suspend(() => E.fail(++n)).pipe(E.retry({ times: 2 })); },
    "retry while": () => { let n = 0; return E.suspend(() => E.fail(++n)).pipe(E.retry({ while: (e) => e < 4 })); },
    repeat: () => { let n = 0; return E.sync(() => ++n).pipe(E.repeat({ times: 2 })); },
    when: () => E.succeed(1).pipe(E.when(() => false), E.map(Option.isNone)),
    unless: () => E.succeed(1).pipe(E.unless(() => false), E.map(Option.getOrThrow)),
    if: () => E.if(true, { onTrue: () => E.succeed("t"), onFalse: () => E.succeed("f") }),
    fn: () => { const f = E.fn(function* (n) { return (yield* E.succeed(n)) + 1; }); return f(4); },
    "deep recursion": () => { const down = (n) => (n === 0 ? E.succeed("bottom") : E.suspend(() => down(n - 1))); return down(20000); },
    "long loop": () => E.gen(function* () { let sum = 0; for (let i = 0; i < 5000; i++) sum += yield* E.succeed(i); return sum; }),
    flow: () => flow((n) => n + 1, (n) => E.succeed(n))(1),
    "Schema decode": () => Schema.decodeUnknown(Schema.NumberFromString)("12"),
    "Schema decode fails": () => Schema.decodeUnknown(Schema.Number)("x").pipe(E.mapError((e) => `${e._tag}: ${e.message}`)),
    "Either gen": () => E.succeed(Either.getOrElse(Either.gen(function* () { return (yield* Either.right(1)) + 1; }), () => 0)),
    "Option chain": () => E.succeed(Option.some(2).pipe(Option.map((n) => n * 2), Option.filter((n) => n > 3), Option.getOrElse(() => 0))),
  };
}

export async function ends(effect) {
  const { Effect, Cause, Either, Option } = effect;
  const shown = (value) => {
    if (value === undefined) return "undefined";
    if (value instanceof Error) return { error: value.name, message: value.message, ...(value._tag ? { tag: value._tag } : {}) };
    if (Either.isEither(value)) return Either.isRight(value) ? { right: shown(value.right) } : { left: shown(value.left) };
    if (Option.isOption(value)) return Option.isSome(value) ? { some: shown(value.value) } : "none";
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shown(v)]));
    return value;
  };
  const out = {};
  for (const [name, make] of Object.entries(programs(effect))) {
    const exit = await Effect.runPromiseExit(make());
    if (exit._tag === "Success") out[name] = { success: shown(exit.value) };
    else {
      const told = Cause.squash(exit.cause);
      const kind = Cause.isFailure(exit.cause) ? "fail" : Cause.isDie(exit.cause) ? "die" : "interrupt";
      // What a missing service is called is effect's own business.
      out[name] = { [kind]: name === "service missing" ? true : shown(told) };
    }
  }
  return out;
}
