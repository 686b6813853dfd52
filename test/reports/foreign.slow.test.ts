import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';

// The smallest documents of what contracts of other projects contain, and what `generate` says of each.

interface Foreign {
  readonly document: string;
  /** What is printed, each once. */
  readonly says?: readonly string[];
  readonly never?: string;
  /** A part of what is generated. */
  readonly has?: string;
  /** Flags beside the document and the target. */
  readonly words?: readonly string[];
}

const openapi = (version: string, rest: string): string =>
  `openapi: ${version}\ninfo: { title: Foreign, version: 1.0.0 }\n${rest}`;
const asyncapi = (version: string, rest: string): string =>
  `asyncapi: ${version}\ninfo: { title: Foreign, version: 1.0.0 }\n${rest}`;
const done = "responses: { '200': { description: Done } }";
const web = 'servers: { s: { host: example.com, protocol: https } }\n';
const sent = "operations: { m: { action: send, channel: { $ref: '#/channels/c' } } }\n";
const indented = 'it is read as a part of the value, as many YAML parsers do';
const perspective = "`perspective: 'integrator'`";
const unused = 'used by no operation';
const stillOf = (document: string): Foreign => ({ document, says: [], never: 'error' });

const contracts: Readonly<Record<string, Foreign>> = {
  'references in extensions': {
    ...stillOf(
      openapi(
        '3.0.3',
        `x-topics: [{ content: { $ref: ./docs/start.md } }]
paths: { /a: { x-p: { $ref: p.yaml }, get: { operationId: a, x-codeSamples: [{ source: { $ref: examples/A.php } }], ${done} } } }
`,
      ),
    ),
    never: 'unresolved-reference',
  },
  'references in extensions of AsyncAPI': {
    ...stillOf(
      asyncapi(
        '3.0.0',
        `x-docs: { $ref: ./a.md }\n${web}channels: { c: { address: /c, x-more: [{ $ref: '#/nowhere' }], messages: { m: { payload: { type: object, title: Kept, x-q: { $ref: ./q.yaml } } } } } }\n${sent}`,
      ),
    ),
    never: 'unresolved-reference',
    has: 'Kept',
  },
  'references in data of schemas': {
    ...stillOf(
      openapi(
        '3.1.1',
        `paths: {}
components: { schemas: { Kept: { type: object, default: { $ref: ./x.yaml }, properties: { a: { const: { $ref: '#/x' } }, b: { enum: [{ $ref: y.json }] } } } } }
`,
      ),
    ),
    never: 'unresolved-reference',
    has: 'Kept',
  },
  'a list that ends too far to the left': {
    document: openapi(
      '3.0.3',
      'paths: {}\ncomponents:\n  schemas:\n    Kept:\n      enum:\n        [\n          "a"\n      ]\n',
    ),
    says: [indented],
    has: "'a'",
  },
  'a quoted text whose lines are not indented': {
    document: openapi(
      '3.0.3',
      'paths: {}\ncomponents:\n  schemas:\n    Kept:\n      const: "-----BEGIN\nMIIF\n-----END"\n',
    ),
    says: [indented],
    has: '-----BEGIN MIIF -----END',
  },
  'a quoted text with one apostrophe, a mapping and a message that are not indented': {
    document: asyncapi(
      '3.0.0',
      `${web}channels:\n  c:\n    address: /c\n    messages:\n      m: { payload: {\n  type: object, properties: { a: { const: 'one\ntwo' } } }\n    }\n${sent}`,
    ),
    says: [indented],
    has: 'one two',
  },
  'messages that the integrator sends in AsyncAPI 2': {
    document: asyncapi(
      '2.6.0',
      `servers: { yours: { url: '{webhookUrl}', protocol: https, variables: { webhookUrl: { description: your URL } } } }
channels: { /webhook/post.added: { publish: { operationId: onPostAdded, message: { payload: { type: object } } } } }
`,
    ),
    says: ['"onPostAdded"', perspective],
  },
  'messages that the integrator sends in AsyncAPI 3': {
    document: asyncapi(
      '3.0.0',
      `${web}channels: { c: { address: /a, messages: { added: { payload: { type: object } } } } }\noperations: { r: { action: receive, channel: { $ref: '#/channels/c' } } }\n`,
    ),
    says: ['"added"', perspective],
  },
  'callbacks that no operation uses': {
    document: openapi(
      '3.0.3',
      `paths: {}
components: { callbacks: { event.create: { Url: { post: { ${done} } } }, event.delete: { Url: { post: { ${done} } } } } }
`,
    ),
    says: ['The callbacks "event.create", "event.delete"', unused],
  },
  'messages that no channel has': {
    document: asyncapi(
      '2.6.0',
      'channels: {}\ncomponents: { messages: { spare: { payload: { type: object } } } }\n',
    ),
    says: ['The message "spare"', unused],
  },
  'messages without a server': {
    document: asyncapi(
      '3.0.0',
      `channels: { c: { address: c, messages: { m: { payload: { type: object } } } } }\n${sent}`,
    ),
    says: ['assumed-protocol'],
  },
  'many references to a file that is missing': {
    document: openapi(
      '3.0.3',
      `paths:\n${Array.from(
        { length: 11 },
        (_, index) => `  /s${index}:
    post:
      operationId: create${index}
      callbacks: { event${index}: { '{$request.body#/sink}': { post: { parameters: [{ $ref: './missing.yaml#/P' }], ${done} } } } }
      ${done}
`,
      ).join('')}`,
    ),
    says: ['the notifications "event0", "event1", "event2", "event3"', '"event10" are left out'],
    words: [],
  },
  'invalid parts of an AsyncAPI 3 document': {
    document: asyncapi(
      '3.0.0',
      `${web}channels:
  c:
    address: '/c/{p}'
    description: 5
    parameters: { p: { description: seconds, examples: [5, 3600] } }
    messages: { m: { tags: wrong, payload: { type: object, required: a, properties: { a: { type: string, minLength: '3' } } } } }
${sent}`,
    ),
    says: ['it is read as text', 'it is ignored', 'only the valid part of the keyword is used'],
    has: 'a?: string',
  },
  'invalid parts of an AsyncAPI 2 document': {
    document: asyncapi(
      '2.6.0',
      `channels: { c: { subscribe: { message: { examples: [5], headers: { type: object, properties: { h: { type: integer, minimum: '0' } } }, payload: { type: object, properties: { h: { type: integer, minimum: '0' } } } } } } }
`,
    ),
    says: ['it is ignored', 'only the valid part of the keyword is used'],
    has: 'h?: number',
  },
  'a member beside a reference': {
    document: openapi(
      '3.1.0',
      `paths: { /a: { post: { operationId: a, parameters: [{ $ref: '#/components/parameters/P', required: true }], requestBody: { $ref: '#/components/requestBodies/B', required: true }, ${done} } } }
components: { parameters: { P: { name: p, in: query, schema: { type: string } } }, requestBodies: { B: { content: { application/json: { schema: { type: string } } } } } }
`,
    ),
    says: ['It is beside a `$ref`, and the object that this refers to has its own members'],
    never: 'Did you mean',
  },
  'references in the examples of media types': {
    document: openapi(
      '3.1.0',
      `paths:
  /a: { post: { operationId: a, requestBody: { content: { application/json: { schema: { type: object, required: [id] }, examples: { a: { value: { $ref: a.json } }, b: { value: { $ref: b.json } } } } } }, responses: { '200': { description: d, content: { application/json: { schema: { type: object, required: [id] }, example: { $ref: './c.json' } } } } } } }
`,
    ),
    says: ['3 examples contain a reference, such as "a.json"'],
    never: 'must have',
  },
  'a reference in the example of a message': {
    document: asyncapi(
      '3.0.0',
      `${web}channels: { c: { address: /a, messages: { m: { payload: { type: object, required: [id] }, examples: [{ payload: { $ref: a.json } }] } } } }\n${sent}`,
    ),
    says: ['the message example is left out'],
  },
  'an example that several alternatives match': {
    document: openapi(
      '3.1.0',
      `paths: {}
components: { schemas: { A: { type: object, properties: { gb: { oneOf: [{ type: string }, { type: integer }, { type: number }] } }, examples: [{ gb: 5 }] } } }
`,
    ),
    says: ['"/gb" matches several alternatives of `oneOf`, and has to match only one'],
    never: 'must be a string',
  },
};

test.each(Object.entries(contracts))('%s', async (_, foreign) => {
  const { document, says = [], never, has, words = ['--verbose'] } = foreign;
  const folder = await temporaryFolder();
  await writeTree(folder, { 'contract.yaml': document });
  const command = ['generate', 'contract.yaml', '--target', 'contract'];
  const { code, error, out } = await runInProcess(folder, [...command, ...words]);
  const printed = `${out}${error}`.replaceAll(/\s+/gu, ' ');
  expect(printed).toContain('generated:');
  expect(code).toBe(0);
  for (const text of says) expect(printed).toContain(text);
  if (never !== undefined) expect(printed).not.toContain(never);
  if (has !== undefined) {
    const types = await readFile(join(folder, 'generated/contract/index.ts'), 'utf8');
    expect(types).toContain(has);
  }
});
