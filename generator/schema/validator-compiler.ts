import { hash } from 'node:crypto';
import { type CompileTask, compileValidators } from './compile-validators.ts';
import { type CompileJob, CompilingThread } from './compiling-thread.ts';
import type { CompiledSchema, ValidatorCode } from './validator-code.ts';
import type { ValidatorPlan, ValidatorUnit } from './validator-units.ts';

/** The functions of earlier runs. A key is the hash of a compile task; it does not include the toolkit's version. */
export interface ValidatorCache {
  readonly isEmpty: boolean;
  find(key: string): ValidatorCode | undefined;
  add(key: string, code: ValidatorCode): void;
}

/** The number of schemas from which a thread saves more time than starting it costs. */
const minThreadedSchemas = 100;

/** Compiles the validating functions of one run: each function once, and those of simultaneous calls in one batch. */
export class ValidatorCompiler {
  readonly #cache: ValidatorCache | undefined;
  #thread: CompilingThread | undefined;
  #isEager: boolean;
  readonly #results = new Map<string, Promise<CompiledSchema>>();
  readonly #started = new WeakMap<ValidatorUnit, Promise<CompiledSchema>>();
  #missing: CompileJob[] = [];

  /**
   * @param options with `eager`, the first call compiles all units of its plan, because the run will need them all. The
   * owner of an eager compiler closes it at the end of the run.
   */
  constructor(
    options: { readonly cache?: ValidatorCache | undefined; readonly eager?: boolean } = {},
  ) {
    this.#cache = options.cache;
    this.#isEager = options.eager ?? false;
    // It loads Ajv while the caller reads the contract.
    if (this.#isEager && this.#cache?.isEmpty !== false) {
      this.#thread = new CompilingThread({ closesWhenIdle: false });
    }
  }

  /** Ends the thread of an eager compiler. */
  close(): void {
    this.#thread?.close();
    this.#thread = undefined;
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
    const add = (compiled: CompiledSchema): void => {
      if ('code' in compiled) this.#cache?.add(key, compiled.code);
      resolve(compiled);
    };
    this.#missing.push({ task, resolve: add, reject });
    return promise;
  }

  #compileMissing(): void {
    const jobs = this.#missing;
    this.#missing = [];
    if (jobs.length === 0) return;
    if (this.#thread === undefined && jobs.length < minThreadedSchemas) {
      const compiled = compileValidators(jobs.map(({ task }) => task));
      for (const { resolve } of jobs) {
        const { value } = compiled.next();
        if (value !== undefined) resolve(value);
      }
      return;
    }
    const thread = this.#thread ?? new CompilingThread({ closesWhenIdle: true });
    thread.compile(jobs);
  }
}

function toTask({ units, unevaluated }: ValidatorPlan, unit: ValidatorUnit): CompileTask {
  const { schema, functionName } = unit;
  const references = unit.references.flatMap((name): readonly (readonly [string, string])[] => {
    const target = units.get(name);
    return target === undefined ? [] : [[name, target.functionName]];
  });
  return { schema, functionName, references, unevaluated };
}
