import type { KeyPairScheme } from '@countersign/runtime/signing/key-pairs';
import type { SimulatorContext } from '../../context.ts';
import type { CarriedSecret } from '../../sending/secret-places.ts';
import type { ServedScheme } from '../../service.ts';
import type { Settle } from '../../sending/signature-scheme.ts';
import type { BodySignature, Signature } from '../prepare-signature.ts';

/** How deliveries carry the proofs of one kind. */
export interface DeliveryProof {
  /** Returns whether deliveries prove a scheme in this way. */
  readonly isOf: (scheme: ServedScheme) => boolean;
  /** Returns whether the simulator has what the scheme requires. */
  readonly isUsable: (scheme: ServedScheme, context: SimulatorContext) => boolean;
  /** Returns what to do about a scheme that is not usable, if headers of the options cannot replace it. */
  readonly help?: (scheme: ServedScheme) => string | undefined;
  /** Prepares the signature of requests. One of a delivery is used. */
  readonly sign?: (context: SimulatorContext, scheme: ServedScheme) => Signature | undefined;
  /** Returns the scheme of its key pair; left out for proofs that are made without a private key. */
  readonly keyPairScheme?: (scheme: ServedScheme, settle: Settle) => KeyPairScheme | undefined;
  /**
   * Prepares the signature in bodies.
   * @param hasOptionKey whether the key of the options is that of this signature
   */
  readonly signBody?: (
    context: SimulatorContext,
    scheme: ServedScheme,
    hasOptionKey: boolean,
  ) => BodySignature | undefined;
  /**
   * Returns the header or the parameter of the query with a secret.
   * @param isSigned whether a signature of the request has the key of the options
   */
  readonly carry?: (
    context: SimulatorContext,
    scheme: ServedScheme,
    isSigned: boolean,
  ) => CarriedSecret;
  /** Set if the connection has the certificate of the service. */
  readonly hasCertificate?: true;
  /** Returns what deliveries do with the key of the options: they sign with it, or carry it as it is. */
  readonly keyUse?: (
    scheme: ServedScheme,
    key: string | undefined,
    credentials: Readonly<Record<string, string>>,
  ) => KeyUse | undefined;
}

/** What deliveries do with a key: they sign with it, or carry it as it is. */
export type KeyUse = 'signs' | 'carries';
