/** The maximum number of characters of a value in a message. */
const maxLength = 80;

/** Formats a value for a message: strings without quotes, other values as JSON, truncated if long. */
export function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return `\`${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}\``;
}

/** Formats the change of a value as a sentence. `undefined` is a value that is not set. */
export function formatChange(what: string, was: unknown, is: unknown): string {
  const [from, to] = [was, is].map((value) =>
    value === undefined ? 'not set' : formatValue(value),
  );
  return `${what} was ${from} and is ${to}.`;
}
