/** Says what stands at a place: a text of the test, or `otherwise`, which is harmless and fits there. */
export type TextAt = (place: string, otherwise: string) => string;

/** A member as a JSON Pointer writes it. */
export function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A member as a reference writes it; what is no Unicode has no percent form. */
export function referred(name: string): string {
  return name.isWellFormed() ? encodeURIComponent(escaped(name)) : escaped(name);
}
