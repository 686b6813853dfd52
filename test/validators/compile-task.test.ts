import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../generator/json/json.ts';
import { createTaskCompiler } from '../../generator/validators/compile-task.ts';
import type { ValidatorCode } from '../../generator/validators/validator-code.ts';

function compile(schema: JsonObject, references: readonly string[] = []): ValidatorCode {
  const task = {
    schema,
    functionName: 'own',
    references: references.map((name) => [name, `other${name}`] as const),
    unevaluated: false,
  };
  const compiled = createTaskCompiler()(task);
  if (compiled === undefined || 'failure' in compiled) throw new Error(compiled?.failure);
  return compiled.code;
}

const textOf = ({ text, constants }: ValidatorCode): string =>
  [text, ...constants.map((constant) => constant.text)].join('\n');

describe('the code of a schema', () => {
  test.each<readonly [string, JsonObject]>([
    ['a member', { required: ['\u202e'], properties: { '\u202e</': { enum: ['\u2066'] } } }],
    ['a pattern', { pattern: '\u202e' }],
    ['a pattern of members', { patternProperties: { '\u202e': { type: 'string' } } }],
    ['a constant', { const: { '\u202e': '\u2028' } }],
    ['a dependency', { dependentRequired: { '\u202e': ['\u200f', '</script'] } }],
  ])('shows every character of %s', (_, schema) => {
    const code = textOf(compile(schema));
    expect(code).toContain(String.raw`\u202e`);
    expect(code).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]|<[/!]/u);
  });

  test('names what it needs, and needs nothing to be loaded', () => {
    const code = compile(
      {
        properties: { a: { $ref: 'A' }, b: { format: 'date-time', minLength: 1 } },
        items: { multipleOf: 0.1 },
        uniqueItems: true,
        const: {},
      },
      ['A'],
    );
    expect(code.schemas).toEqual(['A']);
    expect(code.formats).toEqual(['dateTime']);
    expect(code.runtime.toSorted()).toEqual([
      'equal',
      'equalItems',
      'fail',
      'isMultipleOf',
      'isObject',
      'length',
    ]);
    expect(textOf(code)).not.toContain('require');
    expect(textOf(code)).toContain('otherA(');
  });

  test.each<readonly [string, JsonObject, RegExp]>([
    ['a reference that leads nowhere', { $ref: 'Nowhere' }, /no schema "Nowhere"/],
    ['an expression that is none', { pattern: '(' }, /regular expression/],
    ['a type that is none', { type: 'text' }, /type must be/],
  ])('is a failure for %s', (_, schema, reason) => {
    const task = { schema, functionName: 'own', references: [], unevaluated: false };
    const compiled = createTaskCompiler()(task);
    expect(compiled).toMatchObject({ isTooDeep: false, failure: expect.stringMatching(reason) });
  });

  test('is a failure for a schema that is nested too deeply, and the next schema is compiled', () => {
    let schema: JsonObject = { type: 'string' };
    for (let level = 0; level < 20_000; level += 1) schema = { allOf: [schema, { minLength: 1 }] };
    const tasks = [schema, {}].map((taskSchema) => ({
      schema: taskSchema,
      functionName: 'own',
      references: [],
      unevaluated: false,
    }));
    const [failed, next] = tasks.map(createTaskCompiler());
    expect(failed).toMatchObject({ isTooDeep: true });
    expect(next).toHaveProperty('code');
  });
});
