import type { OrUnstated, SecurityScheme, Signature } from '../contract/contract.ts';
import type { TimestampFormat } from '../contract/vocabulary/types.ts';
import { code, type Code } from './code.ts';
import { literal, object } from './escape.ts';

/** Functions that write the values of a signature scheme that the contract may leave open. */
interface SignatureValues {
  /** Returns the code of a value. */
  readonly valueOf: (value: OrUnstated<string | number | Extract<TimestampFormat, object>>) => Code;
  /** Returns the code of the seconds by which a timestamp may differ from the clock. */
  readonly toleranceOf: (tolerance: OrUnstated<number>) => Code;
}

/** Returns a signature of the contract as an expression of the runtime's type `SignatureScheme`. */
export function signatureSchemeCode(
  security: SecurityScheme,
  { algorithm, format, saltLength, key, over, encoding, value, separator, timestamp }: Signature,
  { valueOf, toleranceOf }: SignatureValues,
): Code {
  const text = (stated: string | undefined): Code | undefined =>
    stated === undefined ? undefined : literal(stated);
  const parts = over.map((part) =>
    typeof part === 'object' && 'text' in part ? literal({ text: part.text }) : valueOf(part),
  );
  return object({
    algorithm: valueOf(algorithm),
    format: format && valueOf(format),
    saltLength: saltLength === undefined ? undefined : valueOf(saltLength),
    key: object({
      encoding: key.encoding && valueOf(key.encoding),
      prefix: text(key.prefix),
      privatePrefix: text(key.privatePrefix),
      idHeader: text(key.idHeader),
    }),
    over: code`[${parts}]`,
    encoding: valueOf(encoding),
    header: literal(security.parameterName ?? security.id),
    value: literal(value),
    separator: text(separator),
    timestamp:
      timestamp &&
      object({
        header: text(timestamp.header),
        format: valueOf(timestamp.format),
        tolerance: toleranceOf(timestamp.tolerance),
      }),
  });
}
