import type { Contract } from '../../../generator/contract/contract.ts';
import type { JsonSchema } from '../../../generator/schema/model.ts';
import { buildContract } from './contract-builder.ts';

/** A member `__proto__` that is one, as `JSON.parse` makes it. */
const protoMember = JSON.parse('{"__proto__":{"type":"integer"}}') as Record<string, JsonSchema>;

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

const definitions: readonly (readonly [string, JsonSchema])[] = [
  [
    'Animal',
    {
      title: 'An animal.',
      description: 'Lives in the zoo.\nHas a name.',
      type: 'object',
      'x-source': '2.1',
      properties: {
        name: {
          type: 'string',
          minLength: 1,
          maxLength: 10,
          description: 'Its name.',
          'x-source': '2.2',
        },
        legs: { type: 'integer', minimum: 0, format: 'int32', deprecated: true },
        weight: { type: ['number', 'null'], format: 'decimal', exclusiveMinimum: 0 },
        price: { type: 'number', multipleOf: 0.01 },
        born: { type: 'string', format: 'date-time', examples: ['2024-02-29T12:00:00-03:00'] },
        diet: { ...(ref('Diet') as object), description: 'What it eats.' },
        mood: ref('Mood'),
        size: { enum: ['s', 'm', 'l', null] },
        tags: {
          type: 'array',
          items: { type: 'string', pattern: '^[a-z]+$' },
          uniqueItems: true,
          maxItems: 3,
        },
        keeper: { anyOf: [ref('Keeper'), { type: 'null' }] },
        code: { type: 'string', format: 'no-such-format' },
      },
      required: ['name', 'diet'],
      examples: [{ name: 'Leo', diet: 1, mood: 'calm' }],
    },
  ],
  ['Diet', { type: 'integer', enum: [0, 1, -2], 'x-enum-varnames': ['Plants', 'Meat', 'Nothing'] }],
  [
    'Mood',
    {
      type: 'string',
      'x-extensible-enum': ['calm', 'angry'],
      'x-enum-varnames': ['Calm', 'Angry'],
      'x-enum-descriptions': ['At ease.', 'Better not disturbed.'],
      description: 'How it feels.',
    },
  ],
  [
    'Floor',
    { type: 'integer', 'x-extensible-enum': [1, 2], 'x-enum-varnames': ['Ground', 'Upper'] },
  ],
  [
    'Keeper',
    {
      type: 'object',
      properties: {
        name: { type: 'string' },
        boss: ref('Keeper'),
        animals: { type: 'array', items: ref('Cage') },
      },
      required: ['name'],
    },
  ],
  ['Cage', { type: 'object', properties: { number: { type: 'integer' }, keeper: ref('Keeper') } }],
  [
    'Bird',
    {
      allOf: [
        ref('Animal'),
        {
          type: 'object',
          properties: { kind: { const: 'bird' }, wings: { type: 'integer' } },
          required: ['kind', 'wings'],
        },
      ],
    },
  ],
  [
    'Fish',
    {
      type: 'object',
      properties: { kind: { const: 'fish' }, depth: { type: 'number' } },
      required: ['kind'],
      additionalProperties: false,
    },
  ],
  ['Pet', { oneOf: [ref('Bird'), ref('Fish')], discriminator: { propertyName: 'kind' } }],
  [
    'Ticket',
    { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'integer' }], deprecated: true },
  ],
  ['Alias', ref('Ticket')],
  ['Anything', true],
  ['Nothing', false],
  ['Free', { type: 'object' }],
  ['Counts', { type: 'object', additionalProperties: { type: 'integer' } }],
  [
    'Patterned',
    {
      type: 'object',
      properties: { id: { type: 'string' } },
      patternProperties: { '^n_': { type: 'number' } },
      additionalProperties: false,
    },
  ],
  [
    'Point',
    {
      type: 'array',
      prefixItems: [{ type: 'number' }, { type: 'number' }],
      minItems: 2,
      items: false,
    },
  ],
  ['Names', { type: 'array', items: { type: 'string' }, minItems: 1, contains: { const: 'x' } }],
  [
    'Odd',
    {
      type: 'object',
      properties: {
        ...protoMember,
        'not-an identifier': { type: 'string' },
        constructor: { type: 'string' },
        ünïcode: { type: 'boolean' },
        '': { type: 'null' },
        'a"b\\c`${d}': { type: 'string' },
        length: { type: 'integer' },
        $ref: { type: 'string' },
        description: { type: 'string' },
      },
      required: ['constructor', '__proto__'],
    },
  ],
  [
    'Box',
    {
      type: 'object',
      properties: { content: { type: ['object', 'null'], properties: { a: { type: 'string' } } } },
      required: ['content', 'undeclared'],
      dependentRequired: { content: ['undeclared'] },
    },
  ],
  ['Constant', { const: { kind: 'constant', list: [1, null, true] } }],
  [
    'Closed',
    {
      allOf: [ref('Fish'), { properties: { depth: { type: 'number' } } }],
      unevaluatedProperties: false,
    },
  ],
  [
    'Lonely',
    {
      type: 'object',
      properties: { unrelatedMemberOfLonely: { const: 'unrelated-constant-of-lonely' } },
    },
  ],
];

/** A contract with one of everything that a JSON Schema can say. */
export const zoo: Contract = buildContract(definitions, {
  info: {
    title: 'Zoo',
    summary: 'What a zoo says about its animals.',
    sourceDocument: 'The Zoo Book',
    license: { name: 'MIT' },
  },
  documents: { openapi: { openapi: '3.1.2', info: { title: 'Zoo', version: '1.2.3' }, paths: {} } },
  unstated: [
    {
      kind: 'unstated',
      pointer: 'openapi#/info/x-unstated/feeding-time',
      source: ['3.1'],
      id: 'feeding-time',
      optionName: 'feedingTime',
      question: 'When are they fed?',
      choices: [
        { name: 'morning', value: 'morning', meaning: 'At eight.' },
        { name: 'noon', value: '12:00', meaning: 'At twelve.' },
      ],
      settled: 'noon',
      usedBy: [],
      answers: [],
      affects: [],
    },
    {
      kind: 'unstated',
      pointer: 'openapi#/info/x-unstated/night-guard',
      source: ['3.2', '3.3'],
      id: 'night-guard',
      optionName: 'nightGuard',
      question: 'Who is there | at night?',
      remark: 'A guard must be.',
      choices: [],
      usedBy: ['openapi#/paths'],
      answers: [],
      affects: [],
    },
  ],
});

/** Values to try on every schema of the zoo, JSON texts so that a member `__proto__` is one. */
export const values: readonly unknown[] = (
  [
    'null',
    'true',
    '0',
    '1',
    '-2',
    '3',
    '2.5',
    '19.99',
    '1e300',
    '9007199254740993',
    '""',
    '"calm"',
    '"other"',
    '"fish"',
    '"2f1e9a6c-0000-4000-8000-000000000000"',
    '[]',
    '[1]',
    '[1,2]',
    '[1,2,3]',
    '["x"]',
    '["a","x"]',
    '{}',
    '{"name":"Leo","diet":1}',
    '{"name":"","diet":1}',
    '{"name":"a much too long name","diet":5}',
    '{"name":"\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}","diet":0}',
    '{"name":"Leo","diet":0,"legs":4,"weight":null,"born":"2024-02-29T12:00:00-03:00"}',
    '{"name":"Leo","diet":0,"legs":2147483648}',
    '{"name":"Leo","diet":0,"weight":0}',
    '{"name":"Leo","diet":0,"born":"2023-02-29T12:00:00Z"}',
    '{"name":"Leo","diet":0,"price":19.99}',
    '{"name":"Leo","diet":0,"price":19.995}',
    '{"name":"Leo","diet":0,"tags":["a","a"]}',
    '{"name":"Leo","diet":0,"tags":["a","B"]}',
    '{"name":"Leo","diet":0,"tags":["a","b","c","d"]}',
    '{"name":"Leo","diet":0,"size":null,"mood":"odd","keeper":null,"code":"x"}',
    '{"name":"Leo","diet":0,"size":"xl","keeper":{}}',
    '{"name":"Ann","boss":{"name":"Bob","boss":{}}}',
    '{"name":"Ann","animals":[{"number":1,"keeper":{"name":"Bob"}},{"number":"x"}]}',
    '{"kind":"bird","wings":2,"name":"Ara","diet":0}',
    '{"kind":"bird","name":"Ara","diet":0}',
    '{"kind":"fish"}',
    '{"kind":"fish","depth":1}',
    '{"kind":"fish","deep":1}',
    '{"a":1,"b":2}',
    '{"a":1,"b":"x"}',
    '{"id":"x","n_1":1}',
    '{"id":"x","n_1":"1"}',
    '{"m":1}',
    '{"constructor":"x","__proto__":1}',
    '{"constructor":"x","__proto__":"1"}',
    '{"constructor":"x"}',
    '{"__proto__":1}',
    '{"constructor":"x","__proto__":1,"":null,"a\\"b\\\\c`${d}":"y","length":1,"$ref":"z"}',
    '{"constructor":"x","__proto__":1,"":0,"not-an identifier":1,"length":"1","$ref":2,"ünïcode":3}',
    '{"content":null,"undeclared":0}',
    '{"content":{"a":1},"undeclared":0}',
    '{"content":null}',
    '{"kind":"constant","list":[1,null,true]}',
    '{"list":[1,null,true],"kind":"constant"}',
    '{"kind":"constant","list":[1,null,false]}',
    '{"unrelatedMemberOfLonely":1}',
  ] as const
).map((text) => JSON.parse(text) as unknown);
