import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallEntry, CheckStep } from '../../../../packages/simulator/src/entry.ts';
import {
  newRequestId,
  obtainToken,
  requestToken,
  type RunningCalls,
  sendSigned,
  type SignedRequest,
  startCalls,
} from '../fixture-client.ts';

let running: RunningCalls;
/** The same service whose key is Base64. */
let decoding: RunningCalls;

beforeAll(async () => {
  running = await startCalls({ manualClock: true });
  decoding = await startCalls({ answers: { 'key-encoding': 'base64' } });
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await decoding[Symbol.asyncDispose]();
});

const body = '{"name": "new", "note": "é"}';

async function signed(
  change: Partial<SignedRequest> = {},
  service: RunningCalls = running,
): Promise<Response> {
  const authorization = await obtainToken(service);
  return sendSigned(service, {
    body,
    ...change,
    headers: { authorization, ...change.headers },
  });
}

function lastOf(service: RunningCalls): CallEntry | undefined {
  return service.entries().at(-1);
}

function failureOf(entry: CallEntry | undefined): CheckStep | undefined {
  return entry?.steps.find(({ outcome }) => outcome === 'failed');
}

interface Fault {
  readonly fault: string;
  readonly send: () => Promise<Response>;
  readonly status: number;
  readonly step: CheckStep['name'];
  readonly code: string;
  readonly fix: RegExp;
  readonly service?: () => RunningCalls;
}

const thing = { method: 'GET', target: '/things/3?deep=true', body: '' };

const faults: readonly Fault[] = [
  {
    fault: 'wrong key',
    send: () => signed({ key: 'another key' }),
    status: 401,
    step: 'signature',
    code: 'signature-mismatch',
    fix: /the key is the credential `signingSecret`/u,
  },
  {
    fault: 'key not decoded',
    send: () => signed({ key: decoding.context.credentials['signingSecret'] ?? '' }, decoding),
    status: 401,
    step: 'signature',
    code: 'key-not-decoded',
    fix: /Decode the key from Base64/u,
    service: () => decoding,
  },
  {
    fault: 'body re-serialized',
    send: () => signed({ signedBody: JSON.stringify(JSON.parse(body)) }),
    status: 401,
    step: 'signature',
    code: 'body-written-again',
    fix: /Sign the exact bytes/u,
  },
  {
    fault: 'path with query',
    send: () => signed({ ...thing, signedPath: thing.target }),
    status: 401,
    step: 'signature',
    code: 'path-with-query',
    fix: /--answer signed-path=path-and-query/u,
  },
  {
    fault: 'timestamp in seconds',
    send: () => signed({ timestamp: String(Math.floor(Date.now() / 1000)) }),
    status: 401,
    step: 'timestamp',
    code: 'timestamp-in-unix-seconds',
    fix: /as iso-8601 in the header `X-Timestamp`, such as .*--answer timestamp-format=unix-seconds/u,
  },
  {
    fault: 'missing header',
    send: () => signed({ headers: { 'x-request-id': '' } }),
    status: 400,
    step: 'parameters',
    code: 'missing-header',
    fix: /Send the header `X-Request-Id`/u,
  },
  {
    fault: 'expired token',
    send: async () => {
      const authorization = await obtainToken(running);
      await running.context.clock.advance('2h');
      return sendSigned(running, { body, headers: { authorization } });
    },
    status: 401,
    step: 'token',
    code: 'expired-token',
    fix: /Call `issueToken`/u,
  },
  {
    fault: 'Bearer against raw',
    send: async () =>
      signed({ headers: { authorization: `Bearer ${await obtainToken(running)}` } }),
    status: 401,
    step: 'token',
    code: 'token-with-bearer',
    fix: /as `\{token\}`.*--answer authorization-form=bearer/u,
  },
  {
    fault: 'form as JSON',
    send: () =>
      requestToken(running, {
        body: '{"client_id":"a","client_secret":"b"}',
        headers: { 'content-type': 'application/json' },
      }),
    status: 415,
    step: 'media-type',
    code: 'form-as-json',
    fix: /application\/x-www-form-urlencoded/u,
  },
  {
    fault: 'wrong method',
    send: () => signed({ method: 'PUT' }),
    status: 405,
    step: 'method',
    code: 'wrong-method',
    fix: /Send it with POST/u,
  },
  {
    fault: 'two requests with one id',
    send: async () => {
      const requestId = newRequestId();
      await signed({ requestId });
      return signed({ requestId, body: '{"name":"another"}' });
    },
    status: 409,
    step: 'request-id',
    code: 'request-id-reused',
    fix: /new UUID for every call/u,
  },
  {
    fault: 'clock 10 minutes off',
    send: () => signed({ timestamp: new Date(Date.now() - 600_000).toISOString() }),
    status: 401,
    step: 'timestamp',
    code: 'timestamp-too-old',
    fix: /Synchronize the clock/u,
  },
];

test.each(faults)('names the fault "$fault" with its fix', async (fault) => {
  const response = await fault.send();
  const entry = lastOf((fault.service ?? (() => running))());
  const failure = failureOf(entry);
  expect([failure?.name, failure?.code]).toEqual([fault.step, fault.code]);
  expect(failure?.fix).toMatch(fault.fix);
  expect(response.status).toBe(fault.status);
  expect(response.headers.get('simulator-refusal')).toBe(fault.code);
  // Nothing else is wrong with the call.
  const otherFailures = entry?.steps.filter(
    (step) => step.outcome === 'failed' && step !== failure,
  );
  expect(otherFailures).toEqual([]);
});

test('warns of a request id that comes again with the same request', async () => {
  const requestId = newRequestId();
  await signed({ requestId });
  const response = await signed({ requestId });
  expect(response.status).toBe(201);
  const warned = lastOf(running)?.steps.filter(({ outcome }) => outcome === 'warned');
  expect(warned?.map(({ name, code }) => [name, code])).toEqual([
    ['request-id', 'request-id-repeated'],
  ]);
});

test('answers a refusal as the contract declares it', async () => {
  const declared = await signed({ ...thing, headers: { authorization: 'unknown' } });
  expect([declared.status, await declared.json()]).toEqual([401, { error: 'not authenticated' }]);
  const range = await signed({ body: '{"name":1}' });
  expect([range.status, await range.json()]).toEqual([422, { error: 'refused' }]);
  const plain = await requestToken(running, { key: 'another key' });
  expect([plain.status, plain.headers.get('content-type')]).toEqual([
    401,
    'application/problem+json',
  ]);
  expect(await plain.json()).toMatchObject({ status: 401, code: 'signature-mismatch' });
});

test('reports everything that is wrong with a call', async () => {
  const response = await sendSigned(running, {
    body: '{"size":"large"}',
    key: 'another key',
    timestamp: new Date(Date.now() + 600_000).toISOString(),
    headers: { 'x-key': 'wrong', 'x-request-id': 'none' },
  });
  expect(response.status).toBe(401);
  const failures = lastOf(running)?.steps.filter(({ outcome }) => outcome === 'failed');
  expect(failures?.map(({ code }) => code)).toEqual([
    'wrong-api-key',
    'missing-token',
    'timestamp-too-new',
    'signature-mismatch',
    'invalid-parameters',
    'invalid-body',
  ]);
  expect(failures?.at(-1)?.violations).toEqual([
    { pointer: '', keyword: 'required', message: "must have required property 'name'" },
    { pointer: '/size', keyword: 'type', message: 'must be number' },
  ]);
});
