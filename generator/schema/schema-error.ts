/** An error of a compiled schema, as Ajv reports it. */
export interface SchemaError {
  /** JSON Pointer of the invalid value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The schema that the keyword is in; only with Ajv's `verbose`. */
  readonly parentSchema?: unknown;
  /** The value of the keyword; only with Ajv's `verbose`. */
  readonly schema?: unknown;
  /** Set by Ajv on an error about the name of a member. */
  readonly propertyName?: string;
}
