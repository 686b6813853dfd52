import type { Contract } from '../../contract/contract.ts';
import type { PlannedOperation } from './plan.ts';

/** Returns the names of the security schemes that operations or the contract's default security refer to. */
export function usedSchemes(
  contract: Contract,
  planned: readonly PlannedOperation[],
): ReadonlySet<string> {
  const all = [
    ...planned.map(({ operation }) => operation.security),
    contract.defaultSecurity ?? [],
  ];
  return new Set(all.flat(2).map(({ scheme }) => scheme));
}

/**
 * Returns the names of the security schemes that are in every alternative of the contract's default security. Without
 * default security, returns those that are in every alternative of every operation.
 */
export function requiredSchemes(
  { defaultSecurity = [] }: Contract,
  planned: readonly PlannedOperation[],
): ReadonlySet<string> {
  const own = planned.map(({ operation }) => operation.security);
  const rules = defaultSecurity.length > 0 ? [defaultSecurity] : own;
  const alternatives = rules.flatMap((rule) => (rule.length === 0 ? [[]] : rule));
  const [first = [], ...others] = alternatives;
  return new Set(
    first
      .map(({ scheme }) => scheme)
      .filter((id) => others.every((schemes) => schemes.some(({ scheme }) => scheme === id))),
  );
}
