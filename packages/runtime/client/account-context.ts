import { ClientError } from './client-error.ts';
import { encodeIdentity } from './identity.ts';
import type { Input, OperationData } from './operation.ts';
import type { CallOptions, ConnectionOptions, ExtraHeaders } from './options.ts';
import { placeKey, type SharedTokens } from './security.ts';
import { selectSchemes, type Account, type Service } from './service.ts';
import { shareTokens, type SharedTokenOptions } from './shared-tokens.ts';

/** The account that a call is made for: its credentials and its tokens. */
export interface AccountContext extends Account {
  readonly sharedTokens: SharedTokens;
  /** The places where credentials are sent, as `placeKey` writes them. */
  readonly credentialPlaces: ReadonlySet<string>;
  /** Credentials that are sent as inputs, to remove them from errors. */
  readonly inputSecrets: readonly string[];
}

/** What the accounts of a connection have in common. */
interface AccountSettings extends Pick<SharedTokenOptions, 'clock' | 'report'> {
  readonly service: Service;
  readonly options: Pick<ConnectionOptions, 'fetch' | 'tokenStore' | 'tokenStoreKey'>;
  readonly headers: ExtraHeaders | (() => ExtraHeaders) | undefined;
  /** Returns the base address of an operation. */
  readonly addressOf: (operation: OperationData) => string;
}

/** The maximum number of accounts whose tokens a connection keeps, apart from its own. */
const maxAccounts = 1000;

/**
 * Returns a function that returns the account of a call: that of the connection, unless the call has credentials.
 * Calls with equal credentials have the same account. The accounts that were used last are kept.
 */
export function createAccounts(
  settings: AccountSettings,
): (options: CallOptions) => AccountContext {
  const { service, options } = settings;
  const ownAccount = createAccount(settings, service, options.tokenStoreKey);
  const accounts = new Map<string, AccountContext>();
  const functions = new WeakMap<object, string>();
  let functionCount = 0;
  const nameOf = (value: object): string => {
    const name = functions.get(value) ?? String((functionCount += 1));
    functions.set(value, name);
    return name;
  };
  return ({ credentials, tokenStoreKey }) => {
    if (credentials === undefined) return ownAccount;
    if (service.accountOf === undefined)
      throw new ClientError('invalid-option', 'This client has no credentials (credentials).');
    const { text: id } = encodeIdentity([credentials, tokenStoreKey], nameOf);
    const account =
      accounts.get(id) ?? createAccount(settings, service.accountOf(credentials), tokenStoreKey);
    // A map has the order of insertion, so its first account is the one that was not used for the longest time.
    accounts.delete(id);
    accounts.set(id, account);
    const [first] = accounts.keys();
    if (accounts.size > maxAccounts && first !== undefined) accounts.delete(first);
    return account;
  };
}

function createAccount(
  { service, options, headers, addressOf, clock, report }: AccountSettings,
  { schemes, inputs }: Account,
  accountName: string | undefined,
): AccountContext {
  const account: Account = { schemes, ...(inputs === undefined ? {} : { inputs }) };
  const identify = (
    operation: OperationData,
    callers: readonly string[],
    input = inputs?.[operation.id],
  ): unknown => {
    const used = selectSchemes(account, service.security, operation);
    const isUnknown = options.fetch !== undefined && used.length === 0 && input === undefined;
    return [
      operation.method,
      addressOf(operation),
      operation.path,
      input,
      typeof headers === 'object' ? linesOf(headers) : headers,
      // A scheme without an identity is unknown, as a function is.
      used.map(({ identity, prepare }) =>
        identity === undefined || callers.includes(operation.id)
          ? prepare
          : identity((needed, neededInput) =>
              identify(needed, [...callers, operation.id], neededInput),
            ),
      ),
      // Without any credential, only the user's own `fetch` can authenticate the call.
      isUnknown ? options.fetch : undefined,
    ];
  };
  return {
    ...account,
    sharedTokens: shareTokens({
      store: options.tokenStore,
      accountName,
      identify: (operation, input) => identify(operation, [], input),
      clock,
      report,
    }),
    credentialPlaces: new Set(
      Object.values(schemes).flatMap(({ writes = [] }) => writes.map(placeKey)),
    ),
    inputSecrets: Object.values(inputs ?? {}).flatMap(textsOf),
  };
}

/** Returns the lines of headers, which are equal for equal headers. */
function linesOf(headers: ExtraHeaders): readonly string[] {
  return Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .toSorted();
}

/** Returns the texts of an input's parameters and body. */
function textsOf({ path, query, headers, cookies, body }: Input): readonly string[] {
  return [path, query, headers, cookies, body]
    .flatMap((group) => (typeof group === 'object' && group !== null ? Object.values(group) : []))
    .filter((value: unknown): value is string => typeof value === 'string');
}
