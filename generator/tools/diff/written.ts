/** The maximum number of characters of a value in a message. */
const most = 80;

/** Formats a value for a message: strings without quotes, other values as JSON, truncated if long. */
export function written(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return `\`${text.length > most ? `${text.slice(0, most)}…` : text}\``;
}
