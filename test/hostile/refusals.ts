import type { DiagnosticCode } from '../../generator/diagnostics/catalogue.ts';
import type { JsonObject } from '../../generator/json/json.ts';
import { documentOf, times, to, type Schemas } from './shapes.ts';

/** A contract that is meant to exhaust or to mislead its reader, and the code that it is refused with. */
export interface Refusal {
  readonly name: string;
  /** The OpenAPI document, or its text where JSON cannot say it. */
  readonly document: () => JsonObject | string;
  readonly code: DiagnosticCode;
}

/** In a document that declares the vocabulary, errors are not recovered by a guess. */
const vocabulary: JsonObject = {
  info: { title: 'Attack', version: '1.0.0', 'x-countersign': 1 },
};

/** Schemas that lead to one another in a line. */
function chain(length: number, refer: (next: JsonObject) => JsonObject): Schemas {
  return {
    A: to('L0'),
    ...Object.fromEntries(times(length, (level) => [`L${level}`, refer(to(`L${level + 1}`))])),
    [`L${length}`]: { type: 'object', properties: { end: { type: 'string' } } },
  };
}

const tooLarge: readonly Refusal[] = [
  {
    name: 'an alias bomb of 2⁴⁰ values',
    document: () =>
      `openapi: 3.1.2\nx-0: &a0 [lol, lol]\n${times(
        40,
        (index) => `x-${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`,
      ).join('')}`,
  },
  {
    name: '10,000 levels of allOf within one another',
    document: () => `openapi: 3.1.2\nx-a: ${'{ allOf: ['.repeat(10_000)}`,
  },
  {
    name: '10,000 levels of lists within one another, in JSON',
    document: () => `{"openapi":"3.1.2","x-a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  },
  ...(
    [
      ['allOf', (next) => ({ allOf: [next, { type: 'object' }] })],
      ['anyOf', (next) => ({ anyOf: [next, { type: 'null' }] })],
      ['properties', (next) => ({ type: 'object', properties: { a: next }, required: ['a'] })],
      ['items', (next) => ({ type: 'array', items: next, minItems: 1 })],
    ] as readonly (readonly [string, (next: JsonObject) => JsonObject])[]
  ).map(([name, refer]) => ({
    name: `10,000 schemas in a line by ${name}`,
    document: () => documentOf(chain(10_000, refer)),
  })),
  {
    name: '50,000 values of an enumeration',
    document: () => documentOf({ A: { enum: times(50_000, (index) => `value ${index}`) } }),
  },
  {
    name: '50,000 values of an open enumeration',
    document: () =>
      documentOf({
        A: { type: 'string', 'x-extensible-enum': times(50_000, (index) => `value ${index}`) },
      }),
  },
].map((attack) => ({ ...attack, code: 'contract-too-large' }));

const circles: readonly Refusal[] = [
  { name: 'a reference to itself', document: () => documentOf({ A: to('A') }) },
  {
    name: 'references in a circle of three',
    document: () => documentOf({ A: to('B'), B: to('C'), C: to('A') }),
  },
  ...(
    'parameters responses requestBodies headers examples links callbacks pathItems ' +
    'securitySchemes'
  )
    .split(' ')
    .map((kind) => ({
      name: `${kind} that are one another`,
      document: (): JsonObject => ({
        ...documentOf({}),
        components: {
          schemas: { A: { type: 'string' } },
          [kind]: {
            a: { $ref: `#/components/${kind}/b` },
            b: { $ref: `#/components/${kind}/a` },
          },
        },
      }),
    })),
].map((attack) => ({ ...attack, code: 'unresolved-reference' }));

const slowPatterns: readonly Refusal[] = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(\\w+\\s?)+$',
  '^(a*)*b$',
  '^((a?){30}){30}$',
  '(x+x+)+y',
  '^(?:a|b|ab)*c$',
].map((pattern) => ({
  name: `the pattern ${pattern}, which takes exponentially many ways`,
  document: () =>
    documentOf({ A: { type: 'string', pattern, examples: [`${'a'.repeat(40)}!`] } }, vocabulary),
  code: 'slow-pattern',
}));

/** Attacks that end with a word about what is wrong, before anything is generated. */
export const refusals: readonly Refusal[] = [
  ...tooLarge,
  ...circles,
  ...slowPatterns,
  {
    name: 'a limit that is a text',
    document: () => documentOf({ A: { type: 'number', minimum: 'alert(1)' } }, vocabulary),
    code: 'invalid-schema',
  },
];
