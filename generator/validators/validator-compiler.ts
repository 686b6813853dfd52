import { hash } from 'node:crypto';
import { AnsweringThread } from '../execution/thread.ts';
import { type CompileTask, createTaskCompiler } from './compile-task.ts';
import type { CompiledSchema, ValidatorCode } from './validator-code.ts';
import type { ValidatorPlan, ValidatorUnit } from './validator-units.ts';

/** The functions of earlier runs. A key is the hash of a compile task; it does not include the toolkit's version. */
export interface ValidatorCache {
  readonly isEmpty: boolean;
  find(key: string): ValidatorCode | undefined;
  add(key: string, code: ValidatorCode): void;
}

/**
 * Compiles the validating functions of one run, each once. If the run needs them all, a thread compiles them. Several
 * threads would finish sooner, but each spends half a second of CPU time on loading its own copy of Ajv, and the caller
 * is busy for longer than one thread needs.
 */
export class ValidatorCompiler {
  readonly #cache: ValidatorCache | undefined;
  #thread: AnsweringThread<CompileTask, string> | undefined;
  #compileHere: ReturnType<typeof createTaskCompiler> | undefined;
  readonly #isEager: boolean;
  readonly #results = new Map<string, Promise<CompiledSchema>>();
  readonly #started = new WeakMap<ValidatorUnit, Promise<CompiledSchema>>();

  /**
   * @param options with `eager`, the run will need all units, and its owner closes the compiler at the end of the run
   */
  constructor(
    options: { readonly cache?: ValidatorCache | undefined; readonly eager?: boolean } = {},
  ) {
    this.#cache = options.cache;
    this.#isEager = options.eager ?? false;
    // It loads Ajv while the caller reads the contract.
    if (this.#isEager && this.#cache?.isEmpty !== false) this.#thread = startCompileThread();
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
    const result = this.#compile(task);
    result.then(
      (compiled) => {
        if ('code' in compiled) this.#cache?.add(key, compiled.code);
      },
      // If the run fails for another reason, the result is never awaited: a rejection must not be reported as unhandled.
      () => undefined,
    );
    return result;
  }

  async #compile(task: CompileTask): Promise<CompiledSchema> {
    if (this.#isEager) {
      this.#thread ??= startCompileThread();
      return JSON.parse(await this.#thread.ask(task)) as CompiledSchema;
    }
    this.#compileHere ??= createTaskCompiler();
    return this.#compileHere(task);
  }
}

function startCompileThread(): AnsweringThread<CompileTask, string> {
  return new AnsweringThread(new URL('./compile-thread.ts', import.meta.url));
}

function toTask({ units, unevaluated }: ValidatorPlan, unit: ValidatorUnit): CompileTask {
  const { schema, functionName, isRepeated } = unit;
  const references = unit.references.flatMap((name): readonly (readonly [string, string])[] => {
    const target = units.get(name);
    return target === undefined ? [] : [[name, target.functionName]];
  });
  const repetition = isRepeated === undefined ? {} : { isRepeated };
  return { schema, functionName, references, ...repetition, unevaluated };
}
