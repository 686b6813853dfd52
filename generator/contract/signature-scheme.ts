import type { SignatureScheme, writeTimestamp } from '@countersign/runtime/signing';
import type { BodySignatureScheme } from '@countersign/runtime/signing/body';
import type { KeyPairScheme } from '@countersign/runtime/signing/key-pairs';
import type { createTestVectors, testKeyPairs } from '@countersign/runtime/signing/test-vectors';
import { fromSource } from '../execution/from-source.ts';
import { optional } from '../json/json.ts';
import { pointerMembers } from '../json/pointer.ts';
import { openIdsIn, withAnswers } from './open-values.ts';
import { unstatedId } from './unstated-id.ts';
import type { BodySignature, Contract, Signature } from './contract.ts';

/** A signature without open questions, as signers and verifiers accept it. */
export interface SettledSignature {
  readonly scheme: SignatureScheme | KeyPairScheme;
  /** The name of the choice that was used, by the id of the ledger entry. */
  readonly answers: Readonly<Record<string, string>>;
}

/** A signature as signers and verifiers accept it, in which open questions may decide values. */
export type OpenScheme = Omit<Signature, 'key'> & {
  readonly key: Omit<Signature['key'], 'credential' | 'description' | 'jwks'>;
};

/**
 * Returns a signature as signers and verifiers accept it, but with `{ unstated: <id> }` for each value that an open
 * question decides. Only what receivers and senders configure is left out: names of credentials and addresses of keys.
 */
export function openScheme({
  header,
  value,
  separator,
  timestamp,
  ...signature
}: Signature): OpenScheme {
  const { credential: _, description: __, jwks: ___, ...key } = signature.key;
  return {
    ...signature,
    key,
    header,
    value,
    ...optional('separator', separator),
    ...optional('timestamp', timestamp),
  };
}

/**
 * Answers the open questions of a signature with the given choice, the assumed choice, or the first one.
 * @param choices names of choices by the id of the ledger entry
 * @throws TypeError for a question without choices, which the contract rules report
 */
export function settleSignature(
  { unstated }: Contract,
  signature: Signature,
  choices: ReadonlyMap<string, string> = new Map(),
): SettledSignature {
  const answers: Record<string, string> = {};
  const scheme = withAnswers(openScheme(signature), (id) => {
    const entry = unstated.find((candidate) => candidate.id === id);
    const answer = choices.get(id) ?? entry?.assumed;
    const choice = entry?.choices.find(({ name }) => name === answer) ?? entry?.choices[0];
    if (choice === undefined) throw new TypeError(`"${id}" has no choices.`);
    answers[id] = choice.name;
    return choice.value;
  });
  // The rules of contracts and the constructors of the runtime check that the members are those of the algorithm.
  return { scheme: scheme as SettledSignature['scheme'], answers };
}

/** Returns a signature in the body as signers and verifiers accept it. It has no open questions. */
export function toBodyScheme(stated: BodySignature): BodySignatureScheme {
  const { algorithm, key, each, over, numbers, separator, encoding, signature } = stated;
  return {
    algorithm,
    key: { encoding: key.encoding, ...optional('prefix', key.prefix) },
    ...optional('each', each === undefined ? undefined : pointerMembers(each)),
    over: over.map((part) =>
      typeof part === 'string'
        ? { member: pointerMembers(part) }
        : { member: pointerMembers(part.member), mayContainSeparator: true },
    ),
    ...optional('numbers', numbers),
    separator,
    encoding,
    signature: pointerMembers(signature),
  };
}

/** Returns the algorithm of a signature, or those of all choices of an open question. */
export function algorithmsOf(
  { unstated }: Pick<Contract, 'unstated'>,
  { algorithm }: Signature,
): readonly unknown[] {
  const id = unstatedId(algorithm);
  if (id === undefined) return [algorithm];
  return unstated.find((entry) => entry.id === id)?.choices.map(({ value }) => value) ?? [];
}

/**
 * Returns whether a signature is made with a private key, and not with a secret that both sides have. An open question
 * about the algorithm has choices of one of both; a rule reports others.
 */
export function isKeyPair(contract: Pick<Contract, 'unstated'>, signature: Signature): boolean {
  return algorithmsOf(contract, signature).some(isKeyPairAlgorithm);
}

/** Returns whether an algorithm is one of key pairs. */
export function isKeyPairAlgorithm(algorithm: unknown): boolean {
  return typeof algorithm === 'string' && !algorithm.startsWith('hmac-');
}

/** Returns whether deliveries name the key of their signature. */
export function namesKeys({ key, value }: Signature): boolean {
  return key.idHeader !== undefined || value.includes('{keyId}');
}

/** Returns the ledger entries that decide about a signature and are not settled, in the order of the ledger. */
export function openQuestionsOf(
  { unstated }: Pick<Contract, 'unstated'>,
  signature: Signature,
): Contract['unstated'] {
  const ids = openIdsIn(signature);
  return unstated.filter(({ id }) => ids.includes(id));
}

/**
 * Returns whether the timestamps of a signature have a pattern, or can have one by an answer to an open question. Only
 * then do generated packages contain the code for patterns.
 */
export function canHavePattern(
  { unstated }: Pick<Contract, 'unstated'>,
  { timestamp }: Signature,
): boolean {
  if (timestamp === undefined) return false;
  const id = unstatedId(timestamp.format);
  if (id === undefined) return typeof timestamp.format === 'object';
  const choices = unstated.find((entry) => entry.id === id)?.choices ?? [];
  return choices.some(({ value }) => typeof value === 'object');
}

/** Imports the module that creates test vectors of a scheme. */
export async function importTestVectors(): Promise<{
  readonly createTestVectors: typeof createTestVectors;
  readonly testKeyPairs: typeof testKeyPairs;
}> {
  return await fromSource(() => import('@countersign/runtime/signing/test-vectors'));
}

/** Imports the module that writes timestamps. */
export async function importSigning(): Promise<{ readonly writeTimestamp: typeof writeTimestamp }> {
  return await fromSource(() => import('@countersign/runtime/signing'));
}
