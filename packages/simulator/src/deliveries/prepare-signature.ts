import { createSigner, type SignatureScheme, type Signer } from '@countersign/signing';
import type { SimulatorContext } from '../context.ts';
import type { SchemeData, SignatureData } from '../service-description.ts';
import { toSignatureScheme } from '../signature-scheme.ts';

/** The faults of a signature. */
export type SignatureFault = 'wrong-signature' | 'stale-timestamp' | 'future-timestamp' | 'old-key';

/** The signature of a notification, with its possible keys. */
export interface Signature {
  readonly id: string;
  readonly scheme: SignatureScheme;
  /** The headers that it covers, other than that of the timestamp; in lower case. */
  readonly covered: readonly string[];
  readonly signer: (fault?: SignatureFault) => Signer;
}

/**
 * Settles the scheme of a signature. Creates a signer for each fault when it is needed.
 * @throws SimulatorError `not-signable`
 */
export function prepareSignature(
  context: SimulatorContext,
  security: SchemeData,
  data: SignatureData,
): Signature {
  const { options, credentials, random } = context;
  const { key: given, previousKey } = options.authentication ?? {};
  const scheme = toSignatureScheme(data, (value) => context.settle(value));
  const credential =
    security.credential === undefined ? undefined : credentials[security.credential];
  // Hexadecimal digits are a key in every encoding.
  const madeUp = (name: string): string => random.fork(name).uuid().replaceAll('-', '');
  const key = given ?? credential ?? madeUp(`key of ${security.id}`);
  const signers = new Map<SignatureFault | undefined, Signer>();
  const { timestamp, over } = scheme;
  const shift = ((timestamp?.tolerance ?? 0) + 60) * 1000;
  const now = options.sharedClock === true ? () => context.clock.now() : () => Date.now();
  const create = (fault?: SignatureFault): Signer => {
    switch (fault) {
      case undefined:
        return createSigner(scheme, { key, clock: now });
      case 'wrong-signature':
        return createSigner(scheme, { key: madeUp(`wrong key of ${security.id}`), clock: now });
      case 'old-key':
        return createSigner(scheme, { key: previousKey ?? key, clock: now });
      case 'stale-timestamp':
        return createSigner(scheme, { key, clock: () => now() - shift });
      default:
        return createSigner(scheme, { key, clock: () => now() + shift });
    }
  };
  const timestampHeader = timestamp?.header?.toLowerCase();
  return {
    id: security.id,
    scheme,
    covered: over.flatMap((part) => {
      const name =
        typeof part === 'string' && part.startsWith('$request.header.')
          ? part.slice('$request.header.'.length).toLowerCase()
          : timestampHeader;
      return name === undefined || name === timestampHeader ? [] : [name];
    }),
    signer(fault) {
      const signer = signers.get(fault) ?? create(fault);
      signers.set(fault, signer);
      return signer;
    },
  };
}
