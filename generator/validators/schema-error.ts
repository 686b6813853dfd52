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

/** The parameter with the name of the member that a keyword does not allow. */
const memberParameters = new Map([
  ['additionalProperties', 'additionalProperty'],
  ['unevaluatedProperties', 'unevaluatedProperty'],
  ['propertyNames', 'propertyName'],
]);

/** Returns the name of the member that an error is about because it is not allowed. */
export function unexpectedMember({ keyword, params }: SchemaError): string | undefined {
  const member = params[memberParameters.get(keyword) ?? ''];
  return typeof member === 'string' ? member : undefined;
}
