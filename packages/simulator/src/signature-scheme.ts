import { assertSignatureScheme, SigningError, type SignatureScheme } from '@countersign/signing';
import type { OrUnstated, SignatureData } from './service-description.ts';
import { SimulatorError } from './simulator-error.ts';

/** Returns the value that holds for an open question. */
export type Settle = <T>(value: OrUnstated<T>) => T;

/** The tolerance in seconds where the contract leaves it open without a choice. */
const defaultTolerance = 300;

/**
 * Returns the signature scheme of a contract with its answers.
 * @throws SimulatorError `not-signable` where an answer is missing or not valid
 */
export function toSignatureScheme(data: SignatureData, settle: Settle): SignatureScheme {
  const { key, over, timestamp } = data;
  const scheme: unknown = {
    ...data,
    algorithm: settle(data.algorithm),
    encoding: settle(data.encoding),
    key: { ...key, encoding: settle(key.encoding) },
    over: over.map((part) => settle(part)),
    ...(timestamp === undefined
      ? {}
      : {
          timestamp: {
            ...timestamp,
            format: settle(timestamp.format),
            tolerance: settle<number | undefined>(timestamp.tolerance) ?? defaultTolerance,
          },
        }),
  };
  try {
    assertSignatureScheme(scheme);
    return scheme;
  } catch (error) {
    throw toNotSignable(error);
  }
}

/** Returns an error of signing as one of the simulator. */
export function toNotSignable(error: unknown): unknown {
  return error instanceof SigningError
    ? new SimulatorError('not-signable', error.message, { cause: error })
    : error;
}
