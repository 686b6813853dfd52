/** What a check of a hostile contract answers; the fallback where it throws, as a pattern that takes too long does. */
export function orElse<T>(check: () => T, fallback: T): T {
  try {
    return check();
  } catch {
    return fallback;
  }
}
