/** Quotes a name from the contract for a message: on one line, with at most 100 characters of it. */
export function quote(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 99)}…` : name;
  const visible = short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, toEscape);
  return `"${visible}"`;
}

/** Returns JSON values for a message, at most ten of them. */
export function quoteValues(values: readonly unknown[]): string {
  const shown = values.slice(0, 10).map((value) => quote(JSON.stringify(value)).slice(1, -1));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function toEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
