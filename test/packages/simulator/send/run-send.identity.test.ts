import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { receiveAll } from './listen.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';

const question = `
  x-unstated:
    same-event:
      source: '1'
      question: What makes two deliveries the same?
      choices:
        nothing: { meaning: No two deliveries are., value: [] }
        by-id: { meaning: The id., value: ['$request.body#/id'] }
      assumed: nothing`;

const asyncapi = (identity: string, id = 'type: string'): string => `asyncapi: 3.0.0
info:
  title: Parcels
  version: 1.0.0
  x-countersign: 1${identity.includes('unstated') ? question : ''}
channels:
  parcels:
    address: /parcels
    messages:
      shipped:
        ${identity}
        headers: { type: object, properties: { X-Id: { type: string } } }
        payload:
          type: object
          properties: { id: { ${id} }, parent: { type: string }, account: { type: string } }
        examples: [{ payload: { id: evt_1, parent: evt_1, account: AB12345678 } }]
operations:
  send: { action: send, channel: { $ref: '#/channels/parcels' } }
`;

interface Sent {
  readonly note: string;
  readonly result: {
    readonly identity?: unknown;
    readonly fresh?: unknown;
    readonly openIdentity?: unknown;
  };
  readonly bodies: readonly Readonly<Record<string, string>>[];
  readonly ids: readonly (string | undefined)[];
}

/** Sends the example several times, and reports what was sent and said. */
async function sendTwice(
  document: string,
  options: readonly string[] = [],
  count = 2,
): Promise<Sent> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'asyncapi.yaml': document,
    'countersign.config.json': JSON.stringify({
      contract: { asyncapi: 'asyncapi.yaml' },
      scope: '@parcels',
      output: 'out',
      targets: ['contract'],
    }),
  });
  const { url, received } = await receiveAll();
  const parameters = ['send', 'shipped', '--to', url, ...options];
  const shown = await runInProcess(folder, parameters, {});
  expect(shown.code, shown.error).toBe(0);
  for (let index = 2; index < count; index += 1) await runInProcess(folder, parameters, {});
  const machine = await runInProcess(folder, [...parameters, '--json'], {});
  const { results } = JSON.parse(machine.out) as { results: readonly Sent['result'][] };
  return {
    note:
      shown.out.split('\n').find((line) => /event/u.test(line) && !line.startsWith('sent')) ?? '',
    result: results[0] ?? {},
    bodies: received.map(({ body }) => body as Readonly<Record<string, string>>),
    ids: received.map(({ headers }) => headers['x-id']?.toString()),
  };
}

const example = { id: 'evt_1', parent: 'evt_1', account: 'AB12345678' };
const byId = "x-dedupe-by: ['$request.body#/id']";

it('sends a fresh identity where the contract declares one', async () => {
  const { note, result, bodies } = await sendTwice(asyncapi(byId));
  expect(new Set([example.id, ...bodies.map(({ id }) => id)]).size).toBe(3);
  // What refers to the event refers to it still.
  for (const { id, parent } of bodies) expect(parent).toBe(id);
  expect(note).toContain(
    'with a fresh identity ($request.body#/id). Changed with it, because its text was the same: /parent.',
  );
  expect(result).toMatchObject({ identity: ['$request.body#/id'], fresh: true });
});

it('changes nothing but the identity, which never repeats, whatever the example looks like', async () => {
  const document = asyncapi(byId)
    .replaceAll('parent: evt_1', 'parent: order-1001')
    .replaceAll('evt_1', 'cancellation-7');
  const { note, result, bodies } = await sendTwice(document, [], 6);
  expect(bodies).toHaveLength(6);
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(6);
  for (const { id, ...members } of bodies) {
    expect(id).toMatch(/^cancellation-\d{15}$/u);
    expect(members).toEqual({ parent: 'order-1001', account: 'AB12345678' });
  }
  expect(result).toMatchObject({ fresh: true, changed: ['/id'] });
  expect(note).not.toContain('Changed with it');
});

it('does not call an identity fresh of which the contract accepts few values', async () => {
  const document = asyncapi(byId, "type: string, pattern: '^evt_[0-9]$'");
  const { note, result, bodies } = await sendTwice(document);
  expect(bodies).toHaveLength(2);
  for (const { id } of bodies) expect(id).toMatch(/^evt_[02-9]$/u);
  expect(note).toBe(
    'Sent as another event than the example (by $request.body#/id). Changed with it, because its text was the same: /parent. The contract accepts so few values there that an earlier event may have this one. Give other values with --data.',
  );
  expect(result).toMatchObject({ fresh: false, changed: ['/id', '/parent'] });
});

it('sends a fresh header where that is the identity, unless it is given', async () => {
  const document = asyncapi("x-dedupe-by: ['$request.header.X-Id']");
  const fresh = await sendTwice(document);
  expect(new Set(fresh.ids).size).toBe(2);
  expect(fresh.ids).not.toContain(undefined);
  expect(fresh.bodies).toEqual([example, example]);
  expect(fresh.result.fresh).toBe(true);
  const outcome = await sendTwice(document, ['--header', 'x-id: 7']);
  expect(outcome.ids).toEqual(['7', '7']);
  expect(outcome.note).toContain('Sent again, this is the same event');
});

it('sends what the caller gives as it is', async () => {
  const outcome = await sendTwice(asyncapi(byId), ['--data', '{"id":"mine"}']);
  expect(outcome.bodies).toEqual([1, 2].map(() => ({ ...example, id: 'mine' })));
  expect(outcome.note).toContain('Sent again, this is the same event');
  expect(outcome.result).toMatchObject({ fresh: false });
  // Other members leave the identity to the command, and stay as they are.
  const other = await sendTwice(asyncapi(byId), ['--data', '{"account":"CD12345678"}']);
  expect(new Set(other.bodies.map(({ id }) => id)).size).toBe(2);
  expect(other.bodies.map(({ account }) => account)).toEqual(['CD12345678', 'CD12345678']);
});

it('reports that a repeated delivery is the same event where the contract accepts no other', async () => {
  const { note, bodies, result } = await sendTwice(asyncapi(byId, 'const: evt_1'));
  expect(bodies.map(({ id }) => id)).toEqual(['evt_1', 'evt_1']);
  expect(note).toContain('Sent again, this is the same event');
  expect(result).toMatchObject({ fresh: false });
});

it('invents nothing where the contract leaves the identity open', async () => {
  const open = asyncapi('x-dedupe-by: { unstated: same-event }');
  const { note, bodies, result } = await sendTwice(open);
  expect(bodies).toEqual([example, example]);
  expect(note).toBe(
    'The contract leaves open what makes two deliveries the same event (same-event, assumed: nothing). The example was sent as it is.',
  );
  expect(result).toMatchObject({ openIdentity: { question: 'same-event', assumed: 'nothing' } });
  const answered = await sendTwice(open, ['--answer', 'same-event=by-id']);
  expect(new Set(answered.bodies.map(({ id }) => id)).size).toBe(2);
});

it('reports nothing where the contract declares no identity', async () => {
  const { note, bodies, result } = await sendTwice(asyncapi('title: Shipped'));
  expect(bodies).toEqual([example, example]);
  expect(note).toBe('');
  expect(result).not.toHaveProperty('identity');
});
