import type { JsonSchema } from 'countersign';
import type { Json, SchemaIndex } from 'countersign/kit';
import type { PatternLanguages } from './patterns.ts';
import type { ValueHeights } from './value-heights.ts';

/** How one value is made. Everything in it decides the value, with the schema. */
export interface SamplePlan {
  readonly seed: number;
  /** `minimal`: required members only. `maximal`: all declared members. `random`: some of them. */
  readonly extent: 'minimal' | 'maximal' | 'random';
  /** The levels of nesting at which optional members are added. */
  readonly levels: number;
  /** By JSON Pointer, how often the value there has been refused. Each count leads to other choices for that value. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** What is known of a contract's schemas. It is shared by all values. */
export interface SampleContext {
  readonly index: SchemaIndex;
  readonly patterns: PatternLanguages;
  readonly heights: ValueHeights;
}

/** The place of a value that is made. */
export interface Place {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly depth: number;
  /** A number that leads to other choices; equal items of an array have different ones. */
  readonly variant: number;
}

/** Makes the parts of a value. Both functions throw `NoSample` if there is no value, or none within the limits. */
export interface ValueWriter {
  readonly context: SampleContext;
  readonly plan: SamplePlan;
  /** Makes a value that all of the schemas probably accept. */
  write(schemas: readonly JsonSchema[], place: Place): Json;
  /** Makes the value of a member or an item. */
  writeChild(
    schemas: readonly JsonSchema[],
    place: Place,
    child: string | number,
    ownVariant?: number,
  ): Json;
}
