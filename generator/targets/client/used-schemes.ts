import type { Contract, Operation } from '../../contract/contract.ts';
import { planOperations } from './plan.ts';

/** Returns the names of the security schemes that operations or the contract's default security refer to. */
export function usedSchemes(contract: Contract): ReadonlySet<string> {
  const all = [...ownSecurity(contract), contract.defaultSecurity ?? []];
  return new Set(all.flat(2).map(({ scheme }) => scheme));
}

/**
 * Returns the names of the security schemes that are in every alternative of the contract's default security. Without
 * default security, returns those that are in every alternative of every operation.
 */
export function requiredSchemes(contract: Contract): ReadonlySet<string> {
  const { defaultSecurity = [] } = contract;
  const rules = defaultSecurity.length > 0 ? [defaultSecurity] : ownSecurity(contract);
  const alternatives = rules.flatMap((rule) => (rule.length === 0 ? [[]] : rule));
  const [first = [], ...others] = alternatives;
  return new Set(
    first
      .map(({ scheme }) => scheme)
      .filter((id) => others.every((schemes) => schemes.some(({ scheme }) => scheme === id))),
  );
}

function ownSecurity(contract: Contract): readonly Operation['security'][] {
  return planOperations(contract).planned.map(({ operation }) => operation.security);
}
