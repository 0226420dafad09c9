// How `effect` writes a value inside a message.

export function formatPropertyKey(key: PropertyKey): string {
  return typeof key === "string" ? JSON.stringify(key) : String(key);
}

export function formatPath(path: PropertyKey | readonly PropertyKey[]): string {
  const keys = Array.isArray(path) ? path : [path];
  return keys.map((key) => `[${formatPropertyKey(key as PropertyKey)}]`).join("");
}

export function formatDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? "Invalid Date" : date.toISOString();
}

// formatUnknown writes any value on one line. A circular reference is written as such, never followed.
export function formatUnknown(value: unknown, open: object[] = []): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean" || typeof value === "symbol")
    return String(value);
  if (Array.isArray(value)) {
    return within(value, open, (inner) => `[${value.map((one) => formatUnknown(one, inner)).join(",")}]`);
  }
  if (value instanceof Date) return formatDate(value);
  const own = (value as { toString?: unknown }).toString;
  if (typeof own === "function" && own !== Object.prototype.toString) return ownText(value as object, open);
  if (value instanceof Set || value instanceof Map) {
    return within(value, open, (inner) => `${value.constructor.name}(${formatUnknown(Array.from(value as Iterable<unknown>), inner)})`);
  }
  return within(value as object, open, (inner) => {
    const body = Reflect.ownKeys(value as object)
      .map((key) => `${formatPropertyKey(key)}:${formatUnknown((value as any)[key], inner)}`)
      .join(",");
    const maker = (value as object).constructor;
    return maker && maker !== Object && maker.name ? `${maker.name}({${body}})` : `{${body}}`;
  });
}

function within(value: object, open: object[], write: (open: object[]) => string): string {
  return open.includes(value) ? "[Circular]" : write([...open, value]);
}

function ownText(value: object, open: object[]): string {
  let text: string;
  try {
    const made: unknown = (value as { toString(): unknown }).toString();
    text = typeof made === "string" ? made : String(made);
  } catch {
    return "[toString threw]";
  }
  return value instanceof Error && value.cause ? `${text} (cause: ${formatUnknown(value.cause, open)})` : text;
}
