/** Quotes a name from the contract for a message: on one line, with at most 100 characters of it. */
export function quote(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 99)}…` : name;
  const visible = short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, toEscape);
  return `"${visible}"`;
}

/** Returns JSON values for a message, at most ten of them. */
export function quoteValues(values: readonly unknown[]): string {
  return listFirst(values.map((value) => quote(JSON.stringify(value)).slice(1, -1)));
}

/** Lists the first ten texts, and the number of the others. */
export function listFirst(texts: readonly string[]): string {
  const more = texts.length - 10;
  const shown = texts.slice(0, 10).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function toEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
