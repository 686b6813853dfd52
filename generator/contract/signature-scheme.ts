import type { createSigner, SignatureScheme } from '@countersign/signing';
import type { createTestVectors } from '@countersign/signing/test-vectors';
import { fromSource } from '../execution/from-source.ts';
import { optional } from '../json/json.ts';
import type { Contract, OrUnstated, SecurityScheme, Signature } from './contract.ts';

/** A signature without open questions, as signers and verifiers accept it. */
export interface SettledSignature {
  readonly scheme: SignatureScheme;
  /** The name of the choice that was used, by the id of the ledger entry. */
  readonly answers: Readonly<Record<string, string>>;
}

/**
 * Answers the open questions of a signature with the given choice, the assumed choice, or the first one.
 * @param choices names of choices by the id of the ledger entry
 * @throws TypeError for a question without choices, which the contract rules report
 */
export function settleSignature(
  { unstated }: Contract,
  { id, parameterName }: SecurityScheme,
  signature: Signature,
  choices: ReadonlyMap<string, string> = new Map(),
): SettledSignature {
  const answers: Record<string, string> = {};
  const value = <T>(open: OrUnstated<T>): T => {
    if (typeof open !== 'object' || open === null || !('unstated' in open)) return open;
    const entry = unstated.find((candidate) => candidate.id === open.unstated);
    const answer = choices.get(open.unstated) ?? entry?.assumed;
    const choice = entry?.choices.find(({ name }) => name === answer) ?? entry?.choices[0];
    if (choice === undefined) throw new TypeError(`"${open.unstated}" has no choices.`);
    answers[open.unstated] = choice.name;
    return choice.value as T;
  };
  const { algorithm, key, over, encoding, timestamp, separator } = signature;
  const scheme: SignatureScheme = {
    algorithm: value(algorithm),
    key: { encoding: value(key.encoding), ...optional('prefix', key.prefix) },
    over: over.map((part) => value(part)) as SignatureScheme['over'],
    encoding: value(encoding),
    header: parameterName ?? id,
    value: signature.value,
    ...optional('separator', separator),
    ...optional(
      'timestamp',
      timestamp && {
        ...timestamp,
        format: value(timestamp.format),
        tolerance: value(timestamp.tolerance),
      },
    ),
  };
  return { scheme, answers };
}

/** Imports the module that creates test vectors of a scheme. */
export async function importTestVectors(): Promise<{
  readonly createTestVectors: typeof createTestVectors;
}> {
  return await fromSource(() => import('@countersign/signing/test-vectors'));
}

/** Imports the module that creates signers of a scheme. */
export async function importSigner(): Promise<{ readonly createSigner: typeof createSigner }> {
  return await fromSource(() => import('@countersign/signing'));
}
