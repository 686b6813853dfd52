import type { OrUnstated, Signature } from 'countersign/kit';
import { SimulatorError } from './simulator-error.ts';
import type { UrlMapping } from '@countersign/runtime/base';
import {
  assertSignatureScheme,
  createSigner,
  SigningError,
  type SignatureScheme,
  type Signer,
} from '@countersign/runtime/signing';
import {
  assertKeyPairScheme,
  createSigner as createKeyPairSigner,
  isKeyPairScheme,
  type KeyPairScheme,
} from '@countersign/runtime/signing/key-pairs';
import type { Header } from './secret-places.ts';

/** Returns the value that holds for an open question. */
export type Settle = <T>(value: OrUnstated<T>) => T;

/** A signature in a header, without what users configure. */
export type SentSignature = Omit<Signature, 'key'> & {
  readonly key: Omit<Signature['key'], 'credential' | 'description'>;
};

/** The tolerance in seconds where the contract leaves it open without a choice. */
const defaultTolerance = 300;

/**
 * Returns the signature scheme of a contract with its answers.
 * @throws SimulatorError `not-signable` where an answer is missing or not valid
 */
export function toSignatureScheme(
  data: SentSignature,
  settle: Settle,
): SignatureScheme | KeyPairScheme {
  // What users configure is nothing for signers, and a whole model has it.
  const { jwks: _, ...stated } = data.key;
  const { credential: __, description: ___, ...key }: Partial<Signature['key']> = stated;
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
export function toSecretScheme(data: SentSignature, settle: Settle): SignatureScheme {
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

/** A signature in a header, with its key. */
export interface RequestSignature {
  readonly id: string;
  /** The headers that it covers and that its signer does not write; in lower case. */
  readonly covered: readonly string[];
  readonly signer: Pick<Signer, 'sign'>;
  /** The URL that the sender calls, where a proxy changes it. */
  readonly mapping?: UrlMapping | undefined;
  /** Returns a header that it covers and that the request does not have, if there is a key for it. */
  readonly keyHeader?: (name: string) => Header | undefined;
  /** Whether it covers the host of the URL. */
  readonly coversHost?: boolean;
}

/** A private key with the id that deliveries name. */
interface NamedKey {
  readonly id: string;
  readonly privateKey: string;
}

/**
 * Creates the signer of a scheme with a secret or with a private key.
 * @throws SigningError for a key that is not valid
 */
export function createRequestSigner(
  scheme: SignatureScheme | KeyPairScheme,
  key: string | NamedKey,
  clock: () => number = () => Date.now(),
): Signer {
  const text = typeof key === 'string' ? key : key.privateKey;
  if (!isKeyPairScheme(scheme)) return createSigner(scheme, { key: text, clock });
  const named = typeof key === 'string' ? key : { id: key.id, key: key.privateKey };
  return createKeyPairSigner(scheme, { key: named, clock });
}

/** Returns the headers that the signer of a scheme writes, in lower case. */
export function writtenHeaders({
  header,
  timestamp,
  key,
}: SignatureScheme | KeyPairScheme): readonly string[] {
  const idHeader = 'idHeader' in key ? key.idHeader : undefined;
  return [header, timestamp?.header, idHeader].flatMap((name) => name?.toLowerCase() ?? []);
}

/** Returns the headers that a signature covers and that its signer does not write, in lower case. */
export function coveredHeaders(scheme: SignatureScheme | KeyPairScheme): readonly string[] {
  const written = writtenHeaders(scheme);
  return scheme.over.flatMap((part) => {
    if (typeof part !== 'string' || !part.startsWith('$request.header.')) return [];
    const name = part.slice('$request.header.'.length).toLowerCase();
    return written.includes(name) ? [] : [name];
  });
}
