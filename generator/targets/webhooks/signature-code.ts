import type { Contract, SecurityScheme, Signature } from '../../contract/contract.ts';
import { toMemberName, toTypeName } from '../../contract/lower/names.ts';
import type { Code } from '../code.ts';
import { OpenQuestions } from '../open-questions.ts';
import { signatureSchemeCode } from '../signature-scheme.ts';

/** A signature of the contract, as the modules that verify and make it write it. */
export interface SignatureCode {
  /** Of the function that verifies. */
  readonly verify: string;
  /** Of the function that makes a signer. */
  readonly signer: string;
  /** Of their options. */
  readonly optionsType: string;
  /** The scheme, as an expression over `options`. */
  readonly scheme: Code;
  readonly questions: OpenQuestions;
  /** Headers that are signed and that nothing else proves, in lower case. */
  readonly headers: readonly string[];
  /** Whether the whole URL is signed, or may be: by an answer to an open question. */
  readonly signsUrl: boolean;
  /** Whether the contract states that the whole URL is signed. */
  readonly alwaysSignsUrl: boolean;
  /** Whether the contract says that notifications carry it. */
  readonly isStated: boolean;
  readonly security: SecurityScheme;
  readonly credential: string;
}

/** Options that the functions have whatever the contract leaves open. */
const ownOptions = ['keys', 'headers', 'publicOrigin', 'tolerance', 'clock'];

/** The signatures of a contract: those that notifications carry, or else those of calls. */
export function describeSignatures(contract: Contract): readonly SignatureCode[] {
  const stated = new Set(
    contract.notifications.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)),
  );
  const signed = contract.security.flatMap((security) =>
    security.signature === undefined ? [] : [{ security, signature: security.signature }],
  );
  const own = signed.filter(({ security }) => stated.has(security.id));
  return (own.length > 0 ? own : signed).map(({ security, signature }) =>
    describe(contract, security, signature, stated.has(security.id)),
  );
}

function describe(
  contract: Contract,
  security: SecurityScheme,
  signature: Signature,
  isStated: boolean,
): SignatureCode {
  const questions = new OpenQuestions(contract, ownOptions);
  const timestampHeader = signature.timestamp?.header?.toLowerCase();
  const headers = signature.over.flatMap((part) => {
    const name =
      typeof part === 'string'
        ? /^\$request\.header\.(.+)$/u.exec(part)?.[1]?.toLowerCase()
        : undefined;
    return name === undefined || name === timestampHeader ? [] : [name];
  });
  const scheme = signatureSchemeCode(security, signature, {
    valueOf: (value) => questions.valueOf(value),
    toleranceOf: (value) => questions.valueOf(value),
  });
  const alwaysSignsUrl = signature.over.includes('$url');
  // Names differ where nothing but the capitals of ids does.
  const typeName = toTypeName(security.name);
  return {
    verify: `verify${typeName}`,
    signer: `create${typeName}Signer`,
    optionsType: `${typeName}Options`,
    scheme,
    questions,
    headers: [...new Set(headers)],
    signsUrl:
      alwaysSignsUrl ||
      questions.options.some(({ entry }) => entry.choices.some(({ value }) => value === '$url')),
    alwaysSignsUrl,
    isStated,
    security,
    credential: toMemberName(signature.key.credential),
  };
}
