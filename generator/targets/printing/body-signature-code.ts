import type { BodySignatureScheme } from '@countersign/runtime/signing/body';
import { proofsOf, schemeOf } from '../../contract/authentication.ts';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import type { BodySignatureProof } from '../../contract/proofs.ts';
import { code, type Code } from '../code.ts';
import { literal, object } from '../escape.ts';

/** A signature over members of the body, with code for the modules that verify and create it. */
export interface BodySignatureCode extends BodySignatureProof {
  /** The scheme, as an expression. */
  readonly schemeCode: Code;
  readonly security: SecurityScheme;
  /** A valid key for examples. */
  readonly exampleKey: string;
}

/** Describes the signatures over members of the body that notifications carry. */
export function describeBodySignatures(contract: Contract): readonly BodySignatureCode[] {
  return proofsOf(contract, 'body-signature').flatMap((proof) => {
    const security = schemeOf(contract, proof);
    if (security.bodyScheme === undefined) return [];
    return {
      ...proof,
      schemeCode: toCode(security.bodyScheme),
      security,
      // Hexadecimal digits are a key in every encoding.
      exampleKey: '0123456789abcdef',
    };
  });
}

/** Returns the members that a signature covers, as a list in a sentence. */
export function coveredMembers({ covered }: Pick<BodySignatureProof, 'covered'>): string {
  return covered.map((pointer) => `\`${pointer}\``).join(', ');
}

function toCode({
  algorithm,
  key,
  each,
  over,
  numbers,
  separator,
  encoding,
  signature,
}: BodySignatureScheme): Code {
  const members = over.map(({ member, mayContainSeparator }) =>
    object({
      member: literal(member),
      mayContainSeparator: mayContainSeparator === undefined ? undefined : literal(true),
    }),
  );
  return object({
    algorithm: literal(algorithm),
    key: object({
      encoding: literal(key.encoding),
      prefix: key.prefix === undefined ? undefined : literal(key.prefix),
    }),
    each: each === undefined ? undefined : literal(each),
    over: code`[${members}]`,
    numbers: numbers === undefined ? undefined : literal(numbers),
    separator: literal(separator),
    encoding: literal(encoding),
    signature: literal(signature),
  });
}
