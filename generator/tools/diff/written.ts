/** Characters of a value that a message shows. */
const most = 80;

/** A value as a message shows it: text without quotes, everything else as JSON, cut where it is long. */
export function written(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return `\`${text.length > most ? `${text.slice(0, most)}…` : text}\``;
}
