import { expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { receiveAll } from '../tools/send/listen.ts';
import { runInProcess } from './run-in-process.ts';

const asyncapi = (identity: string): string => `asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0, x-countersign: 1 }
channels:
  parcels:
    address: /parcels
    messages:
      shipped:
        ${identity}
        payload: { type: object, properties: { id: { type: string } } }
        examples: [{ payload: { id: evt_1 } }]
operations:
  send: { action: send, channel: { $ref: '#/channels/parcels' } }
`;

it.each([
  ["x-dedupe-by: ['$request.body#/id']", ['$request.body#/id']],
  ['title: Shipped', undefined],
])('reports that a repeated delivery is the same event: %s', async (identity, expected) => {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'asyncapi.yaml': asyncapi(identity),
    'countersign.config.json': JSON.stringify({
      contract: { asyncapi: 'asyncapi.yaml' },
      scope: '@parcels',
      output: 'out',
      targets: ['contract'],
    }),
  });
  const { url } = await receiveAll();
  const shown = await runInProcess(folder, ['send', 'shipped', '--to', url], {});
  expect(shown.code, shown.error).toBe(0);
  const note = 'Sent again, this is the same event for a receiver that deduplicates';
  expect(shown.out.includes(note)).toBe(expected !== undefined);
  const machine = await runInProcess(folder, ['send', 'shipped', '--to', url, '--json'], {});
  const { results } = JSON.parse(machine.out) as { results: readonly { identity?: unknown }[] };
  expect(results[0]?.identity).toEqual(expected);
});
