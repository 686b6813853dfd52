import {
  assertSignatureScheme,
  SigningError,
  type SignatureScheme,
} from '@countersign/runtime/signing';
import {
  assertKeyPairScheme,
  isKeyPairScheme,
  type KeyPairScheme,
} from '@countersign/runtime/signing/key-pairs';
import type { OrUnstated } from 'countersign/kit';
import type { ServedSignature } from './service.ts';
import { SimulatorError } from './simulator-error.ts';

/** Returns the value that holds for an open question. */
export type Settle = <T>(value: OrUnstated<T>) => T;

/** The tolerance in seconds where the contract leaves it open without a choice. */
const defaultTolerance = 300;

/**
 * Returns the signature scheme of a contract with its answers.
 * @throws SimulatorError `not-signable` where an answer is missing or not valid
 */
export function toSignatureScheme(
  data: ServedSignature,
  settle: Settle,
): SignatureScheme | KeyPairScheme {
  const { jwks: _, ...key } = data.key;
  const settled = JSON.parse(JSON.stringify({ ...data, key }), (_, value) => settle(value)) as
    | SignatureScheme
    | KeyPairScheme;
  const timestamp: Partial<SignatureScheme['timestamp']> = settled.timestamp;
  const scheme: unknown =
    timestamp?.tolerance === undefined && timestamp !== undefined
      ? { ...settled, timestamp: { ...timestamp, tolerance: defaultTolerance } }
      : settled;
  try {
    if (isKeyPairScheme(settled)) {
      assertKeyPairScheme(scheme);
      return scheme;
    }
    assertSignatureScheme(scheme);
    return scheme;
  } catch (error) {
    throw toNotSignable(error);
  }
}

/**
 * Returns the signature scheme of a contract that has a secret.
 * @throws SimulatorError `not-signable`
 */
export function toSecretScheme(data: ServedSignature, settle: Settle): SignatureScheme {
  const scheme = toSignatureScheme(data, settle);
  if (!isKeyPairScheme(scheme)) return scheme;
  throw new SimulatorError('not-signable', 'The signature is one with a key pair.');
}

/** Returns an error of signing as one of the simulator. */
export function toNotSignable(error: unknown): unknown {
  return error instanceof SigningError
    ? new SimulatorError('not-signable', error.message, { cause: error })
    : error;
}
