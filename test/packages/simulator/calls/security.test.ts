import { expect, test } from 'vitest';
import {
  type AccessTokens,
  createAccessTokens,
} from '../../../../packages/simulator/src/calls/access-tokens.ts';
import type { ReceivedCall } from '../../../../packages/simulator/src/calls/received-call.ts';
import { compileSecurity } from '../../../../packages/simulator/src/calls/security.ts';
import type { SimulatorContext } from '../../../../packages/simulator/src/context.ts';
import { createContext } from '../../../../packages/simulator/src/create-context.ts';
import { createMemoryJournal } from '../../../../packages/simulator/src/memory-journal.ts';
import type { ServedScheme } from '../../../../packages/simulator/src/service.ts';
import type { SimulatorOptions } from '../../../../packages/simulator/src/simulator.ts';
import { createClock } from '../../../../packages/simulator/src/virtual-clock.ts';
import { fixtureData, fixtureService } from '../fixture-service.ts';
import { toSecurity } from '../to-security.ts';

const accessToken = fixtureData.security.find((scheme) => scheme.accessToken)?.accessToken;
if (accessToken === undefined) throw new Error('The fixture has an access token.');

const schemes: readonly ServedScheme[] = [
  { id: 'headerKey', type: 'apiKey', in: 'header', parameterName: 'X-Key', credential: 'key' },
  { id: 'queryKey', type: 'apiKey', in: 'query', parameterName: 'key', credential: 'key' },
  { id: 'cookieKey', type: 'apiKey', in: 'cookie', parameterName: 'key', credential: 'key' },
  { id: 'basic', type: 'http', httpScheme: 'basic', credential: 'login' },
  { id: 'bearer', type: 'http', httpScheme: 'bearer', credential: 'key' },
  { id: 'oauth', type: 'oauth2' },
  { id: 'mutual', type: 'mutualTLS' },
  { id: 'token', type: 'oauth2', accessToken },
];

function prepare(options: SimulatorOptions = {}): {
  readonly context: SimulatorContext;
  readonly tokens: AccessTokens;
} {
  const context = createContext(
    {
      ...fixtureService,
      security: schemes,
      credentials: [
        { name: 'key', form: 'text' },
        { name: 'login', form: 'pair' },
      ],
    },
    { credentials: { key: 'the key é', login: 'user:pass:word' }, ...options },
    createClock(true),
    createMemoryJournal(),
  );
  return { context, tokens: createAccessTokens(context) };
}

function callWith(
  headers: Readonly<Record<string, string | readonly string[]>>,
  query = '',
): ReceivedCall {
  return {
    method: 'GET',
    url: '',
    path: '/',
    query,
    headers: (name) => [headers[name] ?? []].flat(),
    rawHeaders: [],
    body: new Uint8Array(),
    secrets: new Set(),
  };
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

interface Case {
  readonly security: readonly (readonly string[])[];
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly query?: string;
  /** The code of each step, or its outcome. */
  readonly codes: readonly string[];
}

test.each<Case>([
  { security: [], codes: [] },
  { security: [[]], codes: [] },
  { security: [['headerKey']], headers: { 'x-key': 'the key é' }, codes: ['passed'] },
  { security: [['headerKey']], headers: { 'x-key': 'the key' }, codes: ['wrong-api-key'] },
  {
    security: [['headerKey']],
    headers: { 'x-key': ['the key é', 'x'] },
    codes: ['repeated-api-key'],
  },
  { security: [['headerKey']], codes: ['missing-api-key'] },
  { security: [['queryKey']], query: 'a=1&key=the+key+%C3%A9', codes: ['passed'] },
  { security: [['queryKey']], query: 'key=the', codes: ['wrong-api-key'] },
  {
    security: [['cookieKey']],
    headers: { cookie: 'a=1; key=the%20key%20%C3%A9' },
    codes: ['passed'],
  },
  { security: [['basic']], headers: { authorization: basic('user:pass:word') }, codes: ['passed'] },
  {
    security: [['basic']],
    headers: { authorization: basic('user:other') },
    codes: ['wrong-credentials'],
  },
  {
    security: [['basic']],
    headers: { authorization: 'Bearer x' },
    codes: ['wrong-authentication-scheme'],
  },
  { security: [['basic']], codes: ['missing-authorization'] },
  { security: [['bearer']], headers: { authorization: 'bearer the key é' }, codes: ['passed'] },
  {
    security: [['bearer']],
    headers: { authorization: 'the key é' },
    codes: ['wrong-authentication-scheme'],
  },
  { security: [['oauth']], headers: { authorization: 'Bearer any' }, codes: ['passed'] },
  { security: [['oauth']], codes: ['missing-authorization'] },
  { security: [['mutual']], codes: ['scheme-not-checked'] },
  { security: [['basic'], ['headerKey']], headers: { 'x-key': 'the key é' }, codes: ['passed'] },
  { security: [['basic'], ['headerKey']], headers: { 'x-key': 'wrong' }, codes: ['wrong-api-key'] },
  { security: [['basic'], []], codes: [] },
  { security: [['bearer', 'queryKey']], codes: ['missing-api-key', 'missing-authorization'] },
])('checks $security with $headers $query', async ({ security, headers = {}, query, codes }) => {
  const { context, tokens } = prepare();
  const { check } = compileSecurity(context, tokens)({ security: toSecurity(security) });
  const steps = await check(callWith(headers, query));
  expect(steps.map(({ code, outcome }) => code ?? outcome)).toEqual(codes);
  for (const step of steps) if (step.outcome === 'failed') expect(step.fix).toBeTruthy();
});

test.each([
  ['raw', '{token}', 'passed', undefined],
  ['raw', 'Bearer {token}', 'token-with-bearer', 'authorization-form=bearer'],
  ['raw', 'x{token}', 'unknown-token', undefined],
  ['bearer', 'Bearer {token}', 'passed', undefined],
  ['bearer', '{token}', 'token-without-bearer', 'authorization-form=raw'],
  ['bearer', 'bearer {token}', 'token-form', undefined],
])('with the answer %s, a token sent as %s is %s', async (answer, template, code, suggested) => {
  const { context, tokens } = prepare({ answers: { 'authorization-form': answer } });
  const { check } = compileSecurity(context, tokens)({ security: toSecurity([['token']]) });
  const token = tokens.create();
  tokens.issue('token', token, 1);
  const call = callWith({ authorization: template.replace('{token}', token) });
  const [step] = await check(call);
  expect(step?.code ?? step?.outcome).toBe(code);
  if (suggested !== undefined) expect(step?.fix).toContain(`--answer ${suggested}`);
  if (code !== 'passed') return;
  await context.clock.advance(999);
  expect((await check(call))[0]?.outcome).toBe('passed');
  await context.clock.advance('2s');
  const [late] = await check(call);
  expect([late?.code, late?.message]).toEqual([
    'expired-token',
    'The lifetime of the access token ended 1 s ago.',
  ]);
});
