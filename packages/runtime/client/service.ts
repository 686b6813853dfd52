import type { ServiceAddresses } from './addresses.ts';
import { ClientError } from './client-error.ts';
import type {
  Alternatives,
  Input,
  KeptValue,
  OperationData,
  ParameterDescription,
  ScopedScheme,
} from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Authorizer } from './security.ts';

/** The credentials of an account. */
export interface Account {
  /** Security schemes by name. */
  readonly schemes: Readonly<Record<string, Authorizer>>;
  /** Default inputs by operation id, such as credentials. Inputs of the caller override them. */
  readonly inputs?: Readonly<Record<string, Input>>;
}

/** What the contract specifies for all calls, with the account and the options of one client. */
export interface Service extends Account, ServiceAddresses {
  /** The default of the option `invalidResponse`. Default: `throw`. */
  readonly invalidResponse?: 'throw' | 'report';
  /** Parameters that the client generates for every request. */
  readonly everyRequest: readonly EveryRequestValue[];
  /** The default security alternatives of operations. */
  readonly security: Alternatives;
  /** Returns the account with the given credentials, for calls with the option `credentials`. */
  accountOf?(credentials: object): Account;
  /** Whether operations may be repeated, by operation id, where an option of the client decides it. */
  readonly repeatable?: Readonly<Record<string, boolean | KeptValue>>;
  /**
   * Returns whether all attempts of a call carry the same value: the function `isKept`, for contracts with such a
   * condition. Without it, these calls are not repeated.
   */
  isKept?(condition: KeptValue, carried: CarriedValues): boolean;
}

/** The values that the attempts of a call carry. */
export interface CarriedValues {
  readonly operation: OperationData;
  readonly input: Input;
  readonly options: Pick<CallOptions, 'headers'>;
  /** The parameters that the client generates for every attempt. */
  readonly values: readonly EveryRequestValue[];
  /** The generated values that a retry sends again, by name. */
  readonly kept: ReadonlyMap<string, string>;
}

/** A parameter whose value the client generates for every call. */
export interface EveryRequestValue extends ParameterDescription {
  readonly value: 'uuid' | 'timestamp';
  /** Whether a retry sends the same value again (`keep`) or a new one (`renew`). Timestamps are always new. */
  readonly retry: 'keep' | 'renew';
  /** Writes a timestamp, given in milliseconds since 1970. Default: a date-time in UTC with milliseconds. */
  readonly write?: (milliseconds: number) => string;
}

/**
 * Returns the input with the generated values of one attempt.
 * @param kept the values of this call that a retry sends again
 */
export function makeValues(
  values: readonly EveryRequestValue[],
  input: Input,
  kept: Map<string, string>,
  now: number,
  uuid: () => string,
): Input {
  const made: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, value, retry, write } of values) {
    const group = (made[place] ??= { ...input[place] });
    if (value === 'timestamp') group[name] = write?.(now) ?? new Date(now).toISOString();
    else {
      // A value of the caller stays the same in all attempts.
      const sentValue =
        (Object.hasOwn(group, name) ? group[name] : undefined) ?? kept.get(name) ?? uuid();
      group[name] = sentValue;
      if (retry === 'keep' && typeof sentValue === 'string') kept.set(name, sentValue);
    }
  }
  return { ...input, ...made };
}

/**
 * Returns the schemes of the first alternative with all credentials given, those that sign last.
 * @throws ClientError `missing-credential` where there is no such alternative
 */
export function selectSchemes(
  { schemes: all }: Account,
  ofService: Alternatives,
  { id, security = ofService }: OperationData,
): readonly Authorizer[] {
  if (security.length === 0) return [];
  for (const needed of security) {
    const schemes = needed
      .flatMap((scheme) => schemeOf(all, scheme) ?? [])
      .filter(({ ready }) => ready);
    if (schemes.length === needed.length)
      return schemes.toSorted((a, b) => Number(a.last ?? 0) - Number(b.last ?? 0));
  }
  const needed = security.map((schemes) => schemes.map(schemeName).join(' and ')).join(', or ');
  throw new ClientError('missing-credential', `${id} requires the credentials of ${needed}.`);
}

/** Returns the name of a security scheme. */
export function schemeName(scheme: string | ScopedScheme): string {
  return typeof scheme === 'string' ? scheme : scheme.scheme;
}

function schemeOf(
  all: Account['schemes'],
  reference: string | ScopedScheme,
): Authorizer | undefined {
  if (typeof reference === 'string') return all[reference];
  const scheme = all[reference.scheme];
  return scheme?.forScopes?.(reference.scopes) ?? scheme;
}
