// Lengths of time as effect takes them: milliseconds, "5 seconds", or what the makers here give.

const units: Record<string, number> = {
  nano: 1e-6, milli: 1, second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000, micro: 1e-3,
};

interface Duration {
  readonly millis: number;
}
const of = (millis: number): Duration => ({ millis: millis > 0 ? millis : 0 });

export function toMillis(input: any): number {
  if (typeof input === "number") return of(input).millis;
  if (typeof input === "object" && input !== null && typeof input.millis === "number") return input.millis;
  const text = typeof input === "string" ? /^(-?\d+(?:\.\d+)?)\s+([a-z]+?)s?$/.exec(input) : null;
  const unit = text && units[text[2]!];
  if (!text || unit === undefined) throw new Error(`${JSON.stringify(input)} is not a duration; write milliseconds or text such as "5 seconds"`);
  return of(Number(text[1]) * unit!).millis;
}

export const Duration = {
  millis: of,
  seconds: (n: number) => of(n * 1000),
  minutes: (n: number) => of(n * 60_000),
  hours: (n: number) => of(n * 3_600_000),
  days: (n: number) => of(n * 86_400_000),
  zero: of(0),
  infinity: of(Infinity),
  decode: (input: unknown) => of(toMillis(input)),
  toMillis,
  toSeconds: (input: unknown) => toMillis(input) / 1000,
};
