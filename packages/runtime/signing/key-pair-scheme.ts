import type { SignatureForm } from './scheme.ts';

/** The algorithm of a signature with a private key, which a public key verifies. */
export type KeyPairAlgorithm =
  | 'ed25519'
  | 'ecdsa-p256-sha256'
  | 'rsa-pss-sha256'
  | 'rsa-v1_5-sha256';

/** How requests are signed with a key pair, as plain data. */
export interface KeyPairScheme extends SignatureForm {
  readonly algorithm: KeyPairAlgorithm;
  /**
   * How the two numbers of an ECDSA signature are written: `raw`, 32 bytes each, or `der`, as ASN.1. Required for
   * `ecdsa-p256-sha256`.
   */
  readonly format?: 'raw' | 'der';
  /** The length of the salt in bytes, from 0 to 222. Required for `rsa-pss-sha256`. */
  readonly saltLength?: number;
  readonly key: {
    /** The encoding of an Ed25519 key that is written as its 32 bytes. Without it, keys are PEM or JWK. */
    readonly encoding?: 'base64' | 'hex';
    /** Text before a public key in `encoding` that is not part of it. */
    readonly prefix?: string;
    /** Text before a private key in `encoding` that is not part of it. */
    readonly privatePrefix?: string;
    /** The header that carries the id of the key, where it is not `{keyId}` in `value`. */
    readonly idHeader?: string;
  };
}

/** A key as JSON (RFC 7517). */
export interface Jwk {
  readonly kty?: string;
  readonly kid?: string;
  readonly [member: string]: unknown;
}

/**
 * A key: PEM (`PUBLIC KEY` or `PRIVATE KEY`), a JWK as an object or as JSON text, or for Ed25519 the bytes of the key, as
 * text in the encoding of the scheme.
 */
export type KeyMaterial = string | Jwk | Uint8Array;

/** A key with its id. A JWK has its id in `kid`, so that it needs no other. */
export interface IdentifiedKey {
  readonly id: string;
  readonly key: KeyMaterial;
}

const algorithms: ReadonlySet<string> = new Set<KeyPairAlgorithm>([
  'ed25519',
  'ecdsa-p256-sha256',
  'rsa-pss-sha256',
  'rsa-v1_5-sha256',
]);

/** Returns whether a scheme signs with a private key, and not with a secret that both sides have. */
export function isKeyPairScheme(scheme: { readonly algorithm: string }): scheme is KeyPairScheme {
  return algorithms.has(scheme.algorithm);
}
