import { expect, test } from 'vitest';
import { checkedParameters, validatedSchemas } from '../../generator/contract/validated-schemas.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { planValidators } from '../../generator/validators/validator-units.ts';
import { lowerFiles } from './lower/lower-files.ts';

const json = (schema: object): object => ({ 'application/json': { schema } });

function parameter(name: string, schema: object, more: object = {}): object {
  return { name, in: 'query', schema, ...more };
}

async function lowerParameters(
  operations: readonly (readonly object[])[],
  more: object = {},
): Promise<Contract> {
  const paths = operations.map((parameters, index) => [
    `/${index}`,
    {
      get: { operationId: `get${index}`, parameters, responses: { 204: { description: 'Done.' } } },
    },
  ]);
  const document = {
    openapi: '3.1.1',
    info: { title: 'Parameters', version: '1.0.0', 'x-countersign': 1 },
    paths: Object.fromEntries(paths) as object,
    ...more,
  };
  const { contract } = await lowerFiles({ 'openapi.yaml': JSON.stringify(document) });
  return contract;
}

function namesOf(contract: Contract): readonly (readonly string[])[] {
  return contract.operations.map((operation) =>
    checkedParameters(contract, operation).map(({ parameter: { name } }) => name),
  );
}

test('equal schemas of parameters have one validator, whatever they say beside', async () => {
  const contract = await lowerParameters([
    [
      parameter('limit', { type: 'integer', minimum: 1, description: 'The limit.', default: 10 }),
      parameter('page', { type: 'integer', minimum: 1 }),
    ],
    [parameter('size', { minimum: 1, type: 'integer', example: 7 })],
  ]);
  expect(namesOf(contract)).toEqual([['limit', 'page'], ['size']]);
  const { units } = planValidators(validatedSchemas(contract));
  expect([...units.keys()]).toEqual([expect.stringMatching(/^Parameter[0-9a-f]{12}$/u)]);
});

test('a parameter that accepts every text has no validator', async () => {
  const contract = await lowerParameters([
    [
      parameter('text', { type: 'string', description: 'Any.' }),
      parameter('orNull', { type: ['string', 'null'] }),
      parameter('unknown', { type: 'string', format: 'colour' }),
      parameter('any', {}),
      { name: 'anyJson', in: 'query', content: json({}) },
      { name: 'json', in: 'query', content: json({ type: 'string' }) },
      parameter('short', { type: 'string', maxLength: 3 }),
      parameter('flag', { type: 'boolean' }),
    ],
  ]);
  expect(namesOf(contract)).toEqual([['json', 'short', 'flag']]);
});

test('what only the client writes has no validator', async () => {
  const contract = await lowerParameters(
    [
      [
        parameter('key', { type: 'string', minLength: 32 }),
        parameter('trace', { type: 'string', format: 'uuid' }, { 'x-every-request': 'uuid' }),
        parameter('at', { type: 'integer' }, { 'x-every-request': 'timestamp' }),
        parameter('own', { type: 'string', format: 'uuid' }),
      ],
    ],
    {
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
    },
  );
  expect(namesOf(contract)).toEqual([['trace', 'own']]);
});

test('a validator of a parameter calls that of the schema that it refers to', async () => {
  const state = { type: 'string', enum: ['open', 'closed'] };
  const items = { type: 'array', items: { $ref: '#/components/schemas/State' } };
  const contract = await lowerParameters([[parameter('states', items)]], {
    components: { schemas: { State: state, Other: state } },
  });
  const { units } = planValidators(validatedSchemas(contract));
  expect([...units.keys()]).toEqual(['State', expect.stringMatching(/^Parameter/u)]);
  expect([...units.values()].map(({ references }) => references)).toEqual([[], ['State']]);
});

test('the result is the same object for the same contract', async () => {
  const contract = await lowerParameters([[parameter('flag', { type: 'boolean' })]]);
  expect(validatedSchemas({ ...contract })).toBe(validatedSchemas(contract));
});
