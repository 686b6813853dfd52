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
