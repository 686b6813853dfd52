import type { Json, JsonObject } from '../../generator/json/json.ts';
import type { TextAt } from './text-at.ts';

/** Schemas with a text at every place that takes one, as a name, the value of a keyword or an annotation. */
export function hostileSchemas(at: TextAt): JsonObject {
  return { [at('schema name', 'Thing')]: thingSchema(at), ...otherSchemas(at) };
}

function thingSchema(at: TextAt): Json {
  const required = at('property name', 'id');
  const dependent = at('dependent property name', 'unit');
  return {
    type: 'object',
    title: at('schema title', 'A thing'),
    description: at('schema description', 'What is made.'),
    $comment: at('schema comment', 'For those who read.'),
    externalDocs: { url: `https://docs.test/${at('schema docs url', 'thing')}` },
    xml: { name: at('xml name', 'thing') },
    'x-source': at('schema source', '7'),
    'x-note': [at('schema note', 'Ours.'), at('second schema note', 'Ours too.')],
    required: [required],
    properties: {
      [required]: {
        type: 'string',
        title: at('property title', 'Id'),
        description: at('property description', 'Its id.'),
        default: at('property default', 'none'),
        examples: [at('property example', 'a')],
        'x-source': at('property source', '7.1'),
        'x-note': at('property note', 'Ours.'),
      },
      [dependent]: { type: 'string', 'x-source': '7' },
      constant: { const: at('constant', 'c'), 'x-source': '7' },
      constantObject: {
        const: { [at('constant member', 'm')]: [at('constant item', 'i')] },
        'x-source': '7',
      },
      choice: { enum: [at('enum value of a property', 'a'), 1, null], 'x-source': '7' },
      pattern: { type: 'string', pattern: at('pattern', '^[a-z]$'), 'x-source': '7' },
      format: { type: 'string', format: at('format', 'uuid'), 'x-source': '7' },
      encoded: {
        type: 'string',
        contentEncoding: at('content encoding', 'base64'),
        contentMediaType: at('content media type', 'image/png'),
        'x-source': '7',
      },
      list: {
        type: 'array',
        'x-source': '7',
        items: { type: 'string', title: at('item title', 'Item'), description: at('item', 'One.') },
      },
      inner: {
        type: 'object',
        title: at('inner title', 'Inner'),
        'x-source': '7',
        properties: {
          [at('inner property name', 'deep')]: { type: 'integer', 'x-source': '7' },
        },
      },
      pet: { allOf: [{ $ref: '#/components/schemas/Pet' }], 'x-source': '7' },
    },
    patternProperties: { [at('pattern of properties', '^n_')]: { type: 'string' } },
    dependentRequired: { [required]: [dependent] },
    additionalProperties: { description: at('other properties', 'Others.'), title: 'Others' },
    example: { [required]: at('schema example', 'a'), [dependent]: 'b' },
  };
}

function otherSchemas(at: TextAt): JsonObject {
  const sort = at('discriminator', 'sort');
  const cat = at('discriminator value', 'cat');
  const value = at('enum value', 'one');
  return {
    Choice: {
      type: 'string',
      enum: [value, 'two'],
      default: value,
      description: at('enum description', 'A choice.'),
      'x-enum-varnames': [at('enum variable name', 'One'), 'Two'],
      'x-enum-descriptions': [at('enum value description', 'The one.'), 'The other.'],
      'x-source': '7',
    },
    Open: {
      type: 'string',
      'x-extensible-enum': [at('value of an open enum', 'a'), 'b'],
      'x-source': '7',
    },
    Pet: {
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      discriminator: { propertyName: sort, mapping: { [cat]: '#/components/schemas/Cat' } },
      'x-source': '7',
    },
    Cat: {
      type: 'object',
      'x-source': '7',
      required: [sort],
      properties: { [sort]: { const: cat, 'x-source': '7' } },
    },
    Dog: {
      type: 'object',
      'x-source': '7',
      required: [sort],
      properties: { [sort]: { const: 'dog', 'x-source': '7' } },
    },
  };
}
