import type { Draft, Mutation } from '../parcels.ts';
import { type Case, everywhere, put } from './case.ts';

const property = (name: string, change: (schema: Draft) => void): Mutation => ({
  thing: (schema) => change(schema.properties[name]),
});

/** The contract with a member that is one of several boxes. */
const boxes = (...sizes: readonly string[]): Mutation =>
  property('size', (s) => {
    s.oneOf = sizes.map((size) => ({
      type: 'object',
      required: ['size', 'width'],
      properties: { size: { const: size }, width: { type: 'number' } },
    }));
  });

/** Changes of schemas. */
export const schemas: readonly Case[] = [
  {
    code: 'optional-member-added',
    after: { thing: (s) => (s.properties.colour = { type: 'string' }) },
    effects: everywhere('nobody', 'nobody'),
    subject: 'schema Thing',
  },
  {
    code: 'required-member-added',
    after: {
      thing: (s) => {
        s.properties.colour = { type: 'string' };
        s.required.push('colour');
      },
      asyncapi: (d) => (d.components.messages.moved.examples[0].payload.colour = 'red'),
    },
    effects: everywhere('both', 'nobody'),
    also: ['examples-changed'],
  },
  {
    code: 'member-admitted',
    after: property('sealed', (s) => (s.properties.b = { type: 'string' })),
    effects: everywhere('nobody', 'today'),
    subject: 'schema Thing, /sealed',
  },
  {
    code: 'member-removed',
    before: {
      thing: (s) => s.required.push('weight'),
      asyncapi: (d) => (d.components.messages.moved.examples[0].payload.weight = 1),
    },
    after: {
      thing: (s) => delete s.properties.weight,
      asyncapi: (d) => (d.components.messages.moved.examples[0].payload.weight = 1),
    },
    effects: everywhere('upgrade', 'both'),
  },
  {
    // Validators of the old version accept its absence.
    code: 'optional-member-removed',
    after: { thing: (s) => delete s.properties.note },
    effects: everywhere('upgrade', 'upgrade'),
  },
  {
    // It may still be sent, as anything: validators of the old version refuse that.
    code: 'member-undeclared',
    before: property('sealed', (s) => (s.additionalProperties = true)),
    after: property('sealed', (s) => {
      s.additionalProperties = true;
      delete s.properties.a;
    }),
    effects: everywhere('nobody', 'both'),
    subject: 'schema Thing, /sealed',
  },
  {
    code: 'member-refused',
    before: property('sealed', (s) => (s.required = ['a'])),
    after: property('sealed', (s) => delete s.properties.a),
    effects: everywhere('both', 'both'),
    subject: 'schema Thing, /sealed',
  },
  {
    code: 'optional-member-refused',
    after: property('sealed', (s) => delete s.properties.a),
    effects: everywhere('both', 'upgrade'),
    subject: 'schema Thing, /sealed',
  },
  {
    code: 'member-required',
    after: {
      thing: (s) => s.required.push('weight'),
      asyncapi: (d) => (d.components.messages.moved.examples[0].payload.weight = 1),
    },
    effects: everywhere('both', 'nobody'),
    also: ['examples-changed'],
  },
  {
    code: 'member-optional',
    after: { thing: (s) => (s.required = []) },
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'type-widened',
    after: property('id', (s) => (s.type = ['string', 'null'])),
    effects: everywhere('nobody', 'both'),
    subject: 'schema Thing, /id',
  },
  {
    code: 'type-narrowed',
    after: property('weight', (s) => (s.type = 'integer')),
    effects: everywhere('both', 'nobody'),
  },
  {
    code: 'type-changed',
    after: {
      thing: (s) => (s.properties.parts = { type: 'string' }),
    },
    effects: everywhere('both', 'both'),
  },
  {
    code: 'enum-value-added',
    after: property('state', (s) => {
      s.enum.push('lost');
      s['x-enum-varnames'].push('Lost');
    }),
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'enum-value-removed',
    after: property('state', (s) => {
      s.enum.pop();
      s['x-enum-varnames'].pop();
    }),
    effects: everywhere('both', 'upgrade'),
  },
  {
    code: 'known-value-added',
    after: property('phase', (s) => {
      s['x-extensible-enum'].push(3);
      s['x-enum-varnames'].push('Three');
    }),
    effects: everywhere('nobody', 'nobody'),
  },
  {
    code: 'known-value-removed',
    after: property('phase', (s) => {
      s['x-extensible-enum'].pop();
      s['x-enum-varnames'].pop();
    }),
    effects: everywhere('upgrade', 'upgrade'),
  },
  {
    code: 'enum-opened',
    after: property('state', (s) => {
      s['x-extensible-enum'] = s.enum;
      delete s.enum;
    }),
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'enum-closed',
    after: property('phase', (s) => {
      s.enum = s['x-extensible-enum'];
      delete s['x-extensible-enum'];
    }),
    effects: everywhere('both', 'nobody'),
  },
  {
    code: 'enum-name-changed',
    after: property('state', (s) => (s['x-enum-varnames'] = ['Fresh', 'Sent'])),
    effects: everywhere('upgrade', 'upgrade'),
  },
  {
    code: 'const-changed',
    after: property('version', (s) => (s.const = 2)),
    effects: everywhere('both', 'both'),
  },
  ...(
    [
      ['id', (s: Draft) => (s.maxLength = 5)],
      ['id', (s: Draft) => (s.minLength = 1)],
      ['weight', (s: Draft) => (s.minimum = 1)],
      ['weight', (s: Draft) => (s.maximum = 9)],
      ['weight', (s: Draft) => (s.multipleOf = 1)],
      ['parts', (s: Draft) => (s.uniqueItems = true)],
      ['parts', (s: Draft) => (s.maxItems = 2)],
    ] as const
  ).map(([name, change]): Case => ({
    code: 'limit-tightened',
    after: property(name, change),
    effects: everywhere('both', 'nobody'),
  })),
  ...(
    [
      ['id', (s: Draft) => (s.maxLength = 50)],
      ['id', (s: Draft) => delete s.maxLength],
      ['weight', (s: Draft) => (s.minimum = -1)],
      ['weight', (s: Draft) => (s.multipleOf = 0.25)],
      ['parts', (s: Draft) => (s.maxItems = 6)],
    ] as const
  ).map(([name, change]): Case => ({
    code: 'limit-loosened',
    after: property(name, change),
    effects: everywhere('nobody', 'today'),
  })),
  {
    code: 'rule-added',
    after: property('id', (s) => (s.pattern = '^T')),
    effects: everywhere('both', 'nobody'),
  },
  {
    code: 'rule-added',
    after: { thing: (s) => (s.additionalProperties = false) },
    effects: everywhere('both', 'nobody'),
  },
  {
    code: 'rule-removed',
    after: property('note', (s) => delete s.pattern),
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'rule-removed',
    after: property('state', (s) => {
      delete s.enum;
      delete s['x-enum-varnames'];
    }),
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'rule-changed',
    after: property('note', (s) => (s.pattern = '^[A-Z]*$')),
    effects: everywhere('both', 'both'),
  },
  {
    code: 'rule-changed',
    after: property('weight', (s) => (s.multipleOf = 0.3)),
    effects: everywhere('both', 'both'),
  },
  {
    code: 'type-widened',
    after: property('size', (s) => s.oneOf.push({ type: 'boolean' })),
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'type-widened',
    after: {
      thing: (s) => (s.properties.id = { oneOf: [s.properties.id, { type: 'integer' }] }),
    },
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'type-narrowed',
    after: property('size', (s) => s.oneOf.pop()),
    effects: everywhere('both', 'nobody'),
  },
  {
    code: 'alternative-added',
    before: boxes('small'),
    after: boxes('small', 'large'),
    effects: everywhere('nobody', 'both'),
  },
  {
    code: 'alternative-removed',
    before: boxes('small', 'large'),
    after: boxes('small'),
    effects: everywhere('both', 'upgrade'),
  },
  {
    // Another alternative still accepts the value that the longer text would be.
    code: 'value-refused',
    before: property(
      'size',
      (s) => (s.oneOf = [{ type: 'string', maxLength: 2 }, { minLength: 4 }]),
    ),
    after: property(
      'size',
      (s) => (s.oneOf = [{ type: 'string', maxLength: 5 }, { minLength: 4 }]),
    ),
    effects: everywhere('both', 'nobody'),
    also: ['limit-loosened'],
  },
  {
    code: 'value-admitted',
    before: property(
      'size',
      (s) => (s.oneOf = [{ type: 'string', maxLength: 5 }, { minLength: 4 }]),
    ),
    after: property(
      'size',
      (s) => (s.oneOf = [{ type: 'string', maxLength: 2 }, { minLength: 4 }]),
    ),
    effects: everywhere('nobody', 'both'),
    also: ['limit-tightened'],
  },
  {
    code: 'default-changed',
    after: property('note', (s) => (s.default = 'empty')),
    effects: everywhere('both', 'nobody'),
  },
  {
    code: 'deprecated',
    after: property('note', (s) => (s.deprecated = true)),
    effects: everywhere('nobody', 'nobody'),
  },
  {
    code: 'deprecation-withdrawn',
    before: property('note', (s) => (s.deprecated = true)),
    after: {},
    effects: everywhere('nobody', 'nobody'),
  },
  {
    code: 'documentation-changed',
    after: property('note', (s) => (s.description = 'Another note.')),
    effects: everywhere('nobody', 'nobody'),
  },
  {
    code: 'documentation-changed',
    after: property('note', (s) => (s['x-note'] = 'A remark.')),
    effects: everywhere('nobody', 'nobody'),
  },
  {
    code: 'citation-changed',
    after: property('note', (s) => (s['x-source'] = '2.1')),
    effects: everywhere('nobody', 'nobody'),
  },
  {
    code: 'examples-changed',
    after: property('note', (s) => (s.examples = ['abc'])),
    effects: everywhere('nobody', 'nobody'),
  },
  {
    code: 'schema-added',
    after: { openapi: (d) => (d.components.schemas.Extra = { type: 'integer' }) },
    effects: { type: 'nobody' },
  },
  {
    code: 'schema-removed',
    after: { openapi: (d) => delete d.components.schemas.Unused },
    effects: { type: 'upgrade' },
  },
  {
    code: 'guards-removed',
    before: put((operation) => {
      const schema = { $ref: '#/components/schemas/Unused' };
      operation.responses[404].content = { 'application/json': { schema } };
    }),
    after: {},
    also: ['response-media-type-removed'],
    effects: { type: 'upgrade' },
    subject: 'schema Unused',
  },
  {
    code: 'schema-renamed',
    after: {
      openapi: (d) => (d.components.schemas = { Renamed: d.components.schemas.Unused }),
    },
    effects: { type: 'upgrade' },
  },
];

const form = { when: { '$request.body#/Id': {} }, rename: { Id: 'id' } };
const withForm: Mutation = { thing: (s) => (s['x-variants'] = { upper: structuredClone(form) }) };
const withAbsent = (schema: object): Mutation =>
  property('note', (s) => (s['x-variants'] = { none: { schema, as: 'absent' } }));
/** Changes of the forms in which a value travels. */
export const variants: readonly Case[] = [
  { code: 'variant-added', after: withForm, effects: everywhere('today', 'today') },
  {
    code: 'variant-removed',
    before: withForm,
    after: {},
    effects: everywhere('upgrade', 'upgrade'),
  },
  {
    code: 'variant-changed',
    before: withForm,
    after: {
      thing: (s) =>
        (s['x-variants'] = {
          upper: { ...form, when: { '$request.body#/ID': {} }, rename: { ID: 'id' } },
        }),
    },
    effects: everywhere('today', 'today'),
  },
  {
    code: 'variant-added',
    after: withAbsent({ type: 'null' }),
    effects: everywhere('today', 'today'),
    subject: 'schema Thing, variant properties/note/none',
  },
  {
    code: 'variant-removed',
    before: withAbsent({ type: 'null' }),
    after: {},
    effects: everywhere('upgrade', 'upgrade'),
  },
  {
    code: 'variant-changed',
    before: withAbsent({ type: 'null' }),
    after: withAbsent({ enum: [null, ''] }),
    effects: everywhere('today', 'today'),
  },
];
