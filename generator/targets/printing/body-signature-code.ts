import type { BodySignature, Contract, SecurityScheme } from '../../contract/contract.ts';
import { toTypeName } from '../../contract/names.ts';
import { toBodyScheme } from '../../contract/signature-scheme.ts';
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
  /** Whether some notification needs nothing else. */
  readonly isAlone: boolean;
  /** A valid key for examples. */
  readonly exampleKey: string;
}

/** Describes the signatures over members of the body that notifications carry. */
export function describeBodySignatures({
  notifications,
  security,
}: Contract): readonly BodySignatureCode[] {
  const requirements = notifications.flatMap((notification) => notification.security);
  const stated = new Set(requirements.flat().map(({ scheme }) => scheme));
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
      isAlone: requirements.some((required) => required.length === 1 && required[0]?.scheme === id),
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

function schemeCode(stated: BodySignature): Code {
  const { algorithm, key, each, over, separator, encoding, signature } = toBodyScheme(stated);
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
    separator: literal(separator),
    encoding: literal(encoding),
    signature: literal(signature),
  });
}
