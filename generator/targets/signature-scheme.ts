import type { Signature } from '../contract/contract.ts';
import { openScheme } from '../contract/signature-scheme.ts';
import { unstatedId } from '../contract/unstated-id.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { code, type Code } from './code.ts';
import { object } from './escape.ts';

/**
 * Returns a signature of the contract as an expression of the runtime's type `SignatureScheme`.
 * @param valueOf returns the code of a value: a text, a number, or a reference to the question that leaves it open
 */
export function signatureSchemeCode(signature: Signature, valueOf: (value: Json) => Code): Code {
  const write = (value: unknown): Code => {
    if (unstatedId(value) !== undefined) return valueOf(value as Json);
    if (Array.isArray(value)) return code`[${value.map(write)}]`;
    if (!isJsonObject(value)) return valueOf(value as Json);
    return object(Object.entries(value).map(([name, member]) => [name, write(member)]));
  };
  return write(openScheme(signature));
}
