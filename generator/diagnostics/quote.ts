/** Quotes a name from the contract for a message: on one line, with at most 100 characters of it. */
export function quote(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 99)}…` : name;
  const visible = short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, toEscape);
  return `"${visible}"`;
}
function toEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
