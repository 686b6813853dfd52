import type { CallContext } from './call-context.ts';
import type { ConnectionContext } from './connection-context.ts';
import { ClientError } from './client-error.ts';
import { refuseCredentials } from './credential-names.ts';
import { assertSafeUrl, createDraft, type Draft } from './draft.ts';
import type { Renew, WriteCredentials } from './security.ts';
import { makeValues } from './service.ts';

/** A request that is ready to send, and functions that renew its credentials after a 401. */
export interface PreparedRequest {
  readonly draft: Draft;
  readonly renew: readonly Renew[];
}

/**
 * Creates the request of one attempt, with its credentials. Values that depend on the time are created after the last
 * wait.
 * @throws ClientError for input that cannot be sent, and for credentials that cannot be obtained
 */
export async function prepareRequest(
  connection: ConnectionContext,
  context: CallContext,
): Promise<PreparedRequest> {
  // Refuses invalid input before a token is requested for the call.
  let draft = draftRequest(connection, context);
  const writers: WriteCredentials[] = [];
  let hasWaited = false;
  for (const scheme of context.schemes) {
    const writer = scheme.prepare(context);
    hasWaited ||= writer instanceof Promise;
    writers.push(await writer);
  }
  if (hasWaited) draft = draftRequest(connection, context);
  const renew: Renew[] = [];
  for (const writer of writers) {
    const renewable = await writer(draft);
    if (renewable !== undefined) renew.push(renewable);
  }
  // Checks the URL again, because credentials may have been added to the query.
  assertSafeUrl(draft.url, context.address);
  return { draft, renew };
}

/** Creates the request of one attempt, without credentials. */
function draftRequest(
  { clock, uuid, headers, service }: ConnectionContext,
  context: CallContext,
): Draft {
  const { operation, input, body, values, address, options } = context;
  const requestValues = makeValues(values, input, context.kept, clock(), uuid);
  const draft = createDraft(
    operation.method,
    address,
    operation.path,
    [...(operation.parameters ?? []), ...values],
    requestValues,
    body.bytes,
    context.secrets,
    options.allowReserved,
  );
  addHeaders(draft, context, headers);
  refuseCredentials(draft, service, context);
  // Checks the URL before it is signed.
  assertSafeUrl(draft.url, address);
  const id = values.find(({ value }) => value === 'uuid');
  context.about.requestId =
    id && (requestValues[id.in] as Readonly<Record<string, string>>)[id.name];
  return draft;
}

function addHeaders(
  draft: Draft,
  { operation: { responses = {} }, body: { contentType }, options }: CallContext,
  ofConnection: ConnectionContext['headers'],
): void {
  const accepted = new Set(Object.values(responses).flatMap((content) => Object.keys(content)));
  const shared = typeof ofConnection === 'function' ? ofConnection() : ofConnection;
  const contentHeaders = {
    ...(accepted.size === 0 ? {} : { accept: [...accepted].join(', ') }),
    ...(contentType === null ? {} : { 'content-type': contentType }),
  };
  // The first value of a name is sent, whatever its case: the call's, the client's, the operation's.
  let hasCookie = false;
  for (const headers of [options.headers, shared, contentHeaders]) {
    for (const [name, value] of Object.entries(headers ?? {})) {
      const isCookie = name.toLowerCase() === 'cookie';
      // Cookies are added to those of parameters. A name that no header can have is refused when it is written.
      const isFirst = isCookie ? !hasCookie : !(isHeaderName(name) && draft.headers.has(name));
      if (isFirst) draft.header(name, value);
      else if (headers === options.headers && draft.headers.get(name) !== value)
        throw new ClientError(
          'invalid-input',
          `The call has two values for the header ${JSON.stringify(name)}. Pass the value of a parameter in the input only.`,
        );
      hasCookie ||= isCookie;
    }
  }
}

/** Returns whether a text can be the name of a header: a token of RFC 9110, section 5.6.2. */
function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}
