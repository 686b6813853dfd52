import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import type { JsonObject } from '../../generator/json/json.ts';
import { selectFiles, type Selected } from './select-files.ts';

const head = `openapi: 3.1.2
info: { title: Store, version: 1.0.0 }
`;
const ok = "responses: { '200': { description: All. } }";

/** Operations and notifications of a contract, by id. */
function unitsOf({ contract }: Selected): readonly string[] {
  return [...contract.operations, ...contract.notifications].map(({ id }) => id);
}

function lines(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ severity, code, line, help }) => {
    return `${severity} ${code} ${line}: ${help.replace(/^.*until then, /su, '')}`;
  });
}

test('costs the operations that need it; a schema accepts any value, and other objects lose it', async () => {
  const openapi = `${head}paths:
  /items:
    get:
      operationId: listItems
      responses:
        '200':
          description: All.
          headers: { x-page: { $ref: '#/components/headers/None' } }
          links: { next: { $ref: '#/components/links/None' } }
          content:
            application/json:
              schema: { type: array, items: { $ref: 'https://example.com/item.json' } }
              examples: { one: { $ref: './one.yaml' }, two: { value: [2] } }
  /orders:
    parameters: [{ $ref: '#/components/parameters/None' }]
    get: { operationId: listOrders, ${ok} }
    post: { operationId: addOrder, ${ok} }
  /refunds:
    get: { operationId: listRefunds, ${ok} }
    post: { operationId: addRefund, requestBody: { $ref: '#/components/requestBodies/Refund' }, ${ok} }
  /gone: { $ref: ./gone.yaml }
components:
  requestBodies:
    Refund: { $ref: './refund.yaml' }
  parameters:
    Unused: { $ref: './unused.yaml' }
`;
  const selected = await selectFiles({ openapi }, {});
  expect(lines(selected.diagnostics)).toEqual([
    'warning unresolved-reference 10: the header is left out.',
    'warning unresolved-reference 11: the link is left out.',
    'warning remote-reference 14: any value is accepted.',
    'warning unresolved-reference 15: the example is left out.',
    'warning unresolved-reference 17: the operations "listOrders", "addOrder" are left out.',
    'warning unresolved-reference 22: the operation "addRefund" is left out.',
    'warning unresolved-reference 23: the operation "/gone" is left out.',
    'warning unresolved-reference 26: the operation "addRefund" is left out.',
    'warning unresolved-reference 28: the parameter is left out.',
  ]);
  expect(unitsOf(selected)).toEqual(['listItems', 'listRefunds']);
  const [items] = selected.contract.operations;
  const [response] = items?.responses ?? [];
  expect(response?.headers).toEqual([]);
  expect(response?.content[0]?.examples.map(({ value }) => value)).toEqual([[2]]);
  const { definition } = selected.contract.schemas.at(0) ?? {};
  expect(definition).toEqual({ type: 'array', items: {} });
  expect(JSON.stringify(selected.contract.documents)).not.toMatch(
    /None|gone|Refund\b|unused|https/u,
  );
});

test('costs the calls that need credentials which are not described', async () => {
  const openapi = `${head}security: [{ key: [] }]
paths:
  /a: { get: { operationId: a, ${ok} } }
  /b: { get: { operationId: b, security: [], ${ok} } }
  /c: { get: { operationId: c, security: [{ other: [] }], ${ok} } }
components:
  securitySchemes:
    key: { $ref: './key.yaml' }
    other: { type: http, scheme: bearer }
`;
  const selected = await selectFiles({ openapi }, {});
  expect(lines(selected.diagnostics)).toEqual([
    'warning unresolved-reference 10: the operation "a" is left out.',
  ]);
  expect(unitsOf(selected)).toEqual(['b', 'c']);
});

test('costs a callback, and not the call that has it', async () => {
  const openapi = `${head}paths:
  /a:
    post:
      operationId: a
      ${ok}
      callbacks:
        told: { $ref: '#/components/callbacks/None' }
        sent:
          '{$request.body#/url}':
            post: { requestBody: { $ref: '#/components/requestBodies/None' }, ${ok} }
        lent:
          '{$request.body#/url}':
            post: { security: [], requestBody: { content: { application/json: { schema: { type: string } } } }, ${ok} }
`;
  const selected = await selectFiles({ openapi }, {});
  expect(lines(selected.diagnostics)).toEqual([
    'warning unresolved-reference 9: the callback is left out.',
    'warning unresolved-reference 12: the notification "sent" is left out.',
  ]);
  expect(unitsOf(selected)).toEqual(['a', 'lent']);
});

test('in the security of the document costs calls, and no webhook or callback', async () => {
  const body = `requestBody: { content: { application/json: { schema: { type: string } } } }, ${ok}`;
  const openapi = `${head}security: [{ key: [] }]
paths:
  /a:
    post:
      operationId: a
      ${ok}
  /b:
    post:
      operationId: b
      security: []
      ${ok}
      callbacks: { told: { '{$request.body#/url}': { post: { ${body} } } } }
webhooks:
  sent: { post: { ${body} } }
components: { securitySchemes: { key: { $ref: '#/components/securitySchemes/None' } } }
`;
  const selected = await selectFiles({ openapi }, {});
  expect(unitsOf(selected)).toEqual(['b', 'sent', 'told']);
});

test('costs an entry of a mapping, and neither its union nor the other entries', async () => {
  const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
  const animal = '{ type: object, required: [kind], properties: { kind: { type: string } } }';
  const openapi = `${head}paths:
  /pet:
    get:
      operationId: getPet
      responses: { '200': { description: A., content: { application/json: { schema: ${ref('Pet')} } } } }
components:
  schemas:
    Cat: ${animal}
    Dog: ${animal}
    Pet:
      oneOf: [${ref('Cat')}, ${ref('Dog')}]
      discriminator:
        propertyName: kind
        mapping:
          cat: '#/components/schemas/Cat'
          bird: '#/components/schemas/Bird'
          fish: ./fish.yaml
          fox: https://example.com/fox.yaml
          dog: '#/components/schemas/Dog'
`;
  const selected = await selectFiles({ openapi }, {});
  expect(lines(selected.diagnostics)).toEqual([
    'warning unresolved-reference 18: the value "bird" selects no schema.',
    'warning unresolved-reference 19: the value "fish" selects no schema.',
    'warning remote-reference 20: the value "fox" selects no schema.',
  ]);
  expect(unitsOf(selected)).toEqual(['getPet']);
  const { discriminator } = (
    selected.contract.documents.openapi as {
      readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
    }
  ).components.schemas['Pet'] ?? { discriminator: undefined };
  expect(discriminator).toMatchObject({
    mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
  });
  expect(JSON.stringify(discriminator)).not.toMatch(/bird|fish|fox/u);
  const strict = openapi.replace('version: 1.0.0', 'version: 1.0.0, x-countersign: 1');
  const refused = await selectFiles({ openapi: strict }, {});
  expect(refused.diagnostics.filter(({ severity }) => severity === 'error').length).toBe(3);
});

test('costs the notifications of AsyncAPI that need it', async () => {
  const asyncapi = `asyncapi: 3.0.0
info: { title: Store, version: 1.0.0 }
channels:
  sold: { address: /sold, messages: { sold: { payload: { $ref: './sold.yaml' } } } }
  lost: { address: /lost, messages: { lost: { $ref: './lost.yaml' } } }
operations:
  onSold: { action: send, channel: { $ref: '#/channels/sold' } }
  onLost: { action: send, channel: { $ref: '#/channels/lost' } }
  onGone: { action: send, channel: { $ref: '#/channels/gone' } }
`;
  const selected = await selectFiles({ asyncapi }, {});
  expect(selected.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(unitsOf(selected)).toEqual(['sold']);
  expect(selected.contract.schemas.map(({ definition }) => definition)).toEqual([{}]);
});

describe('a schema with a reference without a target', () => {
  /** The schema of the only response, after its references are removed. */
  async function definitionOf(schema: string, more = ''): Promise<unknown> {
    const openapi = `${head}paths:
  /a:
    get:
      operationId: a
      responses: { '200': { description: All., content: { application/json: { schema: ${schema} } } } }
components:
  schemas:
    Gone: { $ref: './none.yaml' }
    Part: { type: object, properties: { kind: { $ref: './kind.yaml' } } }
    Other: { type: string }
${more}`;
    const { contract, diagnostics } = await selectFiles({ openapi }, {});
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const name = contract.operations[0]?.responses[0]?.content[0]?.schema;
    return contract.schemas.find((candidate) => candidate.name === name)?.definition;
  }
  const gone = "{ $ref: '#/components/schemas/Gone' }";
  const part = "{ $ref: '#/components/schemas/Part' }";

  // Each would refuse values that it accepts with the target, if only the reference were replaced.
  test.each<[what: string, schema: string, lost: readonly string[]]>([
    ['one of several alternatives', `{ oneOf: [{ type: string }, ${gone}] }`, ['oneOf']],
    ['a part of an alternative', `{ oneOf: [{ type: object }, ${part}] }`, ['oneOf']],
    ['what is not accepted', `{ type: string, not: ${gone} }`, ['not']],
    ['a condition', `{ if: ${gone}, then: { type: string }, else: false }`, ['if', 'then', 'else']],
    [
      'a limited number of items',
      `{ type: array, contains: ${gone}, maxContains: 1 }`,
      ['maxContains'],
    ],
    [
      'members that are not evaluated',
      `{ allOf: [${gone}], unevaluatedProperties: false }`,
      ['unevaluatedProperties'],
    ],
  ])('accepts at least what it accepts with its target: %s', async (_, schema, lost) => {
    const definition = (await definitionOf(`{ title: It, ${schema.slice(1, -1)} }`)) as JsonObject;
    expect(definition['title']).toBe('It');
    for (const keyword of lost) expect(definition).not.toHaveProperty(keyword);
    if (lost.includes('oneOf')) expect(definition['anyOf']).toHaveLength(2);
  });

  test('keeps the keywords that refuse nothing more', async () => {
    const schema = `{ type: object, required: [a], properties: { a: ${gone}, b: { oneOf: [{ type: string }, { type: integer }] } } }`;
    expect(await definitionOf(schema)).toMatchObject({
      required: ['a'],
      properties: { b: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
    });
  });
});

test('a document with the vocabulary is strict, and one beside it is not', async () => {
  const schema = "{ $ref: './shared.yaml#/Shared' }";
  const openapi = (declared: string): string => `openapi: 3.1.2
info: { title: Store, version: 1.0.0${declared} }
paths:
  /a:
    get:
      operationId: a
      responses: { '200': { description: A., content: { application/json: { schema: ${schema} } } } }
`;
  const asyncapi = `asyncapi: 3.0.0
info: { title: Store, version: 1.0.0 }
channels:
  sold: { address: /sold, messages: { sold: { payload: ${schema} } } }
operations:
  onSold: { action: send, channel: { $ref: '#/channels/sold' } }
`;
  const more = { 'shared.yaml': 'Shared: { items: { $ref: ./none.yaml } }\n' };
  const severities = async (declared: string): Promise<readonly string[]> => {
    const { diagnostics } = await selectFiles({ openapi: openapi(declared), asyncapi }, {}, more);
    return diagnostics
      .filter(({ code }) => code === 'unresolved-reference')
      .map(({ severity }) => severity);
  };
  expect(await severities(', x-countersign: 1')).toEqual(['error']);
  expect(await severities('')).toEqual(['warning']);
});

test('a reference that leaves the folder of the contract stays an error', async () => {
  const openapi = `${head}paths:
  /a: { get: { operationId: a, parameters: [{ $ref: '../../outside.yaml' }], ${ok} } }
`;
  const { diagnostics } = await selectFiles({ openapi }, {});
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ['escaping-reference', 'error'],
  ]);
});
