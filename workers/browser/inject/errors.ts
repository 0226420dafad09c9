/**
 * Errors for the caller, worded as Playwright words them. Playwright writes "Error: " in front of what it throws inside the page and nothing in front of
 * what its server throws; `text` is the message with that prefix. They have no stack: it would be this program's own.
 */
export class CallError extends Error {
  readonly text: string;
  constructor(message: string, prefix = 'Error: ') {
    super(message);
    delete this.stack;
    this.text = prefix + message;
  }
}

/** What Playwright's server says itself. */
export class ServerError extends CallError {
  constructor(message: string) {
    super(message, '');
  }
}

/** A selector that cannot be understood. */
export class SelectorError extends ServerError {}

/** The text of anything that was thrown, as V8 describes it, without the stack. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof CallError)
    return thrown.text;
  const error = thrown as { name?: unknown; message?: unknown } | null;
  return error && typeof error === 'object' && 'message' in error ? `${error.name}: ${error.message}` : String(thrown);
}
