import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../../../generator/contract/contract.ts';
import { readContract } from '../../../../generator/generate.ts';

const everything = ['created', 'moved', 'lost', 'returned'];

const signature = {
  type: 'httpApiKey',
  in: 'header',
  name: 'x-signature',
  'x-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'webhookSecret', encoding: 'utf-8' },
    over: ['$request.body'],
    encoding: 'hex',
    value: '{signature}',
  },
};

/** The AsyncAPI document of a contract with a notification for each thing that happens to parcels. */
export function describeParcels({
  kinds = everything,
  info = {},
  each = {},
  signatures = [],
  secrets = [],
  inPath = false,
  statesNone = false,
}: {
  readonly kinds?: readonly string[];
  /** More to say about the contract. */
  readonly info?: object;
  /** More to say about each notification. */
  readonly each?: object;
  /** The names of the signatures of which each notification carries one. */
  readonly signatures?: readonly string[];
  /** The names of the secrets in headers of which each notification carries one. */
  readonly secrets?: readonly string[];
  /** Whether these are segments of the path instead. */
  readonly inPath?: boolean;
  /** Whether it says that nothing authenticates a notification. */
  readonly statesNone?: boolean;
} = {}): object {
  const toMessage = (kind: string): object => ({
    summary: `A parcel was ${kind}.`,
    payload: {
      type: 'object',
      properties: { event: { const: kind }, parcel: { type: 'string' } },
      required: ['event', 'parcel'],
    },
    examples: [{ name: 'plain', payload: { event: kind, parcel: 'P1' } }],
    ...each,
  });
  const names = [...signatures, ...secrets];
  const referTo = (kind: string): object => ({ $ref: `#/components/messages/${kind}` });
  const byKind = (make: (kind: string) => object): object =>
    Object.fromEntries(kinds.map((kind) => [kind, make(kind)]));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Parcels', version: '2.0.0', ...info },
    defaultContentType: 'application/json',
    channels: { parcels: { address: '/parcels', messages: byKind(referTo) } },
    operations: {
      tell: {
        action: 'send',
        channel: { $ref: '#/channels/parcels' },
        ...(names.length === 0 && !statesNone
          ? {}
          : { security: names.map((name) => ({ $ref: `#/components/securitySchemes/${name}` })) }),
      },
    },
    components: {
      messages: byKind(toMessage),
      securitySchemes: {
        ...Object.fromEntries(signatures.map((name) => [name, signature])),
        ...Object.fromEntries(
          secrets.map((name) => [
            name,
            {
              type: 'httpApiKey',
              in: 'header',
              name: `X-${name}`,
              ...(inPath ? { 'x-in-path': true } : {}),
            },
          ]),
        ),
      },
    },
  };
}

/** The contract of that document. */
export async function readParcels(
  options: Parameters<typeof describeParcels>[0] = {},
): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-parcels-'));
  try {
    await writeFile(join(folder, 'asyncapi.json'), JSON.stringify(describeParcels(options)));
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
