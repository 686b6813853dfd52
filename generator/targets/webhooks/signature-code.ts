import type { Contract, SecurityScheme, Signature } from '../../contract/contract.ts';
import { toMemberName, toTypeName } from '../../contract/names.ts';
import { code, joinCode, type Code } from '../code.ts';
import { literal, memberName } from '../escape.ts';
import { OpenQuestions } from './ledger-options.ts';

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
  /** Whether the contract says that notifications carry it. */
  readonly isStated: boolean;
  readonly security: SecurityScheme;
  readonly credential: string;
}

/** Options that the functions have whatever the contract leaves open. */
const ownOptions = ['keys', 'headers', 'tolerance', 'clock'];

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
  const typeName = toTypeName(security.id);
  return {
    verify: `verify${typeName}`,
    signer: `create${typeName}Signer`,
    optionsType: `${typeName}Options`,
    scheme: schemeCode(security, signature, questions),
    questions,
    headers: [...new Set(headers)],
    isStated,
    security,
    credential: toMemberName(signature.key.credential),
  };
}

function schemeCode(
  security: SecurityScheme,
  { algorithm, key, over, encoding, value, separator, timestamp }: Signature,
  questions: OpenQuestions,
): Code {
  const member = (name: string, text: Code): Code => code`${memberName(name)}: ${text}`;
  const parts = over.map((part) =>
    typeof part === 'object' && 'text' in part
      ? literal({ text: part.text })
      : questions.valueOf(part),
  );
  const members = [
    member('algorithm', questions.valueOf(algorithm)),
    member(
      'key',
      code`{ encoding: ${questions.valueOf(key.encoding)}${
        key.prefix === undefined ? code`` : code`, prefix: ${literal(key.prefix)}`
      } }`,
    ),
    member('over', code`[${joinCode(parts, ', ')}]`),
    member('encoding', questions.valueOf(encoding)),
    member('header', literal(security.parameterName ?? security.id)),
    member('value', literal(value)),
    ...(separator === undefined ? [] : [member('separator', literal(separator))]),
  ];
  if (timestamp !== undefined) {
    const header =
      timestamp.header === undefined ? code`` : code`header: ${literal(timestamp.header)}, `;
    members.push(
      member(
        'timestamp',
        code`{ ${header}format: ${questions.valueOf(timestamp.format)}, tolerance: ${questions.valueOf(timestamp.tolerance)} }`,
      ),
    );
  }
  return code`{ ${joinCode(members, ', ')} }`;
}
