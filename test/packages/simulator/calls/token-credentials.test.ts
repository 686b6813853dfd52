import { describe, expect, it } from 'vitest';
import { createContext } from '../../../../packages/simulator/src/create-context.ts';
import { compileTokenCredentials } from '../../../../packages/simulator/src/calls/token-credentials.ts';
import type { ReceivedCall } from '../../../../packages/simulator/src/calls/received-call.ts';
import type { Json } from 'countersign/kit';
import type { ServedCredential } from '../../../../packages/simulator/src/index.ts';
import { createMemoryJournal } from '../../../../packages/simulator/src/memory-journal.ts';
import { createClock } from '../../../../packages/simulator/src/virtual-clock.ts';
import { fixtureService } from '../fixture-service.ts';
import { toSecurity } from '../to-security.ts';

const at = (name: string, isOptional = false): NonNullable<ServedCredential['sentBy']> => ({
  operation: 'issueToken',
  in: 'body',
  name,
  ...(isOptional ? { isOptional: true } : {}),
});

function check(credentials: readonly ServedCredential[], isAuthenticated = false) {
  const description = {
    ...fixtureService,
    credentials,
    operations: fixtureService.operations.map((operation) =>
      operation.name === 'issueToken'
        ? { ...operation, security: toSecurity(isAuthenticated ? [['basic']] : []) }
        : operation,
    ),
  };
  const context = createContext(description, {}, createClock(true), createMemoryJournal());
  const compiled = compileTokenCredentials('issueToken', context);
  const call = { secrets: new Set<string>() } as unknown as ReceivedCall;
  return {
    context,
    codes: (body: Json) =>
      compiled(call, { path: {}, query: {}, header: {}, cookie: {} }, body).flatMap(
        ({ code = [] }) => code,
      ),
  };
}

const id: ServedCredential = { name: 'id', form: 'text', sentBy: at('client_id') };
const scope: ServedCredential = {
  name: 'scope',
  form: 'text',
  sentBy: at('scope', true),
  isPublic: true,
};

describe('a value of a token request that is not a secret', () => {
  it.each([undefined, 'shipments.read', 'anything at all', ''])('can be %j', (scopeValue) => {
    const { context, codes } = check([id, scope]);
    const { id: client_id = '' } = context.credentials;
    expect(
      codes({ client_id, ...(scopeValue === undefined ? {} : { scope: scopeValue }) }),
    ).toEqual([]);
  });

  it('is not made up where it is optional, and is not redacted', () => {
    const stated = { ...scope, name: 'granted', value: 'shipments.read' };
    const required: ServedCredential = {
      name: 'audience',
      form: 'text',
      sentBy: at('audience'),
      isPublic: true,
    };
    const { context } = check([scope, stated, required]);
    expect(Object.keys(context.credentials)).toEqual(['granted', 'audience']);
    const { granted = '', audience = '' } = context.credentials;
    expect(context.redactor.redact(`${granted} ${audience}`)).toBe(`shipments.read ${audience}`);
  });
});

describe('an optional credential of a token request', () => {
  const secret: ServedCredential = { name: 'secret', form: 'text', sentBy: at('secret', true) };
  const code: ServedCredential = { name: 'code', form: 'text', sentBy: at('code', true) };

  it('can be absent where another one is sent, or a scheme authenticates the call', () => {
    const { context, codes } = check([secret, code]);
    const { secret: right = '' } = context.credentials;
    expect(codes({ secret: right })).toEqual([]);
    expect(codes({})).toEqual(['missing-token-credential', 'missing-token-credential']);
    expect(codes({ secret: right, code: 'wrong' })).toEqual(['wrong-token-credential']);
    expect(check([secret], true).codes({})).toEqual([]);
  });
});
