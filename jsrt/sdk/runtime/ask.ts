// ask: questions to whoever started the run. Options travel as o1…oN with their labels; their values stay here.

import { isObject } from "./define";
import { ScriptInputFailure } from "./errors";
import { type Run, refusalCode } from "./host";

const maxQuestions = 8;
const maxOptions = 50;

interface Option {
  readonly value: string;
  readonly label: string;
  readonly accountSpecific?: boolean;
  readonly maskedLabel?: string;
}
interface Asked {
  readonly id: string;
  readonly declaration: any;
  readonly options: readonly Option[];
}

const refuse = (code: string, about?: string): never => {
  throw new ScriptInputFailure({ code, ...(about === undefined ? {} : { about }) });
};

export const asker = (run: Run) =>
  async function ask(input: unknown, options?: unknown): Promise<any> {
    const single = typeof input === "string";
    const wanted = entries(input, options);
    const declared = isObject(run.operation.questions) ? run.operation.questions : {};
    const asked = wanted.map(([id, given]) => question(declared, id, given));
    let answers: any;
    try {
      answers = JSON.parse(await run.native.ask(JSON.stringify(asked.map(onWire))));
    } catch (thrown) {
      const code = refusalCode(thrown);
      return refuse(["NoResponse", "Unauthorized", "Undeclared", "InvalidOptions"].includes(code!) ? code! : "Unavailable");
    }
    const out: any = {};
    for (const one of asked) {
      if (!isObject(answers) || !Object.hasOwn(answers, one.id)) refuse("Unavailable", `no answer to ${one.id} came back`);
      out[one.id] = answerOf(one, answers[one.id]);
    }
    return single ? out[asked[0]!.id] : out;
  };

// entries lists [id, options given] for every form of ask's argument.
function entries(input: unknown, options: unknown): [string, unknown][] {
  if (typeof input === "string") return [[input, optionsIn(options)]];
  const list: [string, unknown][] = Array.isArray(input)
    ? input.map((id) => [id, undefined])
    : isObject(input)
      ? Object.entries(input).map(([id, given]) => [id, optionsIn(given)])
      : refuse("InvalidOptions", "ask takes an id, a list of ids, or an object of ids");
  if (list.length < 1 || list.length > maxQuestions) refuse("InvalidOptions", `ask takes 1 to ${maxQuestions} questions at a time`);
  if (new Set(list.map(([id]) => id)).size !== list.length) refuse("InvalidOptions", "each question may be asked once at a time");
  return list;
}

// optionsIn takes {options: […]}, a bare list, or nothing.
function optionsIn(given: unknown): unknown {
  if (given === undefined || Array.isArray(given)) return given;
  if (!isObject(given) || Object.keys(given).some((key) => key !== "options"))
    return refuse("InvalidOptions", "a question takes {options: […]} and nothing else");
  return given.options;
}

function question(declared: any, id: unknown, given: unknown): Asked {
  if (typeof id !== "string" || !Object.hasOwn(declared, id)) return refuse("Undeclared", `${JSON.stringify(id)} is not declared by the operation`);
  const raw = declared[id];
  if (!isObject(raw)) return refuse("Undeclared", `the declaration of ${id} is not an object`);
  const declaration = raw.type === undefined ? { type: "choice", prompt: raw.prompt } : raw;
  const chooses = declaration.type === "choice" || declaration.type === "multi_choice";
  if (!chooses) {
    if (given !== undefined) refuse("InvalidOptions", `${id} is a ${declaration.type} question and takes no options`);
    return { id, declaration, options: [] };
  }
  const options = checkedOptions(id, given);
  if (declaration.type === "multi_choice") {
    const least = declaration.minSelections ?? 1;
    const most = Math.min(declaration.maxSelections ?? options.length, options.length);
    if (most < 1 || least > most) refuse("InvalidOptions", `${id} asks for more choices than it offers`);
  }
  return { id, declaration, options };
}

function checkedOptions(id: string, given: unknown): Option[] {
  if (!Array.isArray(given) || given.length < 1 || given.length > maxOptions)
    return refuse("InvalidOptions", `${id} needs 1 to ${maxOptions} options`);
  const text = (value: unknown, most: number) => typeof value === "string" && value.length >= 1 && value.length <= most;
  const known = ["value", "label", "accountSpecific", "maskedLabel"];
  const seen = new Set<string>();
  for (const one of given) {
    const fits =
      isObject(one) &&
      Object.keys(one).every((key) => known.includes(key)) &&
      text(one.value, 256) &&
      text(one.label, 256) &&
      (one.accountSpecific === undefined || typeof one.accountSpecific === "boolean") &&
      (one.maskedLabel === undefined || text(one.maskedLabel, 64));
    if (!fits) refuse("InvalidOptions", `an option of ${id} is not {value, label} with texts of 1 to 256 characters`);
    if (seen.has(one.value)) refuse("InvalidOptions", `two options of ${id} have the same value`);
    seen.add(one.value);
  }
  return given;
}

const hostId = (place: number) => `o${place + 1}`;

function onWire({ id, declaration, options }: Asked): any {
  const { type, prompt, allowOther, allowNote, minSelections, maxSelections, maxLength, secretKind, followUp } = declaration;
  return {
    id,
    type,
    prompt,
    ...(options.length === 0
      ? {}
      : {
          options: options.map(({ label, accountSpecific, maskedLabel }, place) => ({
            id: hostId(place),
            label,
            ...(accountSpecific === undefined ? {} : { accountSpecific }),
            ...(maskedLabel === undefined ? {} : { maskedLabel }),
          })),
        }),
    ...(allowOther === true ? { allowOther } : {}),
    ...(allowNote === true ? { allowNote } : {}),
    ...(minSelections === undefined ? {} : { minSelections }),
    ...(maxSelections === undefined ? {} : { maxSelections }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(secretKind === undefined ? {} : { secretKind }),
    ...(followUp === undefined ? {} : { followUp }),
  };
}

function answerOf(asked: Asked, raw: any): any {
  const { id, declaration } = asked;
  const misfit = (): never => refuse("Unavailable", `the answer to ${id} does not fit it`);
  switch (declaration.type) {
    case "text":
    case "secret":
      return typeof raw === "string" && raw !== "" && raw.length <= (declaration.maxLength ?? 16_384) ? raw : misfit();
    case "confirm": {
      if (!isObject(raw) || typeof raw.confirmed !== "boolean") return misfit();
      if (raw.text === undefined) return { confirmed: raw.confirmed };
      return typeof raw.text === "string" && raw.confirmed && declaration.followUp !== undefined ? { confirmed: true, text: raw.text } : misfit();
    }
    case "choice":
      return choiceOf(asked, raw) ?? misfit();
    case "multi_choice":
      return choicesOf(asked, raw) ?? misfit();
  }
  return misfit();
}

function choiceOf(asked: Asked, raw: any): any {
  if (typeof raw === "string") return valueOf(asked, raw);
  if (!isObject(raw)) return undefined;
  if (typeof raw.other === "string") {
    if (asked.declaration.allowOther !== true || raw.other.trim() === "") return undefined;
    return named(asked, raw.other) ?? { other: raw.other };
  }
  const option = valueOf(asked, raw.option);
  return option !== undefined && typeof raw.note === "string" && asked.declaration.allowNote === true ? { option, note: raw.note } : undefined;
}

function choicesOf(asked: Asked, raw: any): any {
  const { minSelections = 1, maxSelections = asked.options.length } = asked.declaration;
  const ids = Array.isArray(raw) ? raw : isObject(raw) ? raw.options : undefined;
  if (!Array.isArray(ids)) return undefined;
  const values = ids.map((one) => valueOf(asked, one));
  if (values.includes(undefined) || new Set(values).size !== values.length) return undefined;
  const other = isObject(raw) && typeof raw.other === "string" && raw.other !== "" ? raw.other : undefined;
  const count = values.length + (other === undefined ? 0 : 1);
  if (count < minSelections || count > maxSelections) return undefined;
  if (Array.isArray(raw)) return values;
  return { options: values, ...(other === undefined ? {} : { other }), ...(typeof raw.note === "string" ? { note: raw.note } : {}) };
}

const valueOf = ({ options }: Asked, id: unknown): string | undefined => options.find((_, place) => hostId(place) === id)?.value;

// named is the one option that own text names: by its label, its masked label, or "id (label)".
function named({ options }: Asked, text: string): string | undefined {
  const folded = (one: string) => one.trim().replace(/\s+/g, " ").toLowerCase();
  const wanted = folded(text);
  const found = options.filter(({ label, maskedLabel }, place) =>
    [label, maskedLabel, `${hostId(place)} (${label})`].some((name) => name !== undefined && folded(name) === wanted),
  );
  return found.length === 1 ? found[0]!.value : undefined;
}
