import type { BodySignature, Contract, SecurityScheme } from '../../contract/contract.ts';
import { toTypeName } from '../../contract/names.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { code, type Code } from '../code.ts';
import { literal, object } from '../escape.ts';

/** A signature over members of the body that the contract states for notifications. */
export interface BodySignatureCode {
  /** The name of the function that verifies. */
  readonly verify: string;
  /** The name of the function that creates a signer for tests. */
  readonly signer: string;
  /** The name of the constant with the scheme. */
  readonly constant: string;
  /** The scheme, as an expression. */
  readonly scheme: Code;
  readonly security: SecurityScheme;
  /** A valid key for examples. */
  readonly exampleKey: string;
}

/** Describes the signatures over members of the body that notifications carry, each without another scheme beside it. */
export function describeBodySignatures({
  notifications,
  security,
}: Contract): readonly BodySignatureCode[] {
  const stated = new Set(
    notifications.flatMap((notification) =>
      notification.security.flatMap((required) =>
        required.length === 1 ? required.map(({ scheme }) => scheme) : [],
      ),
    ),
  );
  return security.flatMap((scheme) => {
    const { id, name, bodySignature } = scheme;
    if (bodySignature === undefined || !stated.has(id)) return [];
    const typeName = toTypeName(name);
    return {
      verify: `verify${typeName}`,
      signer: `create${typeName}Signer`,
      constant: `scheme${typeName}`,
      scheme: schemeCode(bodySignature),
      security: scheme,
      // Hexadecimal digits are a key in every encoding.
      exampleKey: '0123456789abcdef',
    };
  });
}

/** Returns the members that a signature covers, as a list in a sentence. */
export function coveredMembers({ security: { bodySignature } }: BodySignatureCode): string {
  const pointers = (bodySignature?.over ?? []).map((part) =>
    typeof part === 'string' ? part : part.member,
  );
  return pointers.map((pointer) => `\`${pointer}\``).join(', ');
}

function schemeCode(signature: BodySignature): Code {
  const { algorithm, key, each, over, separator, encoding } = signature;
  const members = over.map((part) =>
    typeof part === 'string'
      ? object({ member: literal(pointerMembers(part)) })
      : object({
          member: literal(pointerMembers(part.member)),
          mayContainSeparator: literal(true),
        }),
  );
  return object({
    algorithm: literal(algorithm),
    key: object({
      encoding: literal(key.encoding),
      prefix: key.prefix === undefined ? undefined : literal(key.prefix),
    }),
    each: each === undefined ? undefined : literal(pointerMembers(each)),
    over: code`[${members}]`,
    separator: literal(separator),
    encoding: literal(encoding),
    signature: literal(pointerMembers(signature.signature)),
  });
}
