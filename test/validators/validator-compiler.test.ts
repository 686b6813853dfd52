import { expect, test } from 'vitest';
import type { JsonObject } from '../../generator/json/json.ts';
import type { ValidatorCode } from '../../generator/validators/validator-code.ts';
import { ValidatorCompiler } from '../../generator/validators/validator-compiler.ts';
import { planValidators } from '../../generator/validators/validator-units.ts';
import { buildContract } from '../targets/contract/contract-builder.ts';

/** Compiles all schemas with a cache, and counts what it had to compile. */
async function compileAll(
  schemas: readonly (readonly [string, JsonObject])[],
  kept: Map<string, ValidatorCode>,
): Promise<{ readonly compiled: number; readonly names: readonly string[] }> {
  let compiled = 0;
  const compiler = new ValidatorCompiler({
    cache: {
      isEmpty: kept.size === 0,
      find: (key) => kept.get(key),
      add(key, code) {
        compiled += 1;
        kept.set(key, code);
      },
    },
  });
  const plan = planValidators(buildContract(schemas));
  const results = compiler.compile(plan, plan.units.values());
  await Promise.all(results.values());
  return { compiled, names: Array.from(results.keys(), ({ name }) => name) };
}

const reference = { properties: { next: { $ref: '#/$defs/S7' } } };
const schemas = (changed: JsonObject): readonly (readonly [string, JsonObject])[] =>
  Array.from({ length: 200 }, (_, index) => [
    `S${index}`,
    index === 7 ? changed : { ...reference, minProperties: index },
  ]);

test('compiles every schema once, and one of a changed contract', async () => {
  const kept = new Map<string, ValidatorCode>();
  const first = await compileAll(schemas({ type: 'string' }), kept);
  expect(first.compiled).toBe(200);
  expect((await compileAll(schemas({ type: 'string' }), kept)).compiled).toBe(0);
  expect((await compileAll(schemas({ type: 'integer' }), kept)).compiled).toBe(1);
});

test('compiles all again where one starts to ask what others have evaluated', async () => {
  const kept = new Map<string, ValidatorCode>();
  await compileAll(schemas({ type: 'object' }), kept);
  const changed = schemas({ type: 'object', unevaluatedProperties: false });
  expect((await compileAll(changed, kept)).compiled).toBe(200);
});

test('compiles only what is asked for, unless the rest is needed anyway', async () => {
  const plan = planValidators(buildContract(schemas({ type: 'string' })));
  const [first] = plan.units.values();
  if (first === undefined) throw new Error('There is no schema.');
  for (const [eager, count] of [
    [false, 1],
    [true, 200],
  ] as const) {
    let compiled = 0;
    const cache = { isEmpty: true, find: () => undefined, add: () => void (compiled += 1) };
    const compiler = new ValidatorCompiler({ cache, eager });
    compiler.compileAhead(plan);
    const [function_] = compiler.compile(plan, [first]).values();
    expect(await function_).toHaveProperty('code');
    if (eager) await Promise.all(compiler.compile(plan, plan.units.values()).values());
    expect(compiled).toBe(count);
    compiler.close();
  }
});

test('compiles few schemas and later ones in the thread that it started for an empty cache', async () => {
  const cache = { isEmpty: true, find: () => undefined, add: () => undefined };
  const compiler = new ValidatorCompiler({ cache, eager: true });
  for (const schema of [{ type: 'string' }, { type: 'integer' }]) {
    const plan = planValidators(buildContract([['S', schema]]));
    const inline = new ValidatorCompiler().compile(plan, plan.units.values());
    const threaded = compiler.compile(plan, plan.units.values());
    expect(await Promise.all(threaded.values())).toEqual(await Promise.all(inline.values()));
  }
  compiler.close();
});

test('rejects what it was asked for when it is closed', async () => {
  const cache = { isEmpty: true, find: () => undefined, add: () => undefined };
  const compiler = new ValidatorCompiler({ cache, eager: true });
  const plan = planValidators(buildContract(schemas({ type: 'string' })));
  const compiled = Promise.all(compiler.compile(plan, plan.units.values()).values());
  compiler.close();
  await expect(compiled).rejects.toThrow('A thread ended early.');
});
