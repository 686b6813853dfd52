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
  readonly #isEager: boolean;
  readonly #results = new Map<string, Promise<CompiledSchema>>();
  readonly #started = new WeakMap<ValidatorUnit, Promise<CompiledSchema>>();
  #missing: CompileJob[] = [];

  /**
   * @param options with `eager`, the run will need all units, and its owner closes the compiler at the end of the run
   */
  constructor(
    options: { readonly cache?: ValidatorCache | undefined; readonly eager?: boolean } = {},
  ) {
    this.#cache = options.cache;
    this.#isEager = options.eager ?? false;
    // It loads Ajv while the caller reads the contract.
    if (this.#isEager && this.#cache?.isEmpty !== false) this.#thread = startThread();
  }

  /** Ends the thread of an eager compiler. */
  close(): void {
    this.#thread?.close();
    this.#thread = undefined;
  }

  /** Compiles all units of a plan before they are asked for, if the run will need them. */
  compileAhead(plan: ValidatorPlan): void {
    if (this.#isEager) this.compile(plan, plan.units.values());
  }

  /**
   * Returns the functions of units, in the order in which they are compiled. The units belong to the plan or refer to its
   * units. A rejection does not have to be handled.
   */
  compile(
    plan: ValidatorPlan,
    units: Iterable<ValidatorUnit>,
  ): ReadonlyMap<ValidatorUnit, Promise<CompiledSchema>> {
    return new Map(Array.from(units, (unit) => [unit, this.#start(plan, unit)]));
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
    // Waits for the other synchronous calls, so that their units are compiled in the same batch.
    if (this.#missing.length === 0) queueMicrotask(() => this.#compileMissing());
    this.#missing.push({ task, resolve: add, reject });
    return promise;
  }

  #compileMissing(): void {
    const jobs = this.#missing;
    this.#missing = [];
    if (this.#isEager || jobs.length >= minThreadedSchemas) {
      if (this.#isEager) this.#thread ??= startThread();
      const thread = this.#thread ?? new CompilingThread({ closesWhenIdle: true });
      thread.compile(jobs);
      return;
    }
    const compiled = compileValidators(jobs.map(({ task }) => task));
    for (const { resolve, reject } of jobs) {
      try {
        const { value } = compiled.next();
        if (value !== undefined) resolve(value);
      } catch (error) {
        reject(error);
      }
    }
  }
}

function startThread(): CompilingThread {
  return new CompilingThread({ closesWhenIdle: false });
}

function toTask({ units, unevaluated }: ValidatorPlan, unit: ValidatorUnit): CompileTask {
  const { schema, functionName } = unit;
  const references = unit.references.flatMap((name): readonly (readonly [string, string])[] => {
    const target = units.get(name);
    return target === undefined ? [] : [[name, target.functionName]];
  });
  return { schema, functionName, references, unevaluated };
}
