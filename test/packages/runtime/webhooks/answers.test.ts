import { describe, expect, test } from 'vitest';
import { type Answer, createAnswers } from '../../../../packages/runtime/webhooks/answers.ts';
import { Delivery } from '../../../../packages/runtime/webhooks/contract.ts';
import {
  createMemoryReplayStore,
  createReceiver,
  type Outcome,
  type Reactions,
  type ReceiverOptions,
  type Responses,
  type StoringOptions,
  unauthenticated,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { twoKinds } from './two-kinds.ts';

const fixed: Answer = { status: 202, mediaType: 'text/plain', value: { fixed: '[accepted]' } };
const text: Answer = {
  status: 200,
  mediaType: 'text/plain',
  value: { echoes: { body: ['challenge'] } },
};
const json: Answer = {
  status: 200,
  mediaType: 'application/json',
  value: {
    members: new Map([
      ['ok', { fixed: true }],
      ['challenge', { echoes: { query: 'token' } }],
    ]),
  },
};

interface Answers {
  readonly created?: Answer;
  readonly deleted?: Answer;
  readonly common?: Answer;
  readonly responses?: Responses;
}

const event = '{"id":1,"challenge":"s3cret <b>"}';

/** Delivers to a receiver of two kinds, by their paths. */
async function deliver(
  { created, deleted, common, responses = {} }: Answers,
  target: string,
  body: string = event,
  options: Partial<(ReceiverOptions & Reactions) | StoringOptions<never>> = {},
): Promise<Outcome> {
  const answers = new Map(
    Object.entries({ created, deleted }).flatMap(([name, answer]) =>
      answer === undefined ? [] : [[name, answer] as const],
    ),
  );
  const catalogue = { ...twoKinds, answer: createAnswers(answers, common, responses) };
  const handlers = { on: {}, otherwise: { rest: () => undefined }, onInvalid: () => undefined };
  const receive = createReceiver(catalogue, {
    authenticate: unauthenticated(),
    responses,
    ...('inbox' in options ? {} : handlers),
    ...options,
  } as ReceiverOptions & Reactions);
  return await receive({
    method: 'POST',
    target,
    headers: () => [],
    read: () => Buffer.from(body),
  });
}

/** Returns a delivery whose body was read. */
function deliveryOf(body: string): Delivery {
  const read = (): Uint8Array => Buffer.from(body);
  const delivery = new Delivery({ method: 'POST', target: '/', headers: () => [], read }, 0);
  delivery.body = read();
  return delivery;
}

const accepted = {
  status: 202,
  body: '[accepted]',
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
};

test('a handled delivery gets the answer of its kind, and another kind the default response', async () => {
  const answers = { created: fixed };
  expect(await deliver(answers, '/created')).toEqual({ ...accepted, reason: 'handled' });
  const other = await deliver(answers, '/deleted');
  expect(other).toMatchObject({ status: 200, reason: 'handled' });
  expect(other).not.toHaveProperty('body');
});

test.each(['text/json', 'Text/JSON; charset=utf-8'])(
  'an answer in %s is JSON',
  async (mediaType) => {
    const { body, headers } = await deliver({ created: { ...fixed, mediaType } }, '/created');
    expect(body).toBe('"[accepted]"');
    expect(headers).toMatchObject({ 'content-type': mediaType });
  },
);

test('a delivery of no kind gets the answer that every kind has', async () => {
  const answers = { created: fixed, deleted: fixed };
  expect(await deliver({ ...answers, common: fixed }, '/none')).toEqual({
    ...accepted,
    reason: 'unidentified',
  });
  expect(await deliver(answers, '/none')).not.toHaveProperty('body');
});

test('a delivery that was handled before gets the same answer, so that it is not sent again', async () => {
  const replayStore = { ...createMemoryReplayStore(), claim: () => 'seen' as const };
  const kinds = new Map(
    [...twoKinds.kinds].map(([name, kind]) => [name, { ...kind, dedupeBy: [{ body: ['id'] }] }]),
  );
  const catalogue = {
    ...twoKinds,
    kinds,
    answer: createAnswers(new Map([['created', fixed]]), undefined, undefined),
  };
  const receive = createReceiver(catalogue, {
    authenticate: unauthenticated(),
    replayStore,
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  const read = (): Uint8Array => Buffer.from(event);
  const request = { method: 'POST', target: '/created', headers: () => [], read };
  expect(await receive(request)).toEqual({ ...accepted, reason: 'duplicate' });
});

test('a stored delivery gets its answer, also one that is not JSON', async () => {
  const inbox = { receive: async () => ({ status: 'stored' as const }) };
  const answers = { created: fixed, deleted: fixed, common: fixed };
  expect(await deliver(answers, '/created', event, { inbox })).toEqual({
    ...accepted,
    reason: 'stored',
  });
  expect(await deliver(answers, '/created', '[', { inbox })).toEqual({
    ...accepted,
    reason: 'stored-malformed',
  });
});

describe('the default response remains', () => {
  const answers = { created: fixed, deleted: fixed, common: fixed };
  const fail = (): never => {
    throw new Error('failed');
  };

  test.each([
    ['a refused delivery', 401, event, { authenticate: () => false }],
    ['a failed handler', 500, event, { otherwise: { rest: fail }, onEvent: () => undefined }],
    ['an invalid delivery', 422, '{}', {}],
    ['a delivery that is not JSON', 400, '[', {}],
  ])('of %s', async (_, status, body, options) => {
    const outcome = await deliver(answers, '/created', body, options);
    expect(outcome.status).toBe(status);
    expect(outcome.body).not.toContain('accepted');
  });

  test('of an invalid delivery, unless the application accepts it', async () => {
    const onInvalid = (): 'accept' => 'accept';
    expect(await deliver(answers, '/created', '{}', { onInvalid })).toEqual({
      ...accepted,
      reason: 'accepted',
    });
  });

  test("where the application has its own for the delivery's reason", async () => {
    const responses = { handled: 204 };
    expect(await deliver({ ...answers, responses }, '/created')).toMatchObject({ status: 204 });
    expect(await deliver({ ...answers, responses }, '/none')).toMatchObject(accepted);
  });
});

describe('an echo', () => {
  test('of a member is a text that no browser takes for markup', async () => {
    const { body, headers } = await deliver({ created: text }, '/created');
    expect(body).toBe('s3cret <b>');
    expect(headers).toEqual(accepted.headers);
  });

  test('of a query parameter is a member of JSON', async () => {
    const { body, headers } = await deliver({ created: json }, '/created?token=a%22b');
    expect(body).toBe('{"ok":true,"challenge":"a\\"b"}');
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
  });

  test('of a field is that of a form, unless it is repeated', async () => {
    const answer = createAnswers(new Map([['created', text]]), undefined, undefined);
    const answerTo = (form: string): string | undefined => {
      return answer({ reason: 'handled', kinds: ['created'] }, deliveryOf(form))?.body;
    };
    expect(answerTo('a=1&challenge=x+y')).toBe('x y');
    expect(answerTo('challenge=x&challenge=y')).toBeUndefined();
  });

  test.each(['{"id":1}', '{"id":1,"challenge":7}', '{"id":1,"challenge":{"a":1}}'])(
    'of something that is not a text is not sent: %s',
    async (body) => {
      const outcome = await deliver({ created: text }, '/created', body);
      expect(outcome).toMatchObject({ status: 200, reason: 'handled' });
      expect(outcome).not.toHaveProperty('body');
    },
  );
});

test('events of different answers get the default response', () => {
  const answer = createAnswers(new Map([['created', fixed]]), undefined, undefined);
  const delivery = deliveryOf('[]');
  expect(answer({ reason: 'handled', kinds: ['created', 'deleted'] }, delivery)).toBeUndefined();
  expect(answer({ reason: 'handled', kinds: ['created', 'created'] }, delivery)).toMatchObject(
    accepted,
  );
});
