import type { Contract } from '../../contract/contract.ts';
import type { PlannedOperation } from './plan.ts';

/** The security schemes that calls of the client use. */
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

/** Schemes without which calls that say nothing else cannot be made; or, where there is no such rule, no call at all. */
export function demandedSchemes(
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
