/** Returns the name of an error, and its code if it has one. Not its message, which can contain personal data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'The handler threw a value that is not an Error';
  const code = 'code' in error && typeof error.code === 'string' ? ` [${error.code}]` : '';
  return `${error.name}${code}`;
}
