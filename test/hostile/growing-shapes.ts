import type { Json, JsonObject } from '../../generator/json/json.ts';
import { object, times, to, type Schemas } from './shapes.ts';

/** A contract that grows with a number: the document, or its text if JSON cannot say it. */
export type GrowingShape = (size: number) => JsonObject | string;

const text: JsonObject = { type: 'string' };

/** The question of every shape, which is answered with `m`. */
const whichUnit: JsonObject = {
  'which-unit': { source: '1', question: 'Which unit?', choices: { m: 'Metres.', k: 'Knots.' } },
};

/** Returns a contract with one call and one notification, both with the schema `A`, and with an open question. */
function contractOf(schemas: Schemas, more: Omit<Partial<Parts>, 'schemas'> = {}): JsonObject {
  const content = { 'application/json': { schema: to('A'), ...more.content } };
  return {
    openapi: '3.1.2',
    info: {
      title: 'Grown',
      version: '1.0.0',
      ...more.info,
      'x-unstated': { ...whichUnit, ...(more.info?.['x-unstated'] as JsonObject | undefined) },
    },
    servers: more.servers ?? [{ url: 'https://grown.test' }],
    ...(more.tags !== undefined && { tags: more.tags }),
    paths: {
      [more.path ?? '/a']: {
        post: {
          operationId: 'send',
          parameters: more.parameters ?? [],
          requestBody: { required: true, content },
          responses: { 200: { description: 'Done.', content, ...more.response } },
          ...more.operation,
        },
      },
      ...more.paths,
    },
    webhooks: {
      told: {
        post: {
          operationId: 'told',
          requestBody: { required: true, content },
          responses: { 200: { description: 'Heard.' } },
          ...more.notification,
        },
      },
      ...more.webhooks,
    },
    components: { schemas, ...more.components },
  };
}

interface Parts {
  readonly info: JsonObject;
  readonly servers: Json;
  readonly tags: Json;
  readonly path: string;
  readonly paths: JsonObject;
  readonly webhooks: JsonObject;
  readonly parameters: Json;
  readonly operation: JsonObject;
  readonly notification: JsonObject;
  readonly response: JsonObject;
  readonly content: JsonObject;
  readonly components: JsonObject;
}

/** The length of a chain of schemas. The budget `maxDepth` limits it, so that shapes grow by more chains. */
const links = 20;

/** Returns chains of schemas, in which each schema leads to the next one by `refer`, and `A`, which refers to each chain. */
function line(size: number, refer: (next: JsonObject, level: number) => JsonObject): Schemas {
  const chains = Math.ceil(size / links);
  const all = times(chains, (chain) => ({
    ...record(links, (level) => [`C${chain}L${level}`, refer(to(`C${chain}L${level + 1}`), level)]),
    [`C${chain}L${links}`]: object({ end: text }),
  }));
  const properties = record(chains, (chain) => [`c${chain}`, to(`C${chain}L0`)]);
  return { A: { type: 'object', properties }, ...Object.assign({}, ...all) };
}

function record(size: number, entry: (index: number) => readonly [string, Json]): JsonObject {
  return Object.fromEntries(times(size, entry));
}

/** A contract with a call and a notification, which hardly grows. */
export const smallContract: GrowingShape = (size) =>
  contractOf({ A: object(record(size, (index) => [`p${index}`, text])) });

/** Returns a contract with notifications that have their own schemas. */
function notificationsOf(
  size: number,
  schema: (index: number) => JsonObject,
  more: (index: number) => JsonObject = () => ({}),
): JsonObject {
  return contractOf(
    { A: text, ...record(size, (index) => [`N${index}`, schema(index)]) },
    {
      webhooks: record(size, (index) => [
        `n${index}`,
        {
          post: {
            ...more(index),
            requestBody: { content: { 'application/json': { schema: to(`N${index}`) } } },
            responses: {},
          },
        },
      ]),
    },
  );
}

/** Nests a schema. Its text has no spaces, which would grow with the square of the levels. */
const levelsOf =
  (around: (inner: JsonObject) => JsonObject): GrowingShape =>
  (n) =>
    JSON.stringify(
      schemaOf(() =>
        times(n, () => 0).reduce<JsonObject>((inner) => around(inner), object({ a: text })),
      )(n),
    );

const schemaOf =
  (a: (size: number) => JsonObject): GrowingShape =>
  (size) =>
    contractOf({ A: a(size) });

/** Texts that are written into every output. */
const texts: Readonly<Record<string, string>> = {
  'plain text': 'word ',
  'line breaks': 'a\n',
  'markup of Markdown': '[a](b) *c* `d` ',
  'open brackets': '[',
  'emphasis without an end': '*_',
  'back-quotes': '`',
  'ends of comments': '*/ ',
  'markup of HTML': '<b>&amp;</b>',
  'terminal sequences': '\u001b[31m',
  'combining characters': 'e\u0301\u0302',
  'marks from right to left': '\u202eab',
  'white space': ' ',
  tables: '|a|b|\n|-|-|\n',
};

const textShapes = Object.fromEntries(
  Object.entries(texts).map(([name, part]): [string, GrowingShape] => [
    `text: ${name}`,
    (size) =>
      contractOf(
        {
          A: {
            type: 'object',
            description: part.repeat(size),
            properties: { a: { ...text, description: part.repeat(size) } },
          },
        },
        {
          info: { description: part.repeat(size) },
          operation: { description: part.repeat(size), summary: part.repeat(size) },
        },
      ),
  ]),
);

/** Shapes whose work must grow no faster than they do. */
export const growingShapes: Readonly<Record<string, GrowingShape>> = {
  ...textShapes,
  'properties of an object': schemaOf((n) => object(record(n, (i) => [`p${i}`, text]))),
  'long names': schemaOf((n) => object({ ['n'.repeat(n)]: text })),
  'names of many words': schemaOf((n) => object({ ['a-'.repeat(n)]: text })),
  'names with the same words': (n) =>
    contractOf({ A: {}, ...record(n, (i) => [`a${'-'.repeat(i % 7)}b${i >> 3}`, text]) }),
  'names that collide': (n) =>
    contractOf({
      A: {},
      ...record(n, (i) => [
        `a${'_-. '[i % 4] ?? ''}${String(i)
          .split('')
          .join('_-. '[i % 3])}`,
        text,
      ]),
    }),
  // Ajv joins the conditions of up to 200 values one by one, with the square of their number. More are a loop.
  'values of an enumeration': schemaOf((n) => ({
    type: 'string',
    enum: times(5 * n, (i) => `v${i}`),
  })),
  'objects of an enumeration': schemaOf((n) => ({ enum: times(5 * n, (i) => ({ v: [i] })) })),
  'values with the same name': schemaOf((n) => ({
    type: 'string',
    enum: times(n, (i) => `v${'-'.repeat(i)}`.slice(0, 40) + String(i % 10)).filter(
      (v, i, all) => all.indexOf(v) === i,
    ),
  })),
  'extensible values': schemaOf((n) => ({
    type: 'string',
    'x-extensible-enum': times(n, (i) => `v${i}`),
  })),
  'required names': schemaOf((n) => ({ type: 'object', required: times(n, (i) => `p${i}`) })),
  'parts of allOf': schemaOf((n) => ({ allOf: times(n, (i) => object({ [`p${i}`]: text })) })),
  'references of allOf': (n) =>
    contractOf({
      A: { allOf: times(n, (i) => to(`B${i}`)) },
      ...record(n, (i) => [`B${i}`, object({ [`p${i}`]: text })]),
    }),
  'alternatives of oneOf': schemaOf((n) => ({
    oneOf: times(n, (i) => object({ [`p${i}`]: { const: i } })),
  })),
  'alternatives of anyOf': schemaOf((n) => ({
    anyOf: times(n, (i) => object({ [`p${i}`]: text })),
  })),
  'alternatives with a discriminator': (n) =>
    contractOf({
      A: { oneOf: times(n, (i) => to(`B${i}`)), discriminator: { propertyName: 'kind' } },
      ...record(n, (i) => [`B${i}`, object({ kind: { const: `B${i}` } })]),
    }),
  'chains of references': (n) => contractOf(line(n, (next) => next)),
  'chains of allOf': (n) =>
    contractOf(line(n, (next, level) => ({ allOf: [next, object({ [`p${level}`]: text })] }))),
  'chains of members': (n) => contractOf(line(n, (next) => object({ a: next }))),
  'chains of optional members': (n) =>
    contractOf(line(n, (next) => ({ type: 'object', properties: { a: next } }))),
  'chains of items': (n) => contractOf(line(n, (next) => ({ type: 'array', items: next }))),
  'chains of unions': (n) => contractOf(line(n, (next) => ({ oneOf: [next, { type: 'null' }] }))),
  'diamonds of allOf': (n) => contractOf(line(n, (next) => ({ allOf: [next, next] }))),
  'diamonds of oneOf': (n) =>
    contractOf(
      line(n, (next, level) => ({
        oneOf: [next, next, object({ [`p${level}`]: { const: level } })],
      })),
    ),
  'diamonds of anyOf': (n) =>
    contractOf(
      line(n, (next, level) => ({
        anyOf: [next, { allOf: [next] }, object({ [`p${level}`]: text })],
      })),
    ),
  'diamonds of members': (n) => contractOf(line(n, (next) => object({ a: next, b: next }))),
  'diamonds of not': (n) => contractOf(line(n, (next) => ({ anyOf: [{ not: next }, next] }))),
  'diamonds of conditions': (n) =>
    contractOf(line(n, (next) => ({ if: next, then: next, else: next }))),
  'diamonds of members in unions': (n) =>
    contractOf(
      line(n, (next) => ({
        oneOf: [object({ a: next, b: { const: 1 } }), object({ a: next, b: { const: 2 } })],
      })),
    ),
  'cycles of schemas': (n) =>
    contractOf({
      A: to('L0'),
      ...record(Math.ceil(n / links) * links, (i) => {
        const first = i - (i % links);
        const step = (by: number): JsonObject => to(`L${first + ((i + by) % links)}`);
        return [`L${i}`, { type: 'object', properties: { a: step(1), b: step(2) } }];
      }),
    }),
  'cycles of another length': (n) =>
    contractOf({
      A: to('L0'),
      ...record(n, (i) => {
        const step = (by: number): JsonObject => to(`L${(i + by) % n}`);
        return [`L${i}`, { type: 'object', properties: { a: step(1), b: step(2) } }];
      }),
    }),
  // `diff` compares each size with the one before it, in which these schemas have other names.
  'schemas that refer to renamed ones': (n) => {
    const all = Math.ceil(n / links) * links;
    return contractOf({
      A: text,
      ...record(n, (i) => [`B${i}`, object({ a: to(`All${n}`) })]),
      [`All${n}`]: object(record(all, (i) => [`p${i}`, to(`Of${n}L${i}`)])),
      ...record(all, (i) => [`Of${n}L${i}`, object({ a: text, [`b${i}`]: text })]),
    });
  },
  'schemas that all refer to one': (n) =>
    contractOf({ A: text, ...record(n, (i) => [`B${i}`, object({ a: to('A') })]) }),
  'one schema that refers to all': (n) =>
    contractOf({
      A: { type: 'object', properties: record(n, (i) => [`b${i}`, to(`B${i}`)]) },
      ...record(n, (i) => [`B${i}`, object({ [`c${i}`]: text })]),
    }),
  'equal schemas': (n) =>
    contractOf({
      A: text,
      ...record(n, (i) => [`B${i}`, object({ a: text, b: { type: 'integer' } })]),
    }),
  'patterns of properties': schemaOf((n) => ({
    type: 'object',
    patternProperties: record(n, (i) => [`^p${i}`, text]),
  })),
  'long patterns': schemaOf((n) => ({ type: 'string', pattern: `^${'a'.repeat(n)}$` })),
  'patterns of many groups': schemaOf((n) => ({
    type: 'string',
    pattern: `^${'(a|b)'.repeat(n)}$`,
  })),
  'many patterns': schemaOf((n) =>
    object(record(n, (i) => [`p${i}`, { ...text, pattern: `^a{3}b${i}$` }])),
  ),
  'digits of numbers': schemaOf((n) => ({
    type: 'number',
    maximum: 1,
    description: '9'.repeat(n),
  })),
  'items of prefixItems': schemaOf((n) => ({ type: 'array', prefixItems: times(n, () => text) })),
  'dependent names': schemaOf((n) => ({
    type: 'object',
    dependentRequired: record(n, (i) => [`p${i}`, [`q${i}`]]),
  })),
  'types of a union': schemaOf((n) => ({
    anyOf: times(n, (i) => ({ type: 'array', items: { type: 'string', maxLength: i } })),
  })),
  'examples of a schema': schemaOf((n) => ({
    ...object({ a: text }),
    examples: times(n, (i) => ({ a: `${i}` })),
  })),
  'invalid examples': (n) =>
    contractOf(
      { A: object({ a: text }) },
      { content: { examples: record(n, (i) => [`e${i}`, { value: { a: i } }]) } },
    ),
  'named examples': (n) =>
    contractOf(
      { A: object({ a: text }) },
      { content: { examples: record(n, (i) => [`e${i}`, { value: { a: `${i}` } }]) } },
    ),
  'a wide example': schemaOf((n) => ({
    type: 'object',
    examples: [record(n, (i) => [`m${i}`, i])],
  })),
  'a long example': schemaOf((n) => ({ type: 'array', examples: [times(n, (i) => [i])] })),
  calls: (n) =>
    contractOf(
      { A: text },
      {
        paths: record(n, (i) => [
          `/c${i}`,
          { get: { operationId: `c${i}`, responses: { 200: { description: 'Done.' } } } },
        ]),
      },
    ),
  'calls without ids': (n) =>
    contractOf(
      { A: text },
      {
        paths: record(n, (i) => [
          `/c/${i}/{id}`,
          {
            get: {
              parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
              responses: { 200: { description: 'Done.' } },
            },
          },
        ]),
      },
    ),
  'notifications that are alike': (n) =>
    contractOf(
      { A: text },
      {
        webhooks: record(n, (i) => [
          `n${i}`,
          {
            post: {
              requestBody: { content: { 'application/json': { schema: to('A') } } },
              responses: {},
            },
          },
        ]),
      },
    ),
  'notifications with a constant': (n) =>
    notificationsOf(n, (i) => object({ kind: { const: `k${i}` }, version: { const: 1 } })),
  'notifications with a constant that can be missing': (n) =>
    notificationsOf(n, (i) => ({ type: 'object', properties: { kind: { const: `k${i}` } } })),
  'notifications with two constants': (n) =>
    notificationsOf(n, (i) =>
      object({ kind: { const: `k${i % 8}` }, state: { const: `s${i >> 3}` } }),
    ),
  'notifications with values in common': (n) =>
    notificationsOf(n, (i) => object({ kind: { enum: ['all', `k${i}`, `k${i + 1}`] } })),
  'notifications that nothing distinguishes': (n) =>
    notificationsOf(n, (i) => object({ [`m${i}`]: text })),
  'notifications with a constant of their own': (n) =>
    notificationsOf(n, (i) => object({ [`m${i}`]: { const: 1 } })),
  'notifications with constants in part': (n) =>
    notificationsOf(n, (i) => object({ [i % 2 === 0 ? 'kind' : `m${i}`]: { const: `k${i}` } })),
  'notifications with an identification': (n) =>
    notificationsOf(
      n,
      () => object({ kind: text }),
      (i) => ({ 'x-identified-by': { '$request.body#/kind': { const: `k${i}` } } }),
    ),
  'notifications with two alternatives': (n) =>
    notificationsOf(
      n,
      () => object({ kind: text }),
      (i) => ({
        'x-identified-by': [
          { '$request.body#/kind': { const: `k${i}` } },
          { '$request.header.x-kind': { const: `k${i}` } },
        ],
      }),
    ),
  'notifications with patterns': (n) =>
    notificationsOf(
      n,
      () => object({ kind: text }),
      (i) => ({
        'x-identified-by': { '$request.body#/kind': { type: 'string', pattern: `^k${i}-` } },
      }),
    ),
  'notifications with a member of their own': (n) =>
    notificationsOf(
      n,
      () => ({ type: 'object' }),
      (i) => ({ 'x-identified-by': { [`$request.body#/m${i}`]: {} } }),
    ),
  'notifications that schemas identify': (n) =>
    notificationsOf(
      n,
      (i) => object({ [`m${i}`]: text }),
      () => ({ 'x-identified-by-schema': true }),
    ),
  'parameters of a query': (n) =>
    contractOf(
      { A: text },
      { parameters: times(n, (i) => ({ name: `q${i}`, in: 'query', schema: text })) },
    ),
  'headers of a request': (n) =>
    contractOf(
      { A: text },
      { parameters: times(n, (i) => ({ name: `x-${i}`, in: 'header', schema: text })) },
    ),
  'parameters of a path': (n) =>
    contractOf(
      { A: text },
      {
        path: `/a${times(n, (i) => `/{p${i}}`).join('')}`,
        parameters: times(n, (i) => ({ name: `p${i}`, in: 'path', required: true, schema: text })),
      },
    ),
  'segments of a path': (n) => contractOf({ A: text }, { path: '/a'.repeat(n) }),
  'headers of a response': (n) =>
    contractOf(
      { A: text },
      { response: { headers: record(n, (i) => [`x-${i}`, { schema: text }]) } },
    ),
  responses: (n) =>
    contractOf(
      { A: text },
      {
        operation: {
          responses: record(Math.min(n, 400), (i) => [
            `${200 + i}`,
            { description: 'Done.', content: { 'application/json': { schema: to('A') } } },
          ]),
        },
      },
    ),
  'media types': (n) =>
    contractOf(
      { A: text },
      { response: { content: record(n, (i) => [`application/a${i}+json`, { schema: to('A') }]) } },
    ),
  links: (n) =>
    contractOf(
      { A: text },
      { response: { links: record(n, (i) => [`l${i}`, { operationId: 'send' }]) } },
    ),
  callbacks: (n) =>
    contractOf(
      { A: text },
      {
        operation: {
          callbacks: record(n, (i) => [
            `c${i}`,
            { '{$request.body#/url}': { post: { responses: { 200: { description: 'Heard.' } } } } },
          ]),
        },
      },
    ),
  servers: (n) =>
    contractOf({ A: text }, { servers: times(n, (i) => ({ url: `https://s${i}.test` })) }),
  'variables of servers': (n) =>
    contractOf(
      { A: text },
      {
        servers: [
          {
            url: `https://${times(n, (i) => `{v${i}}`).join('.')}.test`,
            variables: record(n, (i) => [`v${i}`, { default: 'a' }]),
          },
        ],
      },
    ),
  'values of a variable': (n) =>
    contractOf(
      { A: text },
      {
        servers: [
          {
            url: 'https://{v}.test',
            variables: { v: { default: 'v0', enum: times(n, (i) => `v${i}`) } },
          },
        ],
      },
    ),
  tags: (n) =>
    contractOf(
      { A: text },
      { tags: times(n, (i) => ({ name: `t${i}` })), operation: { tags: times(n, (i) => `t${i}`) } },
    ),
  'security schemes': (n) =>
    contractOf(
      { A: text },
      {
        components: {
          securitySchemes: record(n, (i) => [
            `s${i}`,
            { type: 'apiKey', in: 'header', name: `x-${i}` },
          ]),
        },
        operation: { security: times(n, (i) => ({ [`s${i}`]: [] })) },
      },
    ),
  'schemes of one requirement': (n) =>
    contractOf(
      { A: text },
      {
        components: {
          securitySchemes: record(n, (i) => [
            `s${i}`,
            { type: 'apiKey', in: 'header', name: `x-${i}` },
          ]),
        },
        operation: { security: [record(n, (i) => [`s${i}`, []])] },
      },
    ),
  scopes: (n) =>
    contractOf(
      { A: text },
      {
        components: {
          securitySchemes: {
            o: {
              type: 'oauth2',
              flows: {
                clientCredentials: {
                  tokenUrl: 'https://grown.test/token',
                  scopes: record(n, (i) => [`s${i}`, 'A scope.']),
                },
              },
            },
          },
        },
        operation: { security: [{ o: times(n, (i) => `s${i}`) }] },
      },
    ),
  'open questions': (n) =>
    contractOf(
      { A: text },
      {
        info: {
          'x-unstated': record(n, (i) => [
            `q-${i}`,
            { source: '1', question: 'Which?', choices: { a: 'A.', b: 'B.' } },
          ]),
        },
      },
    ),
  extensions: (n) => contractOf({ A: { ...text, ...record(n, (i) => [`x-e${i}`, i]) } }),
  'members of forms': (n) =>
    contractOf(
      { A: text },
      {
        operation: {
          requestBody: {
            content: {
              'multipart/form-data': { schema: object(record(n, (i) => [`p${i}`, text])) },
            },
          },
        },
      },
    ),
  'unresolved references': (n) =>
    contractOf({ A: text, ...record(n, (i) => [`B${i}`, to(`Missing${i}`)]) }),
  'misspelled references': (n) =>
    contractOf({
      ...record(n, (i) => [`Schema${i}`, text]),
      A: { anyOf: times(n, (i) => to(`Schems${i}`)) },
    }),
  'misspelled required names': schemaOf((n) => ({
    type: 'object',
    properties: record(n, (i) => [`name${i}`, text]),
    required: times(n, (i) => `nane${i}`),
  })),
  'members that require a missing name': schemaOf((n) =>
    object(record(n, (i) => [`p${i}`, { ...object({ a: text }), required: ['b'] }])),
  ),
  'diamonds of members that require a missing name': (n) =>
    contractOf(
      line(n, (next) => ({ type: 'object', properties: { a: next, b: next }, required: ['c'] })),
    ),
  'cycles of members that require a missing name': (n) =>
    contractOf({
      A: to('L0'),
      ...record(Math.ceil(n / links) * links, (i) => {
        const first = i - (i % links);
        const step = (by: number): JsonObject => to(`L${first + ((i + by) % links)}`);
        return [
          `L${i}`,
          { type: 'object', properties: { a: step(1), b: step(2) }, required: ['c'] },
        ];
      }),
    }),
  'misspelled mappings': (n) =>
    contractOf({
      A: {
        oneOf: times(n, (i) => to(`Kind${i}`)),
        discriminator: { propertyName: 'kind', mapping: record(n, (i) => [`k${i}`, `Kimd${i}`]) },
      },
      ...record(n, (i) => [`Kind${i}`, object({ kind: text })]),
    }),
  'misspelled security schemes': (n) =>
    contractOf(
      { A: text },
      {
        components: {
          securitySchemes: record(n, (i) => [
            `scheme${i}`,
            { type: 'apiKey', in: 'header', name: `x-${i}` },
          ]),
        },
        operation: { security: times(n, (i) => ({ [`shceme${i}`]: [] })) },
      },
    ),
  'misspelled answers': (n) =>
    contractOf(
      { A: text },
      {
        info: {
          'x-unstated': record(n, (i) => [
            `question-${i}`,
            {
              source: '1',
              question: 'Which?',
              choices: {
                a: { meaning: 'A.', requires: { [`qeustion-${i}`]: 'a' } },
                b: { meaning: 'B.', requires: { 'question-0': `c${i}` } },
              },
            },
          ]),
        },
      },
    ),
  'misspelled operations of access tokens': (n) =>
    contractOf(
      { A: text },
      {
        paths: record(n, (i) => [
          `/c${i}`,
          { get: { operationId: `issue${i}`, responses: { 200: { description: 'Done.' } } } },
        ]),
        components: {
          securitySchemes: record(n, (i) => [
            `s${i}`,
            { type: 'http', scheme: 'bearer', 'x-access-token': { operation: `isseu${i}` } },
          ]),
        },
      },
    ),
  'misspelled conditions': (n) => ({
    ...notificationsOf(
      n,
      () => object({ kind: text }),
      (i) => ({ 'x-identified-by': { [`codnition${i}`]: true } }),
    ),
    components: {
      'x-conditions': record(n, (i) => [
        `condition${i}`,
        { '$request.body#/kind': { const: `k${i}` } },
      ]),
      schemas: record(n, (i) => [`N${i}`, object({ kind: text })]),
    },
  }),
  'notifications whose keys are open questions': (n) => ({
    ...notificationsOf(
      n,
      () => object({ id: text, kind: text }),
      (i) => ({
        'x-identified-by': { '$request.body#/kind': { const: `k${i}` } },
        'x-dedupe-by': { unstated: `q-${i}` },
      }),
    ),
    info: {
      title: 'Grown',
      version: '1.0.0',
      'x-countersign': 1,
      'x-unstated': {
        ...whichUnit,
        ...record(n, (i) => [
          `q-${i}`,
          {
            source: '1',
            question: 'Which?',
            choices: {
              a: { meaning: 'A.', value: ['$request.body#/id'] },
              b: { meaning: 'B.', value: ['$request.body#/kind'] },
            },
          },
        ]),
      },
    },
  }),
  'notifications with signatures of their own': (n) => ({
    ...notificationsOf(
      n,
      () => object({ id: text, kind: text }),
      (i) => ({
        security: [{ [`s${i}`]: [] }],
        'x-identified-by': { '$request.body#/kind': { const: `k${i}` } },
        'x-dedupe-by': ['$request.body#/id'],
      }),
    ),
    components: {
      schemas: record(n, (i) => [`N${i}`, object({ id: text, kind: text })]),
      securitySchemes: record(n, (i) => [
        `s${i}`,
        {
          type: 'apiKey',
          in: 'header',
          name: `X-Mark-${i}`,
          'x-signature': {
            algorithm: 'hmac-sha256',
            key: { credential: 'secret', encoding: 'utf-8' },
            over: ['$request.body'],
            encoding: 'hex',
          },
        },
      ]),
    },
  }),
  'calls that open questions make repeatable': (n) =>
    contractOf(
      { A: text },
      {
        info: {
          'x-unstated': record(n, (i) => [
            `q-${i}`,
            {
              source: '1',
              question: 'Repeatable?',
              choices: {
                yes: { meaning: 'Yes.', value: true },
                no: { meaning: 'No.', value: false },
              },
            },
          ]),
        },
        paths: record(n, (i) => [
          `/c${i}`,
          {
            post: {
              operationId: `c${i}`,
              'x-repeatable': { unstated: `q-${i}` },
              responses: { 200: { description: 'Done.' } },
            },
          },
        ]),
      },
    ),
  'conditions on values that are not listed': (n) =>
    notificationsOf(
      1,
      () => object({ kind: { type: 'string', enum: times(n, (i) => `value${i}`) } }),
      () => ({ 'x-identified-by': { '$request.body#/kind': { enum: times(n, (i) => `k${i}`) } } }),
    ),
  'mistakes of types': schemaOf((n) => ({ anyOf: times(n, () => ({ minimum: 'a' })) })),
  'unknown keywords': schemaOf((n) => record(n, (i) => [`keyword${i}`, i])),
  'repeated ids': (n) =>
    contractOf(
      { A: text },
      {
        paths: record(n, (i) => [
          `/c${i}`,
          { get: { operationId: 'c', responses: { 200: { description: 'Done.' } } } },
        ]),
      },
    ),
  'aliases of YAML': (n) =>
    `${JSON.stringify(contractOf({ A: text })).slice(0, -1)},"x-a":&a [1],"x-b":[${times(n, () => '*a').join(', ')}]}`,
  'anchors of YAML': (n) =>
    `${JSON.stringify(contractOf({ A: text })).slice(0, -1)},"x-b":[${times(n, (i) => `&a${i} 1`).join(', ')}]}`,
  'merge keys': (n) =>
    `${JSON.stringify(contractOf({ A: text })).slice(0, -1)},"x-a":&a {"m":1},"x-b":[${times(n, () => '{<<: *a}').join(', ')}]}`,
  'repeated keys': (n) =>
    `${JSON.stringify(contractOf({ A: text })).slice(0, -1)},${times(n, (i) => `"x-r": ${i}`).join(',')}}`,
  'comments of YAML': (n) => `${'# comment\n'.repeat(n)}${JSON.stringify(contractOf({ A: text }))}`,
  'keys and one mistake': (n) =>
    `openapi: 3.1.2\n${times(n, (i) => `x-k${i}: ${i}\n`).join('')}x-end: [\n`,
  'documents in a text': (n) =>
    `${JSON.stringify(contractOf({ A: text }))}\n${'---\na: 1\n'.repeat(n)}`,
  // Written in place, so that each level is a part of all others. The budget of levels ends it at about 90.
  'levels of allOf': levelsOf((inner) => ({ allOf: [inner] })),
  'levels of members': levelsOf((inner) => object({ a: inner })),
  'levels of members that require a missing name': levelsOf((inner) => ({
    ...object({ a: inner }),
    required: ['b'],
  })),
  'levels of items': levelsOf((inner) => ({ type: 'array', items: inner })),
  'levels of unions': levelsOf((inner) => ({ anyOf: [inner, { type: 'null' }] })),
  'levels within the budget': (n) =>
    contractOf(
      record(Math.ceil(n / 10), (i) => [
        i === 0 ? 'A' : `B${i}`,
        times(100, () => 0).reduce<JsonObject>((inner) => ({ not: inner }), {}),
      ]) as Schemas,
    ),
};
