/** Returns the id of the ledger entry that `{ unstated: <id> }` refers to; `undefined` for a stated value. */
export function unstatedId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('unstated' in value)) return undefined;
  return typeof value.unstated === 'string' ? value.unstated : undefined;
}
