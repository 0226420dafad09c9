// Finds rooms of the museum without a page: the search page embeds its results as JSON, and opening times come from the site's own API.
import { Effect, Schema } from "effect";
import { defineHttpOperation, operationErrors, readEmbeddedJson, readJson } from "pomerado/runtime";

const Results = Schema.Struct({
  query: Schema.String,
  rooms: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.NonEmptyString, floor: Schema.String })),
});
const Hours = Schema.Struct({ opens: Schema.NonEmptyString });

export default defineHttpOperation({
  name: "find_rooms",
  input: Schema.Struct({ word: Schema.NonEmptyString.annotations({ description: "A word of the room's name", examples: ["clock"] }) }),
  output: Schema.Struct({
    rooms: Schema.Array(
      Schema.Struct({
        name: Schema.NonEmptyString.annotations({ description: "The room's name" }),
        floor: Schema.String.annotations({ description: "The floor it is on" }),
        opens: Schema.NonEmptyString.annotations({ description: "When it opens, HH:MM" }),
      }),
    ),
  }),
  run: ({ word }, http) =>
    Effect.gen(function* () {
      const search = { method: "GET", url: `/museum/search?${new URLSearchParams({ q: word })}` };
      const found = yield* readEmbeddedJson(http, search, { assignment: "__ROOMS__" }, Results);
      if (found.query !== word) return yield* new operationErrors.InputNotApplied("the museum searched for something else", { field: "word", requested: word, applied: found.query, step: "search" });
      const rooms = yield* Effect.forEach(
        found.rooms,
        ({ id, name, floor }) => readJson(http, { method: "GET", url: `/museum/api/room/${id}` }, Hours).pipe(Effect.map(({ opens }) => ({ name, floor, opens }))),
        { concurrency: 4 },
      );
      return { rooms };
    }),
});
