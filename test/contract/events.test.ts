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
  const ofPosted = ['brokenOrClosedOrLockedOr2More', 'BrokenOrClosedOrLockedOr2MoreEvent'];
  const ofPut = ['eastOrNorthOrSouthOr1More', 'EastOrNorthOrSouthOr1MoreEvent'];
  expect(await unionsOf([...posted, ...put])).toEqual([ofPosted, ofPut]);
  expect(await unionsOf([...put, ...posted.toReversed()])).toEqual([ofPut, ofPosted]);
  expect(await unionsOf(put)).toEqual([ofPut]);
});

it('a union of up to three kinds names all of them', async () => {
  const gates = ['gate', 'door', 'window'].map((name) => [name, 'post'] as const);
  expect(await unionsOf(gates)).toEqual([['gateOrDoorOrWindow', 'GateOrDoorOrWindowEvent']]);
});
