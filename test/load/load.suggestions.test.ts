import { expect, test } from 'vitest';
import { load } from '../../generator/load/load.ts';
import { asyncapiWith, openapiWith, writeContract } from './write-contract.ts';

const parts = `components:
  schemas:
    Charge: { type: object }
    Customer: { type: object, properties: { name: { type: string } } }
  parameters:
    Page: { name: page, in: query, schema: { type: integer } }
  securitySchemes:
    apiKey: { type: apiKey, in: header, name: x-key }
`;
const info = 'info: { title: Library, version: 1.0.0 }';

/** What is wrong in a document, and the suggestion. */
const cases: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  says: string,
])[] = [
  [
    'the name of a component',
    { 'openapi.yaml': openapiWith("$ref: '#/components/schemas/Chrage'", parts) },
    'Did you mean "#/components/schemas/Charge"?',
  ],
  [
    'a member inside a component',
    { 'openapi.yaml': openapiWith("$ref: '#/components/schemas/Customer/properties/nam'", parts) },
    'Did you mean "#/components/schemas/Customer/properties/name"?',
  ],
  [
    'the name of a section',
    { 'openapi.yaml': openapiWith("$ref: '#/components/schema/Charge'", parts) },
    'Did you mean "#/components/schemas/Charge"?',
  ],
  [
    'a component in another section',
    { 'openapi.yaml': openapiWith("$ref: '#/definitions/Customer'", parts) },
    'Did you mean "#/components/schemas/Customer"?',
  ],
  [
    'the name of a file',
    {
      'openapi.yaml': openapiWith("$ref: './schemas/Chrage.yaml'"),
      'schemas/Charge.yaml': 'type: object\n',
    },
    'Did you mean "./schemas/Charge.yaml"?',
  ],
  [
    'a member of another file',
    {
      'openapi.yaml': openapiWith("$ref: './common.yaml#/Chrage'"),
      'common.yaml': 'Charge: { type: object }\n',
    },
    'Did you mean "./common.yaml#/Charge"?',
  ],
  [
    'a message of a channel',
    { 'asyncapi.yaml': asyncapiWith('type: string').replace("messages/lent'", "messages/lnet'") },
    'Did you mean "#/channels/lent/messages/lent"?',
  ],
  [
    'a security scheme',
    { 'openapi.yaml': `${openapiWith('type: string', parts)}security: [{ apiKye: [] }]\n` },
    'Did you mean "apiKey"?',
  ],
  [
    'a key of OpenAPI',
    {
      'openapi.yaml': openapiWith('type: string').replace(
        info,
        'info: { titel: Library, version: 1.0.0 }',
      ),
    },
    'Did you mean `title`?',
  ],
  [
    'a key of AsyncAPI',
    {
      'asyncapi.yaml': asyncapiWith('type: string').replace(
        info,
        'info: { titel: Library, version: 1.0.0 }',
      ),
    },
    'Did you mean `title`?',
  ],
  [
    'a key of a schema',
    { 'openapi.yaml': openapiWith('type: object\nrequierd: [a]') },
    'Did you mean `required`?',
  ],
];

async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await writeContract(files);
  const documents = ['openapi', 'asyncapi'].filter((name) => `${name}.yaml` in files);
  const contract = Object.fromEntries(documents.map((name) => [name, `${name}.yaml`]));
  const { diagnostics } = await load(contract, { folder });
  return diagnostics.map(({ message, help }) => `${message} ${help}`);
}

test.each(cases)('suggests %s', async (_, files, says) => {
  expect((await problemsOf(files)).join('\n')).toContain(says);
});

test.each<[what: string, files: Readonly<Record<string, string>>]>([
  ['a reference', { 'openapi.yaml': openapiWith("$ref: '#/components/schemas/Xyz'", parts) }],
  ['a key', { 'openapi.yaml': openapiWith('type: string').replace('title', 'xyz: 1, title') }],
])('suggests nothing for %s that resembles no other', async (_, files) => {
  const problems = await problemsOf(files);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.join('\n')).not.toContain('Did you mean');
});

test.each<[what: string, components: string, says: string]>([
  [
    'a parameter that is serialized in two ways',
    'parameters: { Page: { name: p, in: query, schema: { type: string }, content: { text/plain: {} } } }',
    '`Page` must be a parameter or a reference to one: it has both `schema` and `content` (swagger-parser).',
  ],
  [
    'a parameter with two kinds of examples',
    'parameters: { Page: { name: p, in: query, schema: {}, example: 1, examples: { a: { value: 1 } } } }',
    '`Page` must be a parameter or a reference to one: it has both `example` and `examples` (swagger-parser).',
  ],
  [
    'a header that is serialized in two ways',
    'headers: { Page: { schema: { type: string }, content: { text/plain: {} } } }',
    '`Page` must be a header or a reference to one: it has both `schema` and `content` (swagger-parser).',
  ],
])('names the member and what is expected: %s', async (_, component, says) => {
  const text = openapiWith('type: string', `components: { ${component} }\n`);
  const older = text.replace('3.1.2', '3.0.4');
  expect((await problemsOf({ 'openapi.yaml': older })).join('\n')).toContain(says);
});

test.each([
  // Each is compared with a few names.
  ['components', 150, (index: number) => `#/components/schemas/Chrage${index}`],
  // Each search reads a folder.
  ['files', 100, (index: number) => `./Chrage${index}.yaml`],
])(
  'so many problems have suggestions that the search stays linear: %s, %d of 150',
  async (_, suggested, to) => {
    const names = Array.from({ length: 150 }, (__, index) => index);
    const schemas = names.map((index) => `    Charge${index}: { type: object }\n`).join('');
    const all = names.map((index) => `    To${index}: { $ref: '${to(index)}' }\n`).join('');
    const files = Object.fromEntries(
      names.map((index) => [`Charge${index}.yaml`, 'type: object\n']),
    );
    const parts = `components:\n  schemas:\n${schemas}${all}`;
    const problems = await problemsOf({
      ...files,
      'openapi.yaml': openapiWith('type: string', parts),
    });
    expect(problems).toHaveLength(150);
    expect(problems.filter((problem) => problem.includes('Did you mean'))).toHaveLength(suggested);
  },
);
