// Schemas and values that are run through effect 3.22.4 and through the builder of this package; both must say the same.
// Each case: [name, schema, values to decode, values to encode]. The recorded answers of effect are in effect_expected.json.

export function cases({ Schema: S, Option, Either }) {
  const thrown = (f) => {
    try {
      return f();
    } catch (error) {
      return { broken: error.message };
    }
  };
  const Tree = S.Struct({ name: S.String, sub: S.Array(S.suspend(() => Tree)) }).annotations({ identifier: "Tree" });
  const Loop = S.Struct({ next: S.NullOr(S.suspend(() => Loop)) });
  class Person extends S.Class("Person")({ name: S.NonEmptyString, age: S.optional(S.Int) }) {}
  class Dog extends S.TaggedClass()("Dog", { name: S.String }) {}
  const values = [undefined, null, 0, 1, -1, 1.5, "", "a", "1", true, [], ["a"], [1, 2, 3, 4], {}, { a: "x" }, { a: "x", b: 2, c: null }];
  const all = (options) => [...values].map((value) => ({ value, options }));
  const text = ["", "a", " a ", "abc", "abcdef", "ABC", "a1", 3, null];
  const numbers = [0, 1, 2, 3, 1.5, -4, NaN, Infinity, "1", null];

  const list = [
    // keywords
    ["String", S.String, values], ["Number", S.Number, values], ["Boolean", S.Boolean, values], ["Unknown", S.Unknown, values],
    ["Any", S.Any, [1]], ["Never", S.Never, values], ["Undefined", S.Undefined, values], ["Null", S.Null, values], ["Void", S.Void, [1]],
    ["Object", S.Object, values], ["BigIntFromSelf", S.BigIntFromSelf, [1]], ["SymbolFromSelf", S.SymbolFromSelf, ["a"]],
    // strings
    ["NonEmptyString", S.NonEmptyString, text],
    ["NonEmptyString described", S.NonEmptyString.annotations({ description: "d", examples: ["x"] }), text],
    ["NonEmptyString identifier kept by hand", S.NonEmptyString.annotations({ identifier: "Name", title: "t" }), [""]],
    ["minLength", S.String.pipe(S.minLength(2)), text], ["maxLength", S.String.pipe(S.maxLength(3)), text],
    ["minLength maxLength", S.String.pipe(S.minLength(1), S.maxLength(20)), text],
    ["minLength twice", S.String.pipe(S.minLength(5), S.minLength(2)), text],
    ["minLength narrower", S.String.pipe(S.minLength(2), S.minLength(5)), text],
    ["length", S.String.pipe(S.length(3)), text], ["length range", S.String.pipe(S.length({ min: 1, max: 3 })), text],
    ["pattern", S.String.pipe(S.pattern(/^\d+$/u)), ["12", "x", 3]],
    ["pattern twice", S.String.pipe(S.pattern(/^a/), S.pattern(/b$/)), ["ab", "a", "b"]],
    ["pattern described", S.String.pipe(S.pattern(/^[A-Z]\d{2}$/)).annotations({ description: "Plot to release", examples: ["B07"] }), ["B07", "b"]],
    ["pattern with its own words", S.String.pipe(S.pattern(/^x$/, { message: () => "say x", identifier: "X" })), ["y", 1]],
    ["pattern global", S.String.pipe(S.pattern(/a/g)), ["a", "a", "ba"]],
    ["startsWith", S.String.pipe(S.startsWith("ab")), text], ["endsWith", S.String.pipe(S.endsWith("b.")), text],
    ["includes", S.String.pipe(S.includes("c")), text],
    ["starts ends includes", S.String.pipe(S.startsWith("a"), S.endsWith("c"), S.includes("b")), text],
    ["trimmed", S.String.pipe(S.trimmed()), text], ["lowercased", S.Lowercased, text], ["uppercased", S.Uppercased, text],
    ["capitalized", S.Capitalized, text], ["uncapitalized", S.Uncapitalized, text],
    ["Char", S.Char, text], ["UUID", S.UUID, ["123e4567-e89b-12d3-a456-426614174000", "x"]], ["ULID", S.ULID, ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "x"]],
    ["NonEmptyTrimmedString", S.NonEmptyTrimmedString, text],
    ["FileInput shape", S.String.pipe(S.minLength(1), S.maxLength(5)).annotations({ title: "File", description: "d", jsonSchema: { format: "file" } }), text],
    // numbers
    ["Int", S.Int, numbers], ["Int between", S.Int.pipe(S.between(1, 50)).annotations({ description: "lim" }), numbers],
    ["Int nonNegative", S.Int.pipe(S.nonNegative()), numbers], ["NonNegativeInt", S.NonNegativeInt, numbers],
    ["int filter", S.Number.pipe(S.int()), numbers], ["Positive", S.Positive, numbers], ["Negative", S.Negative, numbers],
    ["NonNegative", S.NonNegative, numbers], ["NonPositive", S.NonPositive, numbers], ["Finite", S.Finite, numbers],
    ["JsonNumber", S.JsonNumber, numbers], ["NonNaN", S.NonNaN, numbers],
    ["greaterThan", S.Number.pipe(S.greaterThan(1)), numbers], ["greaterThanOrEqualTo", S.Number.pipe(S.greaterThanOrEqualTo(2)), numbers],
    ["lessThan", S.Number.pipe(S.lessThan(1)), numbers], ["lessThanOrEqualTo", S.Number.pipe(S.lessThanOrEqualTo(1)), numbers],
    ["multipleOf", S.Number.pipe(S.multipleOf(0.5)), numbers], ["between twice", S.Number.pipe(S.between(0, 10), S.between(2, 5)), numbers],
    ["clamp", S.Number.pipe(S.clamp(1, 2)), numbers, [1, 5]],
    ["Uint8", S.Uint8, numbers],
    // literals
    ["Literal two", S.Literal("a", "b"), values], ["Literal null", S.Literal(null), values], ["Literal true", S.Literal(true), values],
    ["Literal mixed", S.Literal("a", 1, true, null), values], ["Literal none", S.Literal(), values],
    ["Literal described", S.Literal("deck", "cabin").annotations({ description: "Class of ticket" }), ["deck", "x"]],
    ["pickLiteral", S.Literal("a", "b", "c").pipe(S.pickLiteral("a", "c")), ["a", "b"]],
    ["Enums", S.Enums({ A: "a", B: 1 }), values],
    ["TemplateLiteral", S.TemplateLiteral("a", S.String, "-", S.Number), ["ab-1", "ab-", "b-1", 1]],
    ["TemplateLiteral union", S.TemplateLiteral(S.Literal("x", "y"), ".z"), ["x.z", "w.z"]],
    // structs
    ["Struct empty", S.Struct({}), values], ["Struct empty described", S.Struct({}).annotations({ description: "Nothing" }), [1]],
    ["Struct", S.Struct({ a: S.String, b: S.optional(S.Number), c: S.NullOr(S.Boolean) }), [...values, { a: "x", b: undefined, c: true, d: 1 }, { a: 1, b: "x" }]],
    ["Struct nested", S.Struct({ a: S.Struct({ b: S.Struct({ c: S.Int }) }) }), [{ a: { b: { c: 1 } } }, { a: { b: { c: "x" } } }, { a: { b: {} } }, { a: 1 }]],
    ["Struct odd keys", S.Struct({ "odd key": S.String, 7: S.Number }), [{ "odd key": 1, 7: 1 }, {}]],
    ["Struct jsonSchema", S.Struct({ a: S.String }).annotations({ jsonSchema: { format: "file" } }), [{}]],
    ["Struct titled", S.Struct({ a: S.String }).annotations({ title: "T", description: "D" }), [{}, 1]],
    ["Struct identifier", S.Struct({ a: S.String }).annotations({ identifier: "Thing" }), [{}, { a: 1 }]],
    ["Struct undefined field", S.Struct({ a: S.Undefined, b: S.UndefinedOr(S.String) }), [{}, { a: 1 }, { a: undefined, b: "x" }]],
    ["Struct default annotation", S.Struct({ a: S.String.annotations({ default: "x" }) }), [{}]],
    ["Struct field annotations", S.Struct({ a: S.propertySignature(S.NonEmptyString).annotations({ description: "here", title: "A" }), b: S.optional(S.Int).annotations({ description: "there" }) }), [{}, { a: "x" }]],
    ["Struct missing message", S.Struct({ a: S.propertySignature(S.String).annotations({ missingMessage: () => "we need a" }) }), [{}]],
    ["Struct with records", S.Struct({ a: S.String }, S.Record({ key: S.String, value: S.Unknown })), [{ a: "x", b: 1 }, { b: 1 }]],
    ["Struct pick", S.Struct({ a: S.String, b: S.Number }).pick("a"), [{ a: "x", b: 1 }]],
    ["Struct omit", S.Struct({ a: S.String, b: S.Number }).omit("a"), [{ a: "x", b: 1 }]],
    ["Struct spread", S.Struct({ ...S.Struct({ a: S.String, b: S.optional(S.Int) }).fields, c: S.Boolean }), [{ a: "x", c: true }, {}]],
    ["pick function", S.Struct({ a: S.String, b: S.NumberFromString }).pipe(S.pick("b")), [{ b: "1" }, {}]],
    ["omit function", S.Struct({ a: S.String, b: S.NumberFromString }).pipe(S.omit("b")), [{ a: "1" }, {}]],
    ["partial", S.partial(S.Struct({ a: S.String, b: S.NullOr(S.Int) })), [{}, { a: undefined }, { a: 1 }]],
    ["partialWith exact", S.partialWith(S.Struct({ a: S.String }), { exact: true }), [{}, { a: undefined }]],
    ["required", S.required(S.partial(S.Struct({ a: S.String }))), [{}, { a: "x" }]],
    ["mutable", S.mutable(S.Struct({ a: S.String })), [{}, { a: "x" }]],
    ["extend", S.extend(S.Struct({ a: S.String }), S.Struct({ b: S.optional(S.Number) })), [{ a: "x" }, { b: "x" }]],
    ["extend shared", S.extend(S.Struct({ a: S.Struct({ x: S.String }) }), S.Struct({ a: S.Struct({ y: S.Number }) })), [{ a: { x: "q", y: 1 } }, { a: {} }]],
    ["extend union", S.extend(S.Union(S.Struct({ a: S.String }), S.Struct({ b: S.String })), S.Struct({ c: S.Int })), [{ a: "x", c: 1 }, { b: "y" }]],
    ["extend record", S.extend(S.Struct({ a: S.String }), S.Record({ key: S.String, value: S.String })), [{ a: "x", q: "y" }, { a: "x", q: 1 }]],
    ["rename", S.Struct({ a: S.NumberFromString, b: S.String }).pipe(S.rename({ a: "c" })), [{ a: "1", b: "x" }, { a: "q" }], [{ c: 1, b: "x" }]],
    ["keyof", S.keyof(S.Struct({ a: S.String, b: S.Number })), ["a", "c"]],
    ["pluck", S.Struct({ a: S.NumberFromString }).pipe(S.pluck("a")), [{ a: "1" }, { a: "x" }], [1]],
    ["TaggedStruct", S.TaggedStruct("T", { a: S.String }), [{ _tag: "T", a: "x" }, { a: "x" }, { _tag: "U", a: "x" }]],
    ["attachPropertySignature", S.Struct({ a: S.String }).pipe(S.attachPropertySignature("kind", "k")), [{ a: "x" }], [{ a: "x", kind: "k" }]],
    // optional with
    ["optional", S.Struct({ a: S.optional(S.String) }), [{}, { a: undefined }, { a: "x" }, { a: 1 }, { a: null }]],
    ["optionalWith exact", S.Struct({ a: S.optionalWith(S.String, { exact: true }) }), [{}, { a: undefined }, { a: "x" }]],
    ["optionalWith default", S.Struct({ a: S.optionalWith(S.Int, { default: () => 20 }), b: S.String }), [{ b: "x" }, { a: 3, b: "x" }, { a: "q", b: "x" }, { a: undefined, b: "x" }, {}], [{ a: 1, b: "x" }]],
    ["optionalWith default described", S.Struct({ a: S.optionalWith(S.NonEmptyString.annotations({ description: "d", examples: ["e"] }), { default: () => "x" }) }), [{}]],
    ["optionalWith default annotated", S.Struct({ a: S.optionalWith(S.String, { default: () => "x" }).annotations({ description: "from outside" }) }), [{}]],
    ["optionalWith default exact", S.Struct({ a: S.optionalWith(S.Int, { default: () => 20, exact: true }) }), [{}, { a: undefined }, { a: 3 }]],
    ["optionalWith default nullable", S.Struct({ a: S.optionalWith(S.Int, { default: () => 20, nullable: true }) }), [{}, { a: null }, { a: undefined }, { a: 3 }]],
    ["optionalWith nullable", S.Struct({ a: S.optionalWith(S.Int, { nullable: true }) }), [{}, { a: null }, { a: undefined }, { a: 3 }, { a: "x" }]],
    ["optionalWith nullable exact", S.Struct({ a: S.optionalWith(S.Int, { nullable: true, exact: true }) }), [{}, { a: null }, { a: undefined }]],
    ["optionalWith as Option", S.Struct({ a: S.optionalWith(S.Int, { as: "Option" }) }), [{}, { a: 1 }, { a: undefined }, { a: "x" }], [{ a: Option.none() }, { a: Option.some(2) }]],
    ["withDecodingDefault", S.Struct({ a: S.optional(S.Int).pipe(S.withDecodingDefault(() => 7)) }), [{}, { a: undefined }, { a: 3 }, { a: "x" }]],
    ["withConstructorDefault", S.Struct({ a: S.propertySignature(S.Int).pipe(S.withConstructorDefault(() => 7)) }), [{}, { a: 3 }]],
    ["fromKey", S.Struct({ a: S.propertySignature(S.NumberFromString).pipe(S.fromKey("b")) }), [{ b: "1" }, {}, { a: 1 }], [{ a: 3 }]],
    // unions
    ["Union", S.Union(S.String, S.Number), values], ["Union one", S.Union(S.String), [1]], ["Union none", S.Union(), [1]],
    ["NullOr", S.NullOr(S.String), values], ["NullishOr", S.NullishOr(S.Number), values], ["UndefinedOr", S.UndefinedOr(S.String), values],
    ["NullOr described", S.NullOr(S.Int.pipe(S.nonNegative())).annotations({ description: "count" }), numbers],
    ["NullOr literal", S.NullOr(S.Literal("a")), values],
    ["Union structs", S.Union(S.Struct({ a: S.String }), S.Struct({ b: S.Number })), [{ a: "x" }, { b: 1 }, {}, 1, null, { a: 1, b: "x" }]],
    ["Union tagged", S.Union(S.Struct({ status: S.Literal("sent"), n: S.Int }), S.Struct({ status: S.Literal("refused"), reason: S.Literal("x", "y") })), [{ status: "sent", n: 1 }, { status: "sent" }, { status: "refused", reason: "z" }, { status: "other" }, {}, 3, null, []]],
    ["Union tagged and plain", S.Union(S.Struct({ kind: S.Literal("a"), n: S.Int }), S.String, S.Struct({ q: S.String })), [{ kind: "a" }, { kind: "b" }, "x", 1, { q: 1 }]],
    ["Union same tag", S.Union(S.Struct({ k: S.Literal("a"), n: S.Int }), S.Struct({ k: S.Literal("a"), s: S.String })), [{ k: "a", n: 1 }, { k: "a", s: "x" }, { k: "a" }, { k: "b" }]],
    ["Union two keys", S.Union(S.Struct({ a: S.Literal("1"), b: S.Literal("1") }), S.Struct({ a: S.Literal("1"), b: S.Literal("2") })), [{ a: "1", b: "2" }, { a: "1", b: "3" }, { a: "2" }]],
    ["Union tuples", S.Union(S.Tuple(S.Literal("a"), S.Int), S.Tuple(S.Literal("b"), S.String)), [["a", 1], ["b", 1], ["c"]]],
    ["Union literals compact", S.Union(S.Literal("a"), S.Literal("b"), S.Literal(1), S.String), ["c", 2]],
    ["Union with unknown", S.Union(S.String, S.Unknown), [1]],
    ["Union nested", S.Union(S.Union(S.String, S.Number), S.Boolean), [null]],
    ["Union filtered members", S.Union(S.NonEmptyString, S.Int), ["", 1.5, null]],
    ["Union described", S.Union(S.String, S.Number).annotations({ description: "either", title: "E" }), [null]],
    // lists
    ["Array", S.Array(S.String), [[], ["a"], [1, "a", 2], "a", {}]], ["Array union", S.Array(S.Union(S.String, S.Int)), [[null]]],
    ["Array bounds", S.Array(S.String).pipe(S.minItems(1), S.maxItems(3)), [[], ["a"], ["a", "b", "c", "d"], [1, 2, 3, 4]]],
    ["itemsCount", S.Array(S.Int).pipe(S.itemsCount(2)), [[1], [1, 2], [1, "x", 3]]],
    ["NonEmptyArray", S.NonEmptyArray(S.Int), [[], [1], [1, "x"]]],
    ["Array unique", S.Array(S.String).annotations({ jsonSchema: { uniqueItems: true } }), [["a"]]],
    ["Array described", S.Array(S.Struct({ a: S.Int })).annotations({ description: "rows" }), [[{ a: 1, b: 2 }], [{ a: "x" }, {}]]],
    ["Tuple", S.Tuple(S.String, S.Number), [["a", 1], ["a"], ["a", "b"], ["a", 1, 2], [], "x"]],
    ["Tuple rest", S.Tuple([S.String], S.Number), [["a"], ["a", 1, 2], ["a", "b"], []]],
    ["Tuple optional", S.Tuple(S.String, S.optionalElement(S.Number)), [["a"], ["a", 1], ["a", "x"]]],
    ["Tuple empty", S.Tuple(), [[], [1]]],
    ["Tuple annotated", S.Tuple(S.element(S.String).annotations({ description: "first" }), S.Number), [["a", 1]]],
    // records
    ["Record", S.Record({ key: S.String, value: S.Number }), [{}, { a: 1 }, { a: "x", b: "y" }, 1, []]],
    ["Record patterned", S.Record({ key: S.String.pipe(S.pattern(/^[a-z]+$/)), value: S.Number }), [{ a: 1 }, { A: 1 }, { a: "x" }]],
    ["Record literal keys", S.Record({ key: S.Literal("a", "b"), value: S.Int }), [{ a: 1, b: 2 }, { a: 1 }]],
    ["Record template", S.Record({ key: S.TemplateLiteral("x-", S.String), value: S.Int }), [{ "x-a": 1 }, { "x-a": "q" }, { y: 1 }]],
    ["Record described", S.Record({ key: S.String, value: S.NonEmptyString.annotations({ description: "v" }) }).annotations({ description: "map" }), [{ a: "" }]],
    ["Record optional values", S.Record({ key: S.String, value: S.UndefinedOr(S.String) }), [{ a: undefined }]],
    // filters
    ["filter", S.String.pipe(S.filter((s) => s.length > 1)), ["a", "ab", 1]],
    ["filter message", S.String.pipe(S.filter((s) => s.length > 1 || "too short")), ["a", "ab"]],
    ["filter path", S.Struct({ a: S.String, b: S.String }).pipe(S.filter(({ a, b }) => a === b || { path: ["b"], message: "differs from a" })), [{ a: "x", b: "y" }, { a: "x", b: "x" }, {}]],
    ["filter several", S.Struct({ a: S.String }).pipe(S.filter(() => [{ path: ["a"], message: "one" }, { path: ["q", 0], message: "two" }])), [{ a: "x" }]],
    ["filter annotated", S.String.pipe(S.filter(() => false, { description: "never right", jsonSchema: { format: "date", pattern: "^x$" } })), ["a"]],
    ["filter titled", S.String.pipe(S.filter(() => false, { title: "T", identifier: "I", message: () => "own words" })), ["a", 1]],
    ["filter over filter", S.NonEmptyString.pipe(S.filter((s) => s !== "x", { description: "not x" })), ["", "x", 1]],
    ["filter on list", S.Array(S.Int).pipe(S.filter((list) => new Set(list).size === list.length || "repeats")), [[1, 1], [1, "x"]]],
    ["message on struct", S.Struct({ a: S.String }).annotations({ message: () => "bad struct" }), [{}, 1]],
    ["message override", S.Struct({ a: S.String }).annotations({ message: () => ({ message: "all of it", override: true }) }), [{}]],
    ["parseIssueTitle", S.Struct({ a: S.String }).annotations({ parseIssueTitle: ({ actual }) => `at ${typeof actual}` }), [{}, 1]],
    ["brand", S.String.pipe(S.brand("Id")), ["a", 1]], ["brand Int", S.Int.pipe(S.brand("Id"), S.brand("Two")), [1, 1.5]],
    ["brand filter", S.NonEmptyString.pipe(S.maxLength(3), S.brand("Short")), ["", "abcd"]],
    // transformations
    ["NumberFromString", S.NumberFromString, ["1", " 2 ", "x", "", "NaN", "-Infinity", "1e3", 1], [1, NaN]],
    ["NumberFromString filter", S.NumberFromString.pipe(S.int(), S.between(1, 5)), ["1", "9", "1.5", "x"], [1, 9]],
    ["Trim", S.Trim, text, ["a", " a"]], ["Lowercase", S.Lowercase, text], ["Uppercase", S.Uppercase, text], ["Capitalize", S.Capitalize, text], ["Uncapitalize", S.Uncapitalize, text],
    ["BooleanFromString", S.BooleanFromString, ["true", "false", "x"], [true]], ["BooleanFromUnknown", S.BooleanFromUnknown, values], ["Not", S.Not, [true, 1], [true]],
    ["split", S.split(","), ["a,b", ""], [["a", "b"]]],
    ["Date", S.Date, ["2026-07-04T00:00:00.000Z", "x", 1], [new Date(0)]], ["DateFromString", S.DateFromString, ["2026-07-04", "x"], [new Date(0), new Date(NaN)]],
    ["DateFromNumber", S.DateFromNumber, [0, "x"], [new Date(5)]], ["DateFromSelf", S.DateFromSelf, [1, "x"]], ["ValidDateFromSelf", S.ValidDateFromSelf, [new Date(NaN), 1]],
    ["URL", S.URL, ["https://a.example/b", 1], [new URL("https://a.example/b")]], ["URLFromSelf", S.URLFromSelf, ["x"]],
    ["BigInt", S.BigInt, ["12", "x", ""]],
    ["parseJson", S.parseJson(), ["{\"a\":1}", 1], [{ a: 1 }]],
    ["parseJson schema", S.parseJson(S.Struct({ a: S.NumberFromString })), ["{\"a\":\"1\"}", "{\"a\":1}", "{}"], [{ a: 1 }]],
    ["parseJson inside", S.Struct({ q: S.parseJson(S.Struct({ a: S.Int })) }), [{ q: "{\"a\":1}" }, { q: "{}" }]],
    ["transform", S.transform(S.String, S.Number, { strict: true, decode: (s) => s.length, encode: (n) => "x".repeat(n) }), ["abc", 1], [2, "x"]],
    ["transform described", S.transform(S.String, S.Number, { decode: (s) => s.length, encode: String }).annotations({ description: "how long", title: "L" }), ["abc", 1]],
    ["transform in struct", S.Struct({ a: S.transform(S.NonEmptyString, S.Int, { decode: (s) => s.length + 0.5, encode: String }) }), [{ a: "abc" }, { a: "" }, {}]],
    ["transformOrFail", S.transformOrFail(S.String, S.Number, { decode: (s) => (s === "x" ? Either.right(1) : Either.left({ _tag: "Forbidden", ast: S.String.ast, actual: s, message: "no" })), encode: (n) => Either.right(String(n)) }), ["x", "y"]],
    ["transformLiteral", S.transformLiteral("yes", true), ["yes", "no"], [true]], ["transformLiterals", S.transformLiterals(["y", 1], ["n", 0]), ["y", "n", "q"], [1, 0]],
    ["compose", S.compose(S.Trim, S.NonEmptyString), [" a ", "  "], ["a"]], ["compose split", S.split(",").pipe(S.compose(S.Array(S.NumberFromString))), ["1,2", "1,x"]],
    ["OptionFromNullOr", S.OptionFromNullOr(S.NonEmptyString), [null, "a", ""], [Option.none(), Option.some("a")]],
    ["OptionFromUndefinedOr", S.Struct({ a: S.OptionFromUndefinedOr(S.Int) }), [{}, { a: 1 }], [{ a: Option.none() }]],
    ["Option", S.Option(S.NumberFromString), [{ _tag: "None" }, { _tag: "Some", value: "1" }, { _tag: "Some" }, {}], [Option.some(1), Option.none()]],
    ["Set", S.Set(S.Int), [[1, 2], ["x"]], [new Set([1])]], ["ReadonlySet", S.ReadonlySet(S.Int), [[1, 2]]], ["Map", S.Map({ key: S.String, value: S.Int }), [[["a", 1]], [["a", "b"]]], [new Map([["a", 1]])]],
    ["ArrayEnsure", S.ArrayEnsure(S.Int), [1, [1, 2], "x"], [[1], [1, 2]]],
    ["typeSchema", S.typeSchema(S.Struct({ a: S.NumberFromString })), [{ a: 1 }, { a: "1" }]], ["encodedSchema", S.encodedSchema(S.Struct({ a: S.NumberFromString, b: S.NonEmptyString })), [{ a: "1", b: "" }]],
    ["examples encoded", S.NumberFromString.annotations({ examples: [1, 2], description: "n" }), ["1"]],
    ["default encoded", S.Struct({ a: S.NumberFromString.annotations({ default: 5 }) }), [{}]],
    ["StringFromUriComponent", S.StringFromUriComponent, ["a%20b"], ["a b"]],
    // suspend and classes
    ["suspend", Tree, [{ name: "a", sub: [{ name: "b", sub: [] }] }, { name: "a", sub: [{ name: 1 }] }]],
    ["suspend without identifier", Loop, [{ next: null }, { next: { next: 1 } }]],
    ["Class", Person, [{ name: "A" }, { name: "" }, {}, 1]], ["Class in struct", S.Struct({ who: Person }), [{ who: { name: "A" } }]], ["TaggedClass", Dog, [{ _tag: "Dog", name: "a" }, { name: "a" }]],
    ["Class type side", S.typeSchema(Person), [{ name: "A" }]],
    ["instanceOf", S.instanceOf(Date), [1, new Date(0)]],
    ["declare", S.declare((u) => u === 1, { identifier: "One", jsonSchema: { type: "integer", const: 1 } }), [1, 2]],
    ["decodingFallback", S.Int.annotations({ decodingFallback: () => Either.right(0) }), [1, "x"]],
    ["parseOptions", S.Struct({ a: S.String }).annotations({ parseOptions: { onExcessProperty: "error" } }), [{ a: "x", b: 1 }]],
    ["identified in two places", S.Struct({ a: S.Int, b: S.Array(S.Int), c: S.optional(S.NonEmptyString) }), [{}]],
    ["identifier with slash", S.String.annotations({ identifier: "a/b~c" }), [1]],
    ["lists of refs described", S.Struct({ rows: S.Array(S.Struct({ id: S.Int.annotations({ description: "Room number" }), n: S.NullOr(S.NonEmptyString) })).annotations({ description: "Rooms" }) }), [{ rows: [{ id: 1.5, n: "" }] }]],
    ["oneOf override", S.Struct({ a: S.String.annotations({ jsonSchema: { anyOf: [{ const: 1 }] } }) }), [{}]],
    ["jsonSchema on union", S.Union(S.String, S.Int).annotations({ jsonSchema: { "x-kind": 1 } }), [null]],
    ["excess error", S.Struct({ a: S.String }, ), all({ onExcessProperty: "error" }).slice(13)],
    ["excess preserve", S.Struct({ a: S.String }), all({ onExcessProperty: "preserve", errors: "all" }).slice(13)],
    ["original order", S.Struct({ b: S.optional(S.Number), a: S.String, c: S.Null }), [{ value: { c: null, a: "x", b: 2 }, options: { propertyOrder: "original" } }]],
  ];
  const broken = {
    "suspend needs identifier in JSON Schema": () => S.suspend(() => S.String),
    "required after optional": () => S.Tuple(S.optionalElement(S.String), S.Number),
    "extend overlapping": () => S.extend(S.Struct({ a: S.String }), S.Struct({ a: S.Number })),
    "two string indexes": () => S.Struct({}, S.Record({ key: S.String, value: S.Int }), S.Record({ key: S.String, value: S.Int })),
    "bad record key": () => S.Record({ key: S.Number, value: S.Int }),
  };
  for (const name of Object.keys(broken)) list.push([name, thrown(broken[name]), [1]]);
  return list;
}

// report runs the cases and gives plain data to compare.
export function report(effect) {
  const { Schema, JSONSchema, Option } = effect;
  const shown = (value) => {
    if (value === undefined) return "undefined";
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (typeof value === "bigint") return `${value}n`;
    if (value instanceof Date) return `Date ${Number.isNaN(value.getTime()) ? "Invalid" : value.toISOString()}`;
    if (value instanceof URL) return `URL ${value.href}`;
    if (value instanceof Set) return { set: [...value].map(shown) };
    if (value instanceof Map) return { map: [...value].map(shown) };
    if (Option.isOption(value)) return Option.isSome(value) ? { some: shown(value.value) } : "none";
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value === "object" && value !== null) {
      const out = {};
      for (const key of Object.keys(value)) out[key] = shown(value[key]);
      const name = Object.getPrototypeOf(value)?.constructor?.name;
      return name && name !== "Object" ? { [name]: out } : out;
    }
    return value;
  };
  const attempt = (f) => {
    try {
      return { ok: shown(f()) };
    } catch (error) {
      return { [error.name]: error.message };
    }
  };
  const out = {};
  for (const [name, schema, decode, encode = []] of cases(effect)) {
    if (schema.broken !== undefined) {
      out[name] = { broken: schema.broken };
      continue;
    }
    const entry = { text: String(schema) };
    try {
      const { $schema, ...rest } = JSONSchema.make(schema);
      entry.json = JSON.stringify(rest);
    } catch (error) {
      entry.json = error.message;
    }
    entry.decode = decode.map((given) => {
      const wrapped = typeof given === "object" && given !== null && "value" in given && "options" in given;
      const value = wrapped ? given.value : given;
      const options = wrapped ? given.options : {};
      return {
        first: attempt(() => Schema.decodeUnknownSync(schema, options)(value)),
        all: attempt(() => Schema.decodeUnknownSync(schema)(value, { errors: "all", ...options })),
        is: attempt(() => Schema.is(schema)(value)),
        validate: attempt(() => Schema.validateSync(schema, { errors: "all" })(value)),
      };
    });
    if (encode.length > 0) entry.encode = encode.map((value) => attempt(() => Schema.encodeUnknownSync(schema)(value)));
    out[name] = entry;
  }
  return out;
}
