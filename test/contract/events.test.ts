import { expect, it } from 'vitest';
import { lowerFiles } from './lower/lower-files.ts';

/** A webhook whose deliveries nothing distinguishes from those of another with the same method. */
function webhook(method: string): string {
  const content = '{ application/json: { schema: { type: object } } }';
  return `{ ${method}: { requestBody: { content: ${content} }, responses: { 2XX: { description: Done. } } } }`;
}

async function unionsOf(
  webhooks: readonly (readonly [name: string, method: string])[],
): Promise<readonly (readonly [handler: string, eventType: string])[]> {
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Doors, version: 1.0.0 }
webhooks:
${webhooks.map(([name, method]) => `  ${name}: ${webhook(method)}\n`).join('')}`,
  });
  return contract.unions.map(({ name, eventType }) => [name, eventType]);
}

it('a union has a name of its kinds, whatever other unions there are and however they are ordered', async () => {
  const posted = ['opened', 'closed', 'locked', 'broken', 'sold'].map(
    (name) => [name, 'post'] as const,
  );
  const put = ['east', 'west', 'north', 'south'].map((name) => [name, 'put'] as const);
  const ofPosted = [
    'brokenOrClosedOrLockedOr2More_8806',
    'BrokenOrClosedOrLockedOr2More_8806Event',
  ];
  const ofPut = ['eastOrNorthOrSouthOr1More_daf8', 'EastOrNorthOrSouthOr1More_daf8Event'];
  expect(await unionsOf([...posted, ...put])).toEqual([ofPosted, ofPut]);
  expect(await unionsOf([...put, ...posted.toReversed()])).toEqual([ofPut, ofPosted]);
  expect(await unionsOf(put)).toEqual([ofPut]);
});

it('a union of up to three kinds names all of them', async () => {
  const gates = ['gate', 'door', 'window'].map((name) => [name, 'post'] as const);
  const named = [['doorOrGateOrWindow', 'DoorOrGateOrWindowEvent']];
  expect(await unionsOf(gates)).toEqual(named);
  expect(await unionsOf(gates.toReversed())).toEqual(named);
});

it('another set of as many kinds has another name', async () => {
  const set = (...names: readonly string[]): readonly (readonly [string, 'post'])[] =>
    names.map((name) => [name, 'post']);
  const [[first] = []] = await unionsOf(set('a', 'b', 'c', 'd', 'e'));
  const [[second] = []] = await unionsOf(set('a', 'b', 'c', 'd', 'f'));
  expect(first).toMatch(/^aOrBOrCOr2More_/u);
  expect(second).toMatch(/^aOrBOrCOr2More_/u);
  expect(second).not.toBe(first);
});

it('an event that has the name of a type of all receivers gets an underscore', async () => {
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Doors, version: 1.0.0 }
webhooks:
  webhook: ${webhook('post')}
  webhook-event: ${webhook('put')}
`,
  });
  expect(contract.notifications.map(({ eventType }) => eventType)).toEqual([
    'WebhookEvent_',
    'WebhookEventEvent',
  ]);
});
