/** Returns the npm scope of the generated packages, which is `@generated` by default. */
export function scopeOf({ scope }: { readonly scope?: string }): string {
  return scope ?? '@generated';
}

/** Returns whether generated packages cannot have a scope, because compilers give its packages a meaning. */
export function isReservedScope(scope: string): boolean {
  return scope === '@types';
}
