import type { WithSchemas } from 'countersign';
import { indexSchemas, toReference } from 'countersign/companion/contract';
import {
  JudgeError,
  planValidators,
  type SchemaError,
  UnitJudge,
  ValidatorCompiler,
  type ValidatorUnit,
} from 'countersign/companion/validators';
import { toCanonical } from 'countersign/companion/values';
import type { Json } from 'countersign/kit';
import { NoSample } from './no-sample.ts';
import { PatternLanguages } from './patterns.ts';
import { SampleWriter } from './sample-writer.ts';
import type { SampleContext, SamplePlan } from './value-writer.ts';
import { ValueHeights } from './value-heights.ts';

export interface SampleOptions {
  /** Decides the samples, with the schemas. Default: 1. */
  readonly seed?: number;
  /** The compiler of the run, which may have compiled the validators already. */
  readonly compiler?: ValidatorCompiler | undefined;
}

/** The samples of a schema, or why there is none. */
export interface Samples {
  readonly values: readonly Json[];
  /** The reason why there are fewer samples than wanted: the last failure. It contains no value. */
  readonly failure?: string;
}

/** The attempts to make one sample. */
const maxAttempts = 24;
/** The size of a maximal sample, in characters of JSON. */
const maxSize = 16_000;
/** The levels of nesting at which a sample has optional members. */
const maxLevels = 3;

/**
 * Makes values of the schemas of a contract. The validator of the schema accepts each of them. They depend on the
 * schemas and the seed only.
 */
export class SampleMaker {
  readonly #context: SampleContext;
  readonly #units: ReadonlyMap<string, ValidatorUnit>;
  readonly #judge: UnitJudge;
  readonly #seed: number;

  constructor({ schemas }: WithSchemas, options: SampleOptions = {}) {
    const index = indexSchemas({ schemas });
    const plan = planValidators({ schemas });
    this.#context = {
      index,
      patterns: new PatternLanguages(),
      heights: new ValueHeights(index),
    };
    this.#units = plan.units;
    this.#judge = new UnitJudge(plan, options.compiler ?? new ValidatorCompiler());
    this.#seed = options.seed ?? 1;
  }

  /**
   * Makes different values of a schema: first one with only its required members, then one with all declared members of
   * the upper levels, then random ones. There are fewer values if the schema has no more, or if making them takes too
   * many attempts.
   */
  async make(name: string, count: number): Promise<Samples> {
    const values = new Map<string, Json>();
    let failure: string | undefined;
    for (let number = 0; number < count; number += 1) {
      const made = await this.#makeOne(name, number);
      if ('failure' in made) ({ failure } = made);
      else values.set(toCanonical(made.value), made.value);
      // Where the usual values fail, most others do.
      if (number === 1 && values.size === 0) break;
      if ('isFinal' in made) break;
    }
    return { values: [...values.values()], ...(failure === undefined ? {} : { failure }) };
  }

  /** Ends the thread that validates. */
  close(): void {
    this.#judge.close();
  }

  async #makeOne(name: string, number: number): Promise<Made> {
    const unit = this.#units.get(name);
    if (unit === undefined) return { failure: 'The contract has no such schema.', isFinal: true };
    const refusals = new Map<string, number>();
    let failure = '';
    let levels = maxLevels;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const plan: SamplePlan = {
        seed: this.#seed * 1000 + number,
        extent: extents[number] ?? 'random',
        levels,
        refusals,
      };
      try {
        const sample = this.#write(name, plan);
        levels = sample.levels;
        const errors = await this.#judge.check(unit, sample.value);
        if (errors.length === 0) return { value: sample.value };
        failure = describe(errors);
        refuse(refusals, errors, attempt);
      } catch (error) {
        if (error instanceof JudgeError || error instanceof RangeError) {
          return { failure: error.message, isFinal: true };
        }
        if (!(error instanceof NoSample)) throw error;
        failure = error.message;
        if (error.isTooLarge) return { failure, isFinal: true };
        refusals.set('', (refusals.get('') ?? 0) + 1);
      }
      // A large value has more parts that can be wrong.
      if (attempt % 8 === 7) levels = Math.max(0, levels - 1);
    }
    return { failure };
  }

  /** Writes a value, with optional members at fewer levels if it would be too large. */
  #write(name: string, plan: SamplePlan): { readonly value: Json; readonly levels: number } {
    let { levels } = plan;
    for (;;) {
      const writer = new SampleWriter(this.#context, { ...plan, levels });
      try {
        const place = { pointer: '', depth: 0, variant: 0 };
        const value = writer.write([toReference(name)], place);
        if (levels === 0 || JSON.stringify(value).length <= maxSize) return { value, levels };
      } catch (error) {
        if (levels === 0 || !(error instanceof NoSample)) throw error;
      }
      levels -= 1;
    }
  }
}

type Made = { readonly value: Json } | { readonly failure: string; readonly isFinal?: true };

const extents = ['minimal', 'maximal'] as const;

/** Counts the places at which a value was refused, so that the next one is different there. */
function refuse(
  refusals: Map<string, number>,
  errors: readonly SchemaError[],
  attempt: number,
): void {
  const pointers = new Set(errors.map(({ instancePath }) => instancePath));
  const isOuter = (pointer: string): boolean =>
    Array.from(pointers).some((other) => other.startsWith(`${pointer}/`));
  // The cause of an error in a union can be in a part of the value or in the choice of the alternative.
  for (const pointer of pointers) {
    if (attempt % 2 === 1 || !isOuter(pointer)) {
      refusals.set(pointer, (refusals.get(pointer) ?? 0) + 1);
    }
  }
}

function describe(errors: readonly SchemaError[]): string {
  const [first] = errors;
  return first === undefined ? '' : `${first.keyword} at ${first.instancePath || 'the root'}`;
}

/** How many schemas have a sample, and which have none. */
export interface SampleCount {
  readonly made: number;
  readonly of: number;
  /** The names of schemas without a sample, each with the reason. */
  readonly failures: readonly string[];
}

/** Makes one sample of each schema of a contract and counts them. */
export async function countSamples(
  contract: WithSchemas,
  options: SampleOptions = {},
): Promise<SampleCount> {
  const { compiler = new ValidatorCompiler({ eager: true }) } = options;
  compiler.compileAhead(planValidators(contract));
  const maker = new SampleMaker(contract, { ...options, compiler });
  const failures: string[] = [];
  try {
    for (const { name } of contract.schemas) {
      const { values, failure = '' } = await maker.make(name, 1);
      if (values.length === 0) failures.push(`${name}: ${failure}`);
    }
  } finally {
    maker.close();
    if (options.compiler === undefined) compiler.close();
  }
  const { length } = contract.schemas;
  return { made: length - failures.length, of: length, failures };
}
