/** The validating function of one schema, as JavaScript without the constants and imports of a module. */
export interface ValidatorCode {
  /** The name of the function. */
  readonly name: string;
  /** The function declaration. */
  readonly text: string;
  /** The members and items that the function evaluates, as a JavaScript expression; set if other schemas may ask. */
  readonly evaluated?: string;
  /** The values outside the function that it reads. */
  readonly constants: readonly ValidatorConstant[];
  /** Names of the generated runtime that it uses. */
  readonly runtime: readonly RuntimeName[];
  /** Formats that it checks, by the names that the generated runtime exports. */
  readonly formats: readonly string[];
  /** Names of the schemas whose functions it calls. */
  readonly schemas: readonly string[];
}

/** A value outside the function. Its name depends on nothing but its text, so that other schemas do not change it. */
export interface ValidatorConstant {
  readonly name: string;
  readonly kind: 'pattern' | 'values';
  /** A JavaScript expression. */
  readonly text: string;
}

/** A function of the generated module `runtime/keywords.js`. */
export type RuntimeName =
  | 'equal'
  | 'equalItems'
  | 'escapeName'
  | 'fail'
  | 'isMultipleOf'
  | 'isObject'
  | 'length'
  | 'once'
  | 'required'
  | 'reset'
  | 'type';

/** The result of compiling one schema. */
export type CompiledSchema =
  | { readonly code: ValidatorCode }
  | { readonly failure: string; readonly isTooDeep: boolean };
