import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../generator/contract/contract.ts';
import { readContract } from '../../generator/generate.ts';

const kinds = ['created', 'moved', 'lost', 'returned'];

const messages = Object.fromEntries(
  kinds.map((kind) => [
    kind,
    {
      summary: `A parcel was ${kind}.`,
      payload: {
        type: 'object',
        properties: { event: { const: kind }, parcel: { type: 'string' } },
        required: ['event', 'parcel'],
      },
      examples: [{ name: 'plain', payload: { event: kind, parcel: 'P1' } }],
    },
  ]),
);

/** The AsyncAPI document of a contract with a notification for each thing that happens to parcels. */
export const parcels: object = {
  asyncapi: '3.0.0',
  info: { title: 'Parcels', version: '2.0.0' },
  defaultContentType: 'application/json',
  channels: {
    parcels: {
      address: '/parcels',
      messages: Object.fromEntries(
        kinds.map((kind) => [kind, { $ref: `#/components/messages/${kind}` }]),
      ),
    },
  },
  operations: {
    tell: { action: 'send', channel: { $ref: '#/channels/parcels' } },
  },
  components: { messages },
};

/** The contract of that document. */
export async function readParcels(): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-parcels-'));
  try {
    await writeFile(join(folder, 'asyncapi.json'), JSON.stringify(parcels));
    const config = {
      contract: { asyncapi: 'asyncapi.json' },
      scope: '@parcels',
      output: 'generated',
      targets: [],
    };
    const { contract, diagnostics } = await readContract(config, folder);
    if (contract === undefined) throw new Error(JSON.stringify(diagnostics));
    return contract;
  } finally {
    await rm(folder, { recursive: true });
  }
}
