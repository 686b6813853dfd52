/** Returns the npm scope of the generated packages, which is `@generated` by default. */
export function scopeOf({ scope }: { readonly scope?: string }): string {
  return scope ?? '@generated';
}
