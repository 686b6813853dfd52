import { describe, expect, test } from 'vitest';
import type { Json } from '../../../generator/json/json.ts';
import { readContract } from '../../../generator/generate.ts';
import type { ReadContract } from '../../../generator/generate.ts';
import { isInExamples } from '../../../generator/load/overlays/settle.ts';
import { writeContract } from '../write-contract.ts';

const entry = `
question: Is the number text?
source: '1'
choices:
  number: { meaning: A number. }
  text:
    meaning: Text.
    actions:
      - target: $.components.schemas.Count
        update: { type: string }
`;
const size = `
question: How large is it?
source: '1'
choices:
  free: { meaning: Any. }
  small:
    meaning: At most nine.
    actions:
      - target: $.components.schemas.Count
        update: { maximum: 9 }
      - target: $.components.messages.counted
        document: asyncapi
        update: { title: Counted small }
  words:
    meaning: A word.
    actions:
      - target: $.components.schemas.Count
        update: { type: string }
`;

/** Reads a contract of two documents with the two entries, and these answers. */
async function settle(answers: Readonly<Record<string, string>>): Promise<ReadContract> {
  const indent = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
  const answered = (id: string, text: string): string =>
    answers[id] === undefined ? text : `${text}settled: ${answers[id]}\n`;
  const folder = await writeContract({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
paths:
  /count:
    post:
      operationId: count
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Count' }
            x-presumes: { '*': { number-form: number }, many: { size: free } }
            examples:
              one: { value: 1 }
              many: { value: 10 }
      responses: { 2XX: { description: Done. } }
components:
  schemas:
    Count: { $ref: ./Count.yaml }
`,
    'Count.yaml': `type: integer
x-unstated:
  number-form:${indent(answered('number-form', entry), 4)}
  size:${indent(answered('size', size), 4)}
`,
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
channels:
  counts:
    address: /counts
    messages: { counted: { $ref: '#/components/messages/counted' } }
operations:
  sendCounted:
    action: send
    security: []
    channel: { $ref: '#/channels/counts' }
    messages: [{ $ref: '#/channels/counts/messages/counted' }]
components:
  messages:
    counted:
      payload: { type: object, properties: { count: { $ref: ./Count.yaml } } }
      x-note:
        - Counted at night.
        - { text: Its size is not stated., about: size }
        - { text: Neither its size nor its form is stated., about: [number-form, size] }
`,
  });
  const files = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' };
  return readContract({ contract: files, output: 'out', targets: [], scope: '@shop' }, folder);
}

function countOf({ contract }: ReadContract): Json | undefined {
  const { definition } = contract?.schemas.find(({ name }) => name === 'Count') ?? {};
  return JSON.parse(
    JSON.stringify(definition ?? null, (key, value) => (key === 'x-unstated' ? undefined : value)),
  ) as Json;
}

describe('a settled answer', () => {
  test('changes nothing while the entry is open', async () => {
    const read = await settle({});
    expect(countOf(read)).toEqual({ type: 'integer' });
    expect(JSON.stringify(read.documents.openapi?.root)).toContain('"many":{"value":10}');
  });

  test('applies the actions of its choice, from the file of the entry', async () => {
    const read = await settle({ 'number-form': 'text' });
    expect(read.diagnostics).toEqual([]);
    expect(countOf(read)).toEqual({ type: 'string' });
    expect(read.documents.locate('openapi#/components/schemas/Count/type')).toMatchObject({
      file: 'Count.yaml',
      line: 12,
    });
  });

  test('changes the copies of a schema in both documents', async () => {
    const { documents } = await settle({ 'number-form': 'text' });
    const message = JSON.stringify(documents.asyncapi?.root);
    const call = JSON.stringify(documents.openapi?.root);
    for (const text of [message, call]) {
      expect(text).toContain('"type":"string"');
      expect(text).not.toContain('"type":"integer"');
    }
  });

  test('changes the document that an action names', async () => {
    const read = await settle({ size: 'small' });
    expect(read.diagnostics).toEqual([]);
    expect(countOf(read)).toEqual({ type: 'integer', maximum: 9 });
    expect(JSON.stringify(read.documents.asyncapi?.root)).toContain('Counted small');
  });

  test('leaves out the examples that presume another answer', async () => {
    const { documents } = await settle({ size: 'small' });
    const text = JSON.stringify(documents.openapi?.root);
    expect(text).toContain('"one":{"value":1}');
    expect(text).not.toContain('"many":{"value":10}');
  });

  test('takes the place of the notes that are about its question, once', async () => {
    const notes = async (answers: Readonly<Record<string, string>>): Promise<readonly string[]> =>
      (await settle(answers)).contract?.notifications[0]?.notes ?? [];
    expect(await notes({})).toEqual([
      'Counted at night.',
      'Its size is not stated.',
      'Neither its size nor its form is stated.',
    ]);
    expect(await notes({ size: 'small' })).toEqual([
      'Counted at night.',
      'Stated by the operator of the service (`size`): At most nine.',
    ]);
    expect(await notes({ size: 'free', 'number-form': 'number' })).toEqual([
      'Counted at night.',
      'Stated by the operator of the service (`size`): Any.',
      'Stated by the operator of the service (`number-form`): A number.',
    ]);
  });

  test('is not reported where it confirms the contract as it is', async () => {
    const { diagnostics } = await settle({ size: 'free' });
    expect(diagnostics).toEqual([]);
  });

  test('is refused where it writes what another answer writes', async () => {
    const { diagnostics } = await settle({ 'number-form': 'text', size: 'words' });
    expect(diagnostics).toMatchObject([
      { code: 'conflicting-actions', file: 'Count.yaml', line: 31 },
    ]);
  });
});

describe('a conversion', () => {
  const values = {
    amount: 1.5,
    list: [{ amount: 10 }, { amount: '2.50' }],
    other: 3,
    none: { amount: null },
  };

  /** Settles an entry whose answer converts the amounts of an example. */
  async function convert(to: string, value: Json = values): Promise<ReadContract> {
    const actions = [
      { target: '$.components.schemas.Count', update: { type: 'string' } },
      { target: '$.paths[*][*].requestBody.content[*].examples[*].value..amount', convert: to },
    ];
    const choices = { plain: 'As it is.', other: { meaning: 'Otherwise.', actions } };
    const unstated = { form: { source: '1', question: 'Which form?', choices, settled: 'other' } };
    const content = { 'application/json': { schema: {}, examples: { one: { value } } } };
    const folder = await writeContract({
      'openapi.yaml': JSON.stringify({
        openapi: '3.1.1',
        info: { title: 'Shop', version: '1.0.0', 'x-countersign': 1 },
        paths: {
          '/count': {
            post: {
              operationId: 'count',
              requestBody: { content },
              responses: { '2XX': { description: 'Done.' } },
            },
          },
        },
        components: { schemas: { Count: { type: 'integer', 'x-unstated': unstated } } },
      }),
    });
    const config = {
      contract: { openapi: 'openapi.yaml' },
      output: 'out',
      targets: [],
      scope: '@a',
    };
    return readContract(config, folder);
  }

  const exampleOf = ({ contract }: ReadContract): Json | undefined =>
    contract?.operations[0]?.requestBody?.content[0]?.examples[0]?.value;

  test('turns the selected numbers of examples into text', async () => {
    expect(exampleOf(await convert('string'))).toEqual({
      ...values,
      amount: '1.5',
      list: [{ amount: '10' }, { amount: '2.50' }],
    });
  });

  test('turns the selected text into numbers, where it is one', async () => {
    const more = { list: [{ amount: '2.50' }, { amount: '019' }, { amount: 'x' }, { amount: '' }] };
    expect(exampleOf(await convert('number', more))).toEqual({
      list: [{ amount: 2.5 }, { amount: '019' }, { amount: 'x' }, { amount: '' }],
    });
  });

  test('may select nothing, and is not a change of the contract', async () => {
    const read = await convert('string', { other: 1 });
    expect(read.diagnostics).toEqual([]);
    expect(read.contract?.unstated[0]?.answers).toEqual(['openapi#/components/schemas/Count/type']);
  });

  test('is to a known type', async () => {
    const { diagnostics } = await convert('integer');
    expect(diagnostics).toMatchObject([{ code: 'invalid-extension' }]);
  });
});

test.each<[isExample: boolean, path: readonly (string | number)[]]>([
  [true, ['components', 'messages', 'charge', 'examples']],
  [true, ['components', 'messages', 'charge', 'x-invalid-examples', 0, 'payload']],
  [true, ['components', 'examples', 'charge']],
  [true, ['paths', '/a', 'post', 'requestBody', 'content', 'application/json', 'examples', 'a']],
  [false, ['components', 'messages', 'examples', 'title']],
  [false, ['components', 'schemas', 'examples', 'properties', 'examples', 'maxLength']],
  [false, ['channels', 'examples', 'address']],
])('whether a place is in examples: %s of %j', (isExample, path) => {
  expect(isInExamples(path)).toBe(isExample);
});
