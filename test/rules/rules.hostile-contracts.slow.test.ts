import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentRules, runRules } from '../../generator/rules/rules.ts';
import { placesOf } from '../../generator/documents/places.ts';
import { type Json, type JsonObject, isJsonObject } from '../../generator/json/json.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import { loadFiles } from './rule-case.ts';
import * as names from './cases/names.ts';
import * as vocabulary from './cases/vocabulary.ts';
import { runsOf } from '../some.ts';

/** Documents as no loader would hand them out. */
function documentsOf(openapi: JsonObject | undefined, asyncapi?: JsonObject): Documents {
  return {
    ...(openapi === undefined
      ? {}
      : { openapi: { version: '3.1.1', file: 'openapi.yaml', root: openapi } }),
    ...(asyncapi === undefined
      ? {}
      : { asyncapi: { version: '3.0.0', file: 'asyncapi.yaml', root: asyncapi } }),
    files: [],
    diagnostics: [],
    locate: (pointer) => ({ file: pointer.split('#')[0] ?? '', line: 1, column: pointer.length }),
    cite: (pointer) => pointer,
  };
}

/** Replaces the values at some positions of a walk through the whole value. */
function mutate(value: Json, replacements: ReadonlyMap<number, Json>): Json {
  let position = 0;
  const visit = (here: Json): Json => {
    const replacement = replacements.get(position);
    position += 1;
    if (replacement !== undefined) return replacement;
    if (Array.isArray(here)) return (here as readonly Json[]).map(visit);
    if (!isJsonObject(here)) return here;
    return Object.fromEntries(
      Object.entries(here).map(([name, member]) => [name, visit(member ?? null)]),
    );
  };
  return visit(value);
}

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    '',
    '$request.body#/~',
    [],
    {},
    [null],
    { $ref: '#' },
    { $ref: '#/components/schemas/Ordered' },
    { $ref: '#/%ZZ' },
    { $ref: 7 },
    { unstated: '__proto__' },
    { constructor: {}, ['__proto__']: 1 },
    [[[{}]]],
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

const everything = [...vocabulary.observances, ...names.observances].filter(
  ({ files }) => 'openapi.yaml' in files && 'asyncapi.yaml' in files,
);

describe('rules about a hostile contract', () => {
  it.each(everything)('answer for any ill-formed variation of $name', async ({ files }) => {
    const { openapi, asyncapi } = await loadFiles(files);
    const roots = [openapi?.root ?? {}, asyncapi?.root ?? {}] as const;
    const size = JSON.stringify(roots).split(/[,:[{]/).length;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: size }), odd), { minLength: 1, maxLength: 6 }),
        async (changes) => {
          const [left, right] = roots.map((root, index) =>
            mutate(
              root,
              new Map(changes.filter(([position]) => position > 0 && position % 2 === index)),
            ),
          ) as [JsonObject, JsonObject];
          const findings = await runRules(Object.values(documentRules), {
            documents: documentsOf(left, right),
          });
          for (const { message } of findings) expect(message).not.toMatch(/[\n\r\u2028\u2029]/);
        },
      ),
      { numRuns: runsOf(150) },
    );
  });

  it('end for references in a circle, at once or through one another', async () => {
    const circle = { $ref: '#/components/schemas/A' };
    const root: JsonObject = {
      openapi: '3.1.1',
      info: { 'x-countersign': 1, 'x-source-document': 'Manual' },
      paths: { '/{a}': { $ref: '#/paths/~1{a}' } },
      webhooks: {
        w: {
          post: {
            'x-identified-by': { '$request.body#/a/b': {}, '$request.body#/c': false },
            parameters: [{ $ref: '#/webhooks/w/post/parameters/0' }],
            requestBody: { content: { 'application/json': { schema: circle } } },
          },
        },
      },
      components: {
        schemas: {
          A: { $ref: '#/components/schemas/B' },
          B: { allOf: [circle], properties: { a: circle } },
          C: { $ref: '#/components/schemas/C' },
        },
      },
    };
    const asyncapi: JsonObject = {
      info: { 'x-countersign': 1 },
      components: {
        schemas: root['components'] === undefined ? {} : { A: circle, B: { anyOf: [circle] } },
        messages: {
          m: { payload: circle, headers: circle, traits: [{ $ref: '#/components/messages/m' }] },
        },
      },
    };
    const findings = await runRules(Object.values(documentRules), {
      documents: documentsOf(root, asyncapi),
    });
    expect(findings.length).toBeGreaterThan(0);
  });

  it('end for schemas that are deep, wide, or refer twice to the next of many', async () => {
    let deep: Json = { properties: { end: { pattern: '(' } } };
    for (let depth = 0; depth < 3000; depth += 1) deep = { allOf: [deep] };
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `D${index}`,
        {
          allOf: [0, 1].map(() => ({ $ref: `#/components/schemas/D${index + 1}` })),
          properties: { a: {} },
        },
      ]),
    );
    const wide = Object.fromEntries(
      Array.from({ length: 150_000 }, (_, index) => [`p${index}`, {}]),
    );
    const root: JsonObject = {
      info: { 'x-countersign': 1 },
      webhooks: {
        w: {
          post: {
            'x-identified-by': { '$request.body#/a/b': {}, '$request.body#/b': {} },
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/D0' } } },
            },
          },
        },
      },
      components: {
        schemas: { ...doubling, deep, wide: { properties: wide, oneOf: Object.values(wide) } },
      },
    };
    const findings = await runRules(Object.values(documentRules), { documents: documentsOf(root) });
    expect(findings.map(({ code }) => code)).toContain('invalid-pattern');
  });

  it('see members called __proto__ and constructor, and nothing of a prototype', async () => {
    const schemas = JSON.parse(
      '{"__proto__":{"pattern":"("},"constructor":{"properties":{"__proto__":{"pattern":"["}}}}',
    ) as JsonObject;
    const documents = documentsOf({ components: { schemas } });
    const pointers = placesOf(documents).map(({ pointer }) => pointer);
    expect(pointers).toContain('openapi#/components/schemas/__proto__');
    expect(pointers).toContain('openapi#/components/schemas/constructor/properties/__proto__');
    const findings = await runRules(Object.values(documentRules), { documents });
    expect(findings.filter(({ code }) => code === 'invalid-pattern')).toHaveLength(2);
  });
});
