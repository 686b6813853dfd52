/** The validating function of one schema, as JavaScript without the constants and imports of a module. */
export interface ValidatorCode {
  /** The function declaration: text, with a `ValidatorConstant` at each place that reads a constant. */
  readonly parts: readonly (string | ValidatorConstant)[];
  /** Functions of the generated runtime that it calls. */
  readonly runtime: readonly RuntimeFunction[];
  /** Formats that it checks, by the names that the generated runtime exports. */
  readonly formats: readonly string[];
  /** Names of the schemas whose functions it calls. */
  readonly schemas: readonly string[];
}

/** A value outside the function. */
export interface ValidatorConstant {
  readonly prefix: 'pattern' | 'values';
  /** A JavaScript expression. */
  readonly text: string;
}

/** A function of the generated module `runtime/keywords.js`. */
export type RuntimeFunction =
  | 'add'
  | 'append'
  | 'equal'
  | 'equalItems'
  | 'escapeName'
  | 'length'
  | 'once'
  | 'isMultipleOf';

/** The result of compiling one schema. */
export type CompiledSchema =
  | { readonly code: ValidatorCode }
  | { readonly failure: string; readonly isTooDeep: boolean };
