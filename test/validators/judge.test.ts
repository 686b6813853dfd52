import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../generator/json/json.ts';
import { createTaskCompiler } from '../../generator/validators/compile-task.ts';
import { Judge, JudgeError } from '../../generator/validators/judge.ts';

let judge: Judge;
afterEach(() => judge.close());

/** Starts a judge of schemas that refer to one another by name; a function has the name of its schema. */
function judgeOf(schemas: Readonly<Record<string, JsonObject>>): void {
  const names = Object.keys(schemas);
  const references = names.map((name) => [name, name] as const);
  const tasks = names.map((name) => ({
    schema: schemas[name] ?? {},
    functionName: name,
    references,
    unevaluated: false,
  }));
  const functions = tasks.map(createTaskCompiler()).map((compiled, index) => {
    if ('failure' in compiled) throw new Error(compiled.failure);
    return [names[index] ?? '', compiled.code] as const;
  });
  judge = new Judge();
  judge.define(functions);
}

async function failureOf(check: Promise<unknown>): Promise<Pick<JudgeError, 'code' | 'pattern'>> {
  const error: unknown = await check.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof JudgeError)) throw new Error('It was judged.');
  return { code: error.code, pattern: error.pattern };
}

const deep = (levels: number): Json => {
  let value: Json = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

/** Forty schemas, each of which refers twice to the next: a value is checked by the last one 2⁴⁰ times. */
const doubling = Object.fromEntries(
  Array.from({ length: 41 }, (_, index): [string, JsonObject] => [
    `D${index}`,
    index === 40
      ? { type: 'string' }
      : { allOf: [{ $ref: `D${index + 1}` }, { $ref: `D${index + 1}` }] },
  ]),
);

/** Takes longer than any limit on the text below, and no time on others. */
const slow = '^(?:a|aa)+$';
const pump = `${'a'.repeat(60)}!`;

describe('a judge', () => {
  test('takes over the thread of the one before, and nothing that it knew', async () => {
    judgeOf({ A: { type: 'string', pattern: '^b' }, B: { type: 'string' } });
    expect(await judge.check('A', 'b')).toEqual([]);
    judge.close();

    const started: unknown[] = [];
    const note = (worker: unknown): unknown => started.push(worker);
    process.on('worker', note);
    try {
      judgeOf({ A: { type: 'integer', enum: [3] } });
      expect(await judge.check('A', 3)).toEqual([]);
      expect(await judge.check('A', 'b')).not.toEqual([]);
      await expect(failureOf(judge.check('B', 'b'))).resolves.toMatchObject({
        code: 'not-compiled',
      });
    } finally {
      process.off('worker', note);
    }
    expect(started).toEqual([]);
  });

  test('that is closed during a check leaves its thread to no other', async () => {
    judgeOf({ A: { type: 'string', pattern: slow } });
    const check = judge.check('A', pump);
    judge.close();
    judgeOf({ A: { type: 'integer' } });
    expect(await judge.check('A', 3)).toEqual([]);
    await expect(Promise.race([check, Promise.resolve('never')])).resolves.toBe('never');
  });

  test('answers with the errors of the generated function', async () => {
    judgeOf({ A: { properties: { b: { $ref: 'B' } } }, B: { type: 'integer', multipleOf: 0.01 } });
    expect(await judge.check('A', { b: 1 })).toEqual([]);
    const errors = await judge.check('A', { b: 'x' });
    expect(errors.map(({ instancePath, keyword }) => [instancePath, keyword])).toEqual([
      ['/b', 'type'],
    ]);
  });

  test.each<[string, JsonObject, Json, boolean]>([
    ['a decimal that is a multiple', { multipleOf: 0.01 }, 19.99, true],
    ['a number that no double holds', { type: 'number' }, Number('1e400'), false],
    ['a member that every object inherits', { required: ['constructor'] }, {}, false],
    ['an empty array in `not`', { not: { prefixItems: [{ type: 'string' }] } }, [], false],
    ['a text counted in characters', { maxLength: 1 }, '😀', true],
    ['a format', { format: 'date' }, '2026-02-30', false],
    ['an integer of 32 bits', { type: 'integer', format: 'int32' }, 2 ** 31, false],
    ['equal objects', { uniqueItems: true }, [{ a: 1 }, { a: 1 }], false],
  ])('checks %s as generated code does', async (_, schema, value, isValid) => {
    judgeOf({ S: schema });
    expect((await judge.check('S', value)).length === 0).toBe(isValid);
  });

  test('does not match a pattern against a text that is longer than maxLength', async () => {
    judgeOf({ S: { type: 'string', maxLength: 30, pattern: slow } });
    const errors = await judge.check('S', pump);
    expect(errors.map(({ keyword }) => keyword)).toEqual(['maxLength']);
  });

  test('distinguishes two patterns', async () => {
    judgeOf({ S: { properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } } });
    const errors = await judge.check('S', { a: 'b', b: 'b' });
    expect(errors.map(({ instancePath }) => instancePath)).toEqual(['/a']);
  });

  test('gives up a pattern that never ends, knows it again, and continues', async () => {
    judgeOf({ S: { pattern: slow }, T: { type: 'string' } });
    const [slowOne, slowAgain, quick, other] = await Promise.all([
      failureOf(judge.check('S', pump)),
      failureOf(judge.check('S', `${pump}!`)),
      judge.check('T', 'x'),
      judge.check('T', 1),
    ]);
    expect(slowOne).toEqual({ code: 'slow-pattern', pattern: slow });
    expect(slowAgain).toEqual({ code: 'slow-pattern', pattern: slow });
    expect(quick).toEqual([]);
    expect(other).toHaveLength(1);
  });

  test('gives up references that double, and continues', async () => {
    judgeOf({ ...doubling, Other: { type: 'string' } });
    const [bomb, other] = await Promise.all([
      failureOf(judge.check('D0', 'x')),
      judge.check('Other', 'x'),
    ]);
    expect(bomb).toEqual({ code: 'too-slow', pattern: undefined });
    expect(other).toEqual([]);
  });

  test('blames no pattern for a check that matches one many times', async () => {
    judgeOf({ ...doubling, D40: { pattern: '^a' } });
    expect(await failureOf(judge.check('D0', 'a'))).toEqual({
      code: 'too-slow',
      pattern: undefined,
    });
  });

  test('reports a value that is nested too deeply', async () => {
    judgeOf({ S: { items: { $ref: 'S' } } });
    expect((await failureOf(judge.check('S', deep(100_000)))).code).toBe('too-deep');
    expect(await judge.check('S', deep(100))).toEqual([]);
  });

  test('has no limit for the sum of many checks', async () => {
    judgeOf({ S: { type: 'array', items: { type: 'integer' } } });
    const value = Array.from({ length: 1000 }, (_, index) => index);
    const checks = Array.from({ length: 2000 }, async () => judge.check('S', value));
    expect((await Promise.all(checks)).every((errors) => errors.length === 0)).toBe(true);
  });

  test('takes a member named `__proto__` for data', async () => {
    judgeOf({ S: { additionalProperties: false } });
    const value = JSON.parse('{"__proto__":1}') as Json;
    expect(await judge.check('S', value)).toHaveLength(1);
  });
});
