import type { Json } from '../json/json.ts';
import type { Contract, Operation } from './contract.ts';

/** What decides which schemes calls use. */
type Calls = Pick<Contract, 'operations' | 'security' | 'defaultSecurity'>;

/**
 * Returns the alternatives of a call's security for the runtime: with scopes if they decide about the token. Without an
 * operation, returns those of the contract's default security.
 */
export function alternativesOf(contract: Contract, operation?: Operation): Json {
  const { security } = operation ?? { security: contract.defaultSecurity ?? [] };
  const scoped = new Set(contract.servers.tokenEndpoints.flatMap(({ schemes }) => schemes));
  return security.map((schemes) =>
    schemes.map(({ scheme, scopes }) =>
      scoped.has(scheme) && scopes.length > 0 ? { scheme, scopes: [...scopes] } : scheme,
    ),
  );
}

/** Returns whether the contract states what some call has to carry. */
export function statesCredentials({ operations }: Pick<Contract, 'operations'>): boolean {
  return operations.some(({ security }) => security.flat().length > 0);
}

/** Returns the scopes that calls require, each once. */
export function requiredScopes({ operations }: Pick<Contract, 'operations'>): readonly string[] {
  const requirements = operations.flatMap(({ security }) => security.flat());
  return [...new Set(requirements.flatMap(({ scopes }) => scopes))];
}

/** Returns the names of the security schemes that operations or the contract's default security refer to. */
export function usedSchemes(contract: Calls): ReadonlySet<string> {
  const all = [...ownSecurity(contract), contract.defaultSecurity ?? []];
  return new Set(all.flat(2).map(({ scheme }) => scheme));
}

/**
 * Returns the names of the security schemes that are in every alternative of the contract's default security. Without
 * default security, returns those that are in every alternative of every operation that issues no token. Schemes that
 * the token operation of a required scheme always needs are required too.
 */
export function requiredSchemes(contract: Calls): ReadonlySet<string> {
  const { defaultSecurity = [] } = contract;
  const rules = defaultSecurity.length > 0 ? [defaultSecurity] : ownSecurity(contract, true);
  const required = new Set<string>();
  const add = (requirements: readonly Operation['security'][]): void => {
    for (const id of schemesOfAll(requirements)) {
      if (required.has(id)) continue;
      required.add(id);
      const issuing = issuingOperation(contract, id);
      if (issuing !== undefined) add([issuing.security]);
    }
  };
  add(rules);
  return required;
}

/**
 * Returns the names of the security schemes that a call needs with its first alternative, and those that its token
 * requests need. Without an operation, returns those of any call.
 */
export function neededSchemes(contract: Calls, operation?: Operation): readonly string[] {
  const needed = new Set<string>();
  const add = ([first = []]: Operation['security']): void => {
    for (const { scheme } of first) {
      if (needed.has(scheme)) continue;
      needed.add(scheme);
      add(issuingOperation(contract, scheme)?.security ?? []);
    }
  };
  const usual = [contract.defaultSecurity ?? [], ...ownSecurity(contract, true)];
  add(operation?.security ?? usual.find(([first]) => first !== undefined) ?? []);
  return [...needed];
}

function schemesOfAll(rules: readonly Operation['security'][]): readonly string[] {
  const alternatives = rules.flatMap((rule) => (rule.length === 0 ? [[]] : rule));
  const [first = [], ...rest] = alternatives;
  return first
    .map(({ scheme }) => scheme)
    .filter((id) => rest.every((schemes) => schemes.some(({ scheme }) => scheme === id)));
}

/** Returns the operation that issues the token of a scheme. */
function issuingOperation({ security, operations }: Calls, id: string): Operation | undefined {
  const issuing = security.find((scheme) => scheme.id === id)?.accessToken?.operation;
  return operations.find((operation) => operation.id === issuing);
}

function ownSecurity(contract: Calls, withoutIssuing = false): readonly Operation['security'][] {
  const issuing = new Set(contract.security.map(({ accessToken }) => accessToken?.operation));
  return contract.operations
    .filter(({ id, leftOut }) => leftOut === undefined && !(withoutIssuing && issuing.has(id)))
    .map(({ security }) => security);
}
