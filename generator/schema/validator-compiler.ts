import { hash } from 'node:crypto';
import { compileInThread } from './compile-in-thread.ts';
import type { CompileTask } from './compile-validators.ts';
import type { CompiledSchema, ValidatorCode } from './validator-code.ts';
import type { ValidatorPlan, ValidatorUnit } from './validator-units.ts';

/** The functions of earlier runs. A key is the hash of a compile task; it does not include the toolkit's version. */
export interface ValidatorCache {
  find(key: string): ValidatorCode | undefined;
  add(key: string, code: ValidatorCode): void;
}

/** Compiles the validating functions of one run: each function once, and those of simultaneous calls in one batch. */
export class ValidatorCompiler {
  readonly #cache: ValidatorCache | undefined;
  #isEager: boolean;
  readonly #results = new Map<string, Promise<CompiledSchema>>();
  readonly #started = new WeakMap<ValidatorUnit, Promise<CompiledSchema>>();
  #missing: Missing[] = [];

  /** @param options with `eager`, the first call compiles all units of its plan, because the run will need them all */
  constructor(
    options: { readonly cache?: ValidatorCache | undefined; readonly eager?: boolean } = {},
  ) {
    this.#cache = options.cache;
    this.#isEager = options.eager ?? false;
  }

  /** Returns the functions of units. The units belong to the plan or refer to its units. */
  async compile(
    plan: ValidatorPlan,
    units: Iterable<ValidatorUnit>,
  ): Promise<ReadonlyMap<ValidatorUnit, CompiledSchema>> {
    const results = Array.from(units, (unit) => [unit, this.#start(plan, unit)] as const);
    // Waits for the other synchronous calls, so that their units are compiled in the same batch.
    await Promise.resolve();
    if (this.#isEager) {
      this.#isEager = false;
      for (const unit of plan.units.values()) void this.#start(plan, unit);
    }
    this.#compileMissing();
    const compiled = new Map<ValidatorUnit, CompiledSchema>();
    for (const [unit, result] of results) compiled.set(unit, await result);
    return compiled;
  }

  #start(plan: ValidatorPlan, unit: ValidatorUnit): Promise<CompiledSchema> {
    const started = this.#started.get(unit);
    if (started !== undefined) return started;
    const task = toTask(plan, unit);
    const key = hash('sha256', JSON.stringify(task), 'base64url');
    const result = this.#results.get(key) ?? this.#find(key, task);
    this.#results.set(key, result);
    this.#started.set(unit, result);
    return result;
  }

  #find(key: string, task: CompileTask): Promise<CompiledSchema> {
    const code = this.#cache?.find(key);
    if (code !== undefined) return Promise.resolve({ code });
    const { promise, resolve, reject } = Promise.withResolvers<CompiledSchema>();
    // If the run fails for another reason, the promise is never awaited: a rejection must not be reported as unhandled.
    promise.catch(() => undefined);
    this.#missing.push({ task, key, resolve, reject });
    return promise;
  }

  #compileMissing(): void {
    const jobs = this.#missing;
    this.#missing = [];
    if (jobs.length === 0) return;
    const rejectAll = (error: unknown): void => {
      for (const { reject } of jobs) reject(error);
    };
    compileInThread(jobs, ({ key, resolve }, compiled) => {
      if ('code' in compiled) this.#cache?.add(key, compiled.code);
      resolve(compiled);
    }).then(() => rejectAll(new Error('A compile thread ended early.')), rejectAll);
  }
}

interface Missing {
  readonly task: CompileTask;
  readonly key: string;
  readonly resolve: (compiled: CompiledSchema) => void;
  readonly reject: (error: unknown) => void;
}

function toTask({ units, unevaluated }: ValidatorPlan, unit: ValidatorUnit): CompileTask {
  const { schema, functionName } = unit;
  const references = unit.references.flatMap((name): readonly (readonly [string, string])[] => {
    const target = units.get(name);
    return target === undefined ? [] : [[name, target.functionName]];
  });
  return { schema, functionName, references, unevaluated };
}
