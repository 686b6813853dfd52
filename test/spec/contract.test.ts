import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { lowerAndCheck } from '../rules/lower-and-check.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { load } from '../../generator/load/load.ts';

const folder = fileURLToPath(new URL('../../', import.meta.url));

describe('the contract', () => {
  test('has no problem but the three unions that the source leaves', async () => {
    const { contract, problems } = await read([]);
    expect(problems).toEqual([]);
    const unions = contract.notifications
      .filter(({ ambiguousWith }) => ambiguousWith.length > 0)
      .map(({ id, ambiguousWith }) => [id, ...ambiguousWith].toSorted().join(' or '));
    expect(new Set(unions)).toEqual(
      new Set([
        'charge or chargeReversal',
        'dueDateCharge or staticCharge',
        'cashoutStageOne or cashoutStageTwo',
      ]),
    );
  });

  test('waits for the answers that are options of generated code', async () => {
    const { contract } = await read([]);
    expect(waitingFor(contract)).toEqual([
      'authorization-form',
      'delivery-identity',
      'request-id-on-retry',
      'signature-encoding',
      'signed-path',
      'signed-separator',
      'signing-key-encoding',
      'timestamp-format',
    ]);
  });
});

describe('the example overlays', () => {
  test('settle what they answer and leave a contract without problems', async () => {
    const { contract, problems } = await read(['example.yaml', 'example-signing.yaml']);
    expect(problems).toEqual([]);
    expect(waitingFor(contract)).toEqual([
      'request-id-on-retry',
      'signature-encoding',
      'signed-path',
      'signed-separator',
      'signing-key-encoding',
    ]);
    expect(contract.security).toContainEqual(
      expect.objectContaining({
        accessToken: expect.objectContaining({ value: 'Bearer {token}' }),
      }),
    );
  });

  test('rename the withheld member in the schema and in every example', async () => {
    const { contract } = await read(['example.yaml']);
    const customer = contract.schemas.find(({ name }) => name === 'Customer')?.definition;
    expect(customer).toMatchObject({
      properties: { acmePartnerId: { type: 'string' } },
      required: ['protocolId', 'externalProtocolId', 'document', 'status', 'acmePartnerId'],
    });
    expect(customer).not.toHaveProperty('properties.platformClientId');
    const examples = contract.notifications.flatMap((notification) => [
      ...notification.examples,
      ...notification.invalidExamples,
    ]);
    const withMember = examples.filter((example) =>
      JSON.stringify(example).includes('platformClientId'),
    );
    expect(withMember.map(({ name }) => name)).toEqual([]);
    expect(JSON.stringify(examples)).toContain('acmePartnerId');
  });
});

async function read(
  overlays: readonly string[],
): Promise<{ readonly contract: Contract; readonly problems: readonly string[] }> {
  const documents = await load(
    {
      openapi: 'spec/openapi.yaml',
      asyncapi: 'spec/asyncapi.yaml',
      overlays: overlays.map((name) => `spec/overlays/${name}`),
    },
    { folder },
  );
  const { contract, diagnostics } = await lowerAndCheck(documents);
  const problems = [...documents.diagnostics, ...diagnostics]
    .filter(({ code }) => code !== 'ambiguous-notifications')
    .map(({ code, file, line, message }) => `${file}:${line} ${code}: ${message}`);
  return { contract, problems };
}

function waitingFor(contract: Contract): readonly string[] {
  return contract.unstated
    .filter(({ usedBy }) => usedBy.length > 0)
    .map(({ id }) => id)
    .toSorted();
}
