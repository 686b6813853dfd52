/** Returns the text for a place: a text of the test, or `otherwise`, which is harmless and valid there. */
export type TextAt = (place: string, otherwise: string) => string;

/** A member as a JSON Pointer writes it. */
export function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns a member as a reference writes it; a text that is not well-formed Unicode cannot be percent-encoded. */
export function referred(name: string): string {
  return name.isWellFormed() ? encodeURIComponent(escaped(name)) : escaped(name);
}
