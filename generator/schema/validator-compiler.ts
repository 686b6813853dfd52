import { hash } from 'node:crypto';
import { once } from '../once.ts';
import { compileInThreads } from './compile-in-threads.ts';
import type { CompileTask } from './compile-validators.ts';
import type { CompiledSchema, ValidatorCode } from './validator-code.ts';
import type { ValidatorPlan, ValidatorUnit } from './validator-units.ts';

/** Functions of an earlier run, by the hash of everything that decides them besides the toolkit. */
export interface ValidatorCache {
  find(key: string): ValidatorCode | undefined;
  add(key: string, code: ValidatorCode): void;
}

/** Compiles the validating functions of one run. Each function is compiled once, whoever needs it. */
export interface ValidatorCompiler {
  /** Returns the functions of units of a plan, or of units that refer to units of the plan. */
  compile(
    plan: ValidatorPlan,
    units: Iterable<ValidatorUnit>,
  ): Promise<ReadonlyMap<ValidatorUnit, CompiledSchema>>;
}

/**
 * Creates the compiler of a run.
 * @param eager whether the run needs all units of a plan in the end, so that threads are started once
 */
export function createValidatorCompiler(
  options: { readonly cache?: ValidatorCache | undefined; readonly eager?: boolean } = {},
): ValidatorCompiler {
  const { cache, eager = false } = options;
  const results = new Map<string, Promise<CompiledSchema>>();

  const start = (plan: ValidatorPlan, units: Iterable<ValidatorUnit>): void => {
    const missing: Missing[] = [];
    for (const unit of units) {
      const key = keyOf(plan)(unit);
      if (results.has(key)) continue;
      const code = cache?.find(key);
      const { promise, resolve, reject } = Promise.withResolvers<CompiledSchema>();
      // A run that fails for another reason never waits for it.
      promise.catch(() => undefined);
      results.set(key, promise);
      if (code === undefined) missing.push({ key, task: toTask(plan, unit), resolve, reject });
      else resolve({ code });
    }
    if (missing.length === 0) return;
    const { unevaluated } = plan;
    const tasks = missing.map(({ task }) => task);
    compileInThreads({ tasks, unevaluated }, (index, compiled) => {
      const found = missing[index];
      if (found !== undefined && 'code' in compiled) cache?.add(found.key, compiled.code);
      found?.resolve(compiled);
    }).then(
      () => missing.forEach(({ reject }) => reject(new Error('A compile thread ended early.'))),
      (error: unknown) => missing.forEach(({ reject }) => reject(error)),
    );
  };

  return {
    async compile(plan, units) {
      const wanted = [...units];
      start(plan, eager ? new Set([...wanted, ...plan.units.values()]) : wanted);
      const compiled = new Map<ValidatorUnit, CompiledSchema>();
      for (const unit of wanted) {
        const result = await results.get(keyOf(plan)(unit));
        if (result !== undefined) compiled.set(unit, result);
      }
      return compiled;
    },
  };
}

interface Missing {
  readonly key: string;
  readonly task: CompileTask;
  readonly resolve: (compiled: CompiledSchema) => void;
  readonly reject: (error: unknown) => void;
}

function toTask({ units }: ValidatorPlan, unit: ValidatorUnit): CompileTask {
  const { schema, functionName } = unit;
  const references = unit.references.flatMap((name): readonly (readonly [string, string])[] => {
    const target = units.get(name);
    return target === undefined ? [] : [[name, target.functionName]];
  });
  return { schema, functionName, references };
}

/** The function of a unit depends on its schema, on the names of the functions that it calls, and on one option. */
const keyOf = once((plan: ValidatorPlan) =>
  once((unit: ValidatorUnit): string =>
    hash('sha256', JSON.stringify([plan.unevaluated, toTask(plan, unit)]), 'base64url'),
  ),
);
