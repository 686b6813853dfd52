import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../generator/generate.ts';
import { someOf } from '../some.ts';
import { writeContract } from './write-contract.ts';

/** Names that every object or array of JavaScript inherits. No document below has a member with one of them. */
const inherited = [
  // Those that code most often meets are always among them.
  ...new Set([
    '__proto__',
    'constructor',
    'toString',
    ...someOf(
      3,
      [Object.prototype, Array.prototype].flatMap((prototype) =>
        Object.getOwnPropertyNames(prototype),
      ),
    ),
  ]),
];
/** A name that nothing inherits. */
const ordinary = 'nowhere';

const schema = { type: 'object', enum: [{ x: '1' }], properties: { x: { type: 'string' } } };
const info = { title: 'Library', version: '1.0.0', 'x-countersign': 1, contact: { name: 'A' } };
const pathOf = (content: object, more = {}): object => ({
  get: {
    operationId: 'read',
    responses: { 200: { description: '', content: { 'application/json': content } } },
    ...more,
  },
});
const openapi = (content: object, more = {}): object => ({
  openapi: '3.1.2',
  info,
  tags: [{ name: 'books' }],
  servers: [{ url: 'https://library.example' }],
  paths: { '/books': pathOf(content) },
  components: { schemas: { Book: schema } },
  ...more,
});
const asyncapi = (message: object, operation = {}, more = {}): object => ({
  asyncapi: '3.0.0',
  info,
  channels: { books: { address: '/books', messages: { lent: message } } },
  operations: {
    onLent: { action: 'send', channel: { $ref: '#/channels/books' }, ...operation },
  },
  components: { schemas: { Book: schema } },
  ...more,
});
const asyncapi2 = (message: object): object => ({
  asyncapi: '2.6.0',
  info,
  channels: { '/books': { subscribe: { operationId: 'onLent', message } } },
  components: { schemas: { Book: schema } },
});
const arazzo = (workflow: object): object => ({
  arazzo: '1.0.1',
  info: { title: 'Flow', version: '1.0.0' },
  sourceDescriptions: [{ name: 'library', url: './openapi.json', type: 'openapi' }],
  workflows: [
    { workflowId: 'flow', steps: [{ stepId: 'read', operationId: 'read' }], ...workflow },
  ],
});
const overlay = (target: string): object => ({
  overlay: '1.0.0',
  info: { title: 'Overlay', version: '1.0.0' },
  extends: './openapi.json',
  actions: [{ target, update: { description: 'A' } }],
});
const unstated = (target: string): object => ({
  question: {
    source: '1',
    question: 'Which?',
    choices: {
      a: { meaning: 'A', actions: [{ target, update: { description: 'A' } }] },
      b: 'B',
    },
  },
});

type Make = (name: string) => Readonly<Record<string, object>>;

/** Places that refer to a pointer, each with the files of a contract. */
const references: Readonly<Record<string, (reference: string) => ReturnType<Make>>> = {
  'a schema of OpenAPI': ($ref) => ({ 'openapi.json': openapi({ schema: { $ref } }) }),
  'a part of a schema': ($ref) => ({
    'openapi.json': openapi({ schema: { allOf: [{ $ref }, { type: 'object' }] } }),
  }),
  'a response': ($ref) => ({
    'openapi.json': openapi(
      {},
      { paths: { '/books': pathOf({}, { responses: { 200: { $ref } } }) } },
    ),
  }),
  'a path': ($ref) => ({ 'openapi.json': openapi({}, { paths: { '/books': { $ref } } }) }),
  'a discriminator': ($ref) => ({
    'openapi.json': openapi({
      schema: {
        oneOf: [{ $ref: '#/components/schemas/Book' }],
        discriminator: { propertyName: 'x', mapping: { a: $ref } },
      },
    }),
  }),
  'a payload of AsyncAPI 3': ($ref) => ({ 'asyncapi.json': asyncapi({ payload: { $ref } }) }),
  'a message': ($ref) => ({ 'asyncapi.json': asyncapi({ $ref }) }),
  'a trait': ($ref) => ({ 'asyncapi.json': asyncapi({ traits: [{ $ref }], payload: schema }) }),
  'a channel': ($ref) => ({
    'asyncapi.json': asyncapi({ payload: schema }, { channel: { $ref } }),
  }),
  'the messages of an operation': ($ref) => ({
    'asyncapi.json': asyncapi({ payload: schema }, { messages: [{ $ref }] }),
  }),
  'a security scheme of AsyncAPI': ($ref) => ({
    'asyncapi.json': asyncapi({ payload: schema }, { security: [{ $ref }] }),
  }),
  'a payload of AsyncAPI 2': ($ref) => ({ 'asyncapi.json': asyncapi2({ payload: { $ref } }) }),
  'a message of AsyncAPI 2': ($ref) => ({ 'asyncapi.json': asyncapi2({ $ref }) }),
  'the inputs of a workflow': ($ref) => ({
    'openapi.json': openapi({ schema }),
    'arazzo.json': arazzo({ inputs: { $ref } }),
  }),
};

/** Returns pointers with a name that their documents do not have. */
const pointersOf = (name: string): readonly string[] => [
  `#/${name}`,
  `#/info/${name}`,
  `#/components/${name}/x`,
  `#/components/schemas/${name}`,
  `#/components/schemas/Book/${name}`,
  `#/components/schemas/Book/enum/${name}`,
  `#/components/schemas/Book/properties/x/${name}/${name}`,
  `#/tags/${name}`,
  `other.json#/${name}`,
  `other.json#/Book/enum/${name}`,
];

/** Places that name something in another way. */
const names: Readonly<Record<string, Make>> = {
  'a discriminator': (name) => ({
    'openapi.json': openapi({
      schema: {
        oneOf: [{ $ref: '#/components/schemas/Book' }],
        discriminator: { propertyName: 'x', mapping: { a: name } },
      },
    }),
  }),
  'a security scheme of OpenAPI': (name) => ({
    'openapi.json': openapi({ schema }, { security: [{ [name]: [] }] }),
  }),
  'a security scheme of AsyncAPI 2': (name) => ({
    'asyncapi.json': {
      ...asyncapi2({ payload: schema }),
      servers: { a: { url: 'https://a.example', protocol: 'https', security: [{ [name]: [] }] } },
    },
  }),
  'an overlay': (name) => ({
    'openapi.json': openapi({ schema }),
    'overlay.json': overlay(`$.${name}`),
  }),
  'an overlay of a part': (name) => ({
    'openapi.json': openapi({ schema }),
    'overlay.json': overlay(`$.components.schemas['${name}']`),
  }),
  'an action of the ledger': (name) => ({
    'openapi.json': openapi({ schema: { ...schema, 'x-unstated': unstated(`$.info.${name}`) } }),
  }),
  'a question of the ledger': (name) => ({
    'openapi.json': openapi(
      { schema },
      { paths: { '/books': pathOf({ schema }, { 'x-repeatable': { unstated: name } }) } },
    ),
  }),
  'what identifies a message': (name) => ({
    'asyncapi.json': asyncapi({
      payload: schema,
      'x-identified-by': { [`$request.body#/${name}`]: {} },
    }),
  }),
  'what deduplicates a message': (name) => ({
    'asyncapi.json': asyncapi({ payload: schema, 'x-dedupe-by': [`$request.body#/${name}`] }),
  }),
  'what orders a message': (name) => ({
    'asyncapi.json': asyncapi({ payload: schema, 'x-ordered-by': [`$request.body#/x/${name}`] }),
  }),
  'the operation of a step': (name) => ({
    'openapi.json': openapi({ schema }),
    'arazzo.json': arazzo({ steps: [{ stepId: 'read', operationId: name }] }),
  }),
  'the path of a step': (name) => ({
    'openapi.json': openapi({ schema }),
    'arazzo.json': arazzo({
      steps: [
        {
          stepId: 'read',
          operationPath: `{$sourceDescriptions.library.url}#/paths/~1books/${name}`,
        },
      ],
    }),
  }),
  'the document of a step': (name) => ({
    'openapi.json': openapi({ schema }),
    'arazzo.json': arazzo({
      steps: [{ stepId: 'read', operationId: `$sourceDescriptions.${name}.read` }],
    }),
  }),
  'the workflow of a step': (name) => ({
    'openapi.json': openapi({ schema }),
    'arazzo.json': arazzo({ steps: [{ stepId: 'read', workflowId: name }] }),
  }),
  'a component of a workflow': (name) => ({
    'openapi.json': openapi({ schema }),
    'arazzo.json': arazzo({ parameters: [{ reference: `$components.parameters.${name}` }] }),
  }),
  'an output of a step': (name) => ({
    'openapi.json': openapi({ schema }),
    'arazzo.json': arazzo({ outputs: { a: `$steps.read.outputs.${name}` } }),
  }),
};

/** Returns the diagnostics of a contract without its names, and whether it can be generated. */
async function judge(files: ReturnType<Make>): Promise<unknown> {
  const texts = Object.entries({ 'other.json': { Book: schema }, ...files }).map(
    // Every value has a line of its own, so that names do not move others.
    ([file, value]) => [file, JSON.stringify(value, null, 1)] as const,
  );
  const folder = await writeContract(Object.fromEntries(texts));
  const { contract, diagnostics } = await readContract(
    {
      contract: {
        ...('openapi.json' in files ? { openapi: 'openapi.json' } : {}),
        ...('asyncapi.json' in files ? { asyncapi: 'asyncapi.json' } : {}),
        ...('overlay.json' in files ? { overlays: ['overlay.json'] } : {}),
        ...('arazzo.json' in files ? { workflows: ['arazzo.json'] } : {}),
      },
      output: 'generated',
      targets: [],
    },
    folder,
  );
  return {
    isValid: contract !== undefined,
    schemas: contract?.schemas.length,
    diagnostics: diagnostics.map(({ code, severity, file, line }) => ({
      code,
      severity,
      file,
      line,
    })),
  };
}

describe('names that objects inherit are like any other name', () => {
  it.each(Object.keys(references))('in a reference of %s', async (place) => {
    const make = references[place] ?? (() => ({}));
    const usual = await Promise.all(pointersOf(ordinary).map((pointer) => judge(make(pointer))));
    expect(usual).not.toContainEqual(expect.objectContaining({ diagnostics: [] }));
    const property = fc.asyncProperty(
      fc.constantFrom(...inherited),
      fc.nat(usual.length - 1),
      async (name, index) => {
        const pointer = pointersOf(name)[index] ?? '';
        expect(await judge(make(pointer)), pointer).toEqual(usual[index]);
      },
    );
    // The names of objects, of which most are functions, at each of the pointers.
    const examples = ['constructor', '__proto__'].flatMap((name) =>
      usual.map((_, index): [string, number] => [name, index]),
    );
    await fc.assert(property, { numRuns: examples.length + 10, examples });
  });

  it.each(Object.keys(names))('in %s', async (place) => {
    const make = names[place] ?? (() => ({}));
    const usual = await judge(make(ordinary));
    for (const name of inherited) {
      // It is refused wherever it is a member, and ids of the ledger have lower case.
      if (name === '__proto__' || (place.endsWith('ledger') && /[^a-z]/u.test(name))) continue;
      expect(await judge(make(name)), name).toEqual(usual);
    }
  });
});
