import type { Signer } from '@countersign/runtime/signing';
import type { BodySignatureScheme } from '@countersign/runtime/signing/body';
import { isKeyPairScheme } from '@countersign/runtime/signing/key-pairs';
import { type KeyPair, makeKeyPair, readKeyPair } from '../key-pairs.ts';
import type { SimulatorContext } from '../context.ts';
import type { Random } from '../random.ts';
import type { ServedScheme } from '../service.ts';
import {
  type SentSignature,
  toSignatureScheme,
  coveredHeaders,
  createRequestSigner,
  writtenHeaders,
} from '../sending/signature-scheme.ts';
import { createSignBody, type SignBody } from '../sending/sign-body.ts';

/** The faults of a signature. */
export type SignatureFault = 'wrong-signature' | 'stale-timestamp' | 'future-timestamp' | 'old-key';

/** The signature of a notification, with its possible keys. */
export interface Signature {
  readonly id: string;
  /** The headers that its signer writes, in lower case. */
  readonly written: readonly string[];
  /** The headers that it covers and that its signer does not write; in lower case. */
  readonly covered: readonly string[];
  /** The faults that it can have, besides that of an old key. */
  readonly faults: readonly SignatureFault[];
  readonly signer: (fault?: SignatureFault) => Signer;
}

/** A signature in the body of a notification, with its possible keys. */
export interface BodySignature {
  /** Whether it can be made with the previous key of the options. */
  readonly hasOldKey: boolean;
  readonly signer: (fault?: SignatureFault) => SignBody;
}

/** Creates a signer of bodies for each fault when it is needed. */
export function prepareBodySignature(
  context: SimulatorContext,
  security: ServedScheme,
  scheme: BodySignatureScheme,
  hasOptionKey: boolean,
): BodySignature {
  const { options, credentials, random } = context;
  const { id, credential } = security;
  const { key: optionKey, previousKey } = options.authentication ?? {};
  const stated = credential === undefined ? undefined : credentials[credential];
  const key = stated ?? (hasOptionKey ? optionKey : undefined) ?? madeUp(random, `key of ${id}`);
  const oldKey = hasOptionKey ? previousKey : undefined;
  const signers = new Map<string, SignBody>();
  return {
    hasOldKey: oldKey !== undefined,
    signer(fault) {
      const used =
        fault === 'wrong-signature'
          ? madeUp(random, `wrong key of ${id}`)
          : fault === 'old-key'
            ? (oldKey ?? key)
            : key;
      const signer = signers.get(used) ?? createSignBody(id, scheme, used);
      signers.set(used, signer);
      return signer;
    },
  };
}

/** Makes up a key. Hexadecimal digits are a key in every encoding. */
function madeUp(random: Random, name: string): string {
  return random.fork(name).uuid().replaceAll('-', '');
}

/**
 * Settles the scheme of a signature. Creates a signer for each fault when it is needed.
 * @throws SimulatorError `not-signable`
 */
export function prepareSignature(
  context: SimulatorContext,
  security: ServedScheme,
  data: SentSignature,
): Signature {
  const { options, credentials, random, keyPairs } = context;
  const { key: optionKey, previousKey } = options.authentication ?? {};
  const scheme = toSignatureScheme(data, (value) => context.settle(value));
  const credential =
    security.credential === undefined ? undefined : credentials[security.credential];
  const pair = isKeyPairScheme(scheme) ? keyPairs.get(security.id) : undefined;
  const key =
    pair?.privateKey ?? optionKey ?? credential ?? madeUp(random, `key of ${security.id}`);
  const createFor = (secret: KeyPair | string, clock: () => number): Signer =>
    createRequestSigner(
      scheme,
      typeof secret === 'string' && isKeyPairScheme(scheme)
        ? readKeyPair(secret, scheme, security.id)
        : secret,
      clock,
    );
  const wrongKey = (): KeyPair | string =>
    isKeyPairScheme(scheme)
      ? makeKeyPair(scheme, pair?.id ?? security.id)
      : madeUp(random, `wrong key of ${security.id}`);
  const signers = new Map<SignatureFault | undefined, Signer>();
  const { timestamp } = scheme;
  const shift = ((timestamp?.tolerance ?? 0) + 60) * 1000;
  const now = options.sharedClock === true ? () => context.clock.now() : () => Date.now();
  const create = (fault?: SignatureFault): Signer => {
    switch (fault) {
      case undefined:
        return createFor(pair ?? key, now);
      case 'wrong-signature':
        return createFor(wrongKey(), now);
      case 'old-key':
        return createFor(previousKey ?? pair ?? key, now);
      case 'stale-timestamp':
        return createFor(pair ?? key, () => now() - shift);
      default:
        return createFor(pair ?? key, () => now() + shift);
    }
  };
  return {
    id: security.id,
    written: writtenHeaders(scheme),
    covered: coveredHeaders(scheme),
    faults: [
      'wrong-signature',
      ...(timestamp === undefined ? [] : (['stale-timestamp', 'future-timestamp'] as const)),
    ],
    signer(fault) {
      const signer = signers.get(fault) ?? create(fault);
      signers.set(fault, signer);
      return signer;
    },
  };
}
