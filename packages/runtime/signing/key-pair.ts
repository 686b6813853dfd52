import type { MaybePromise } from './hmac.ts';
import type { KeyPairScheme } from './key-pair-scheme.ts';

/** What decides how bytes are signed. */
export type KeyPairParameters = Pick<KeyPairScheme, 'algorithm' | 'saltLength'>;

/** A public key with the members that its algorithm needs, and no other. */
export type PublicKeyData =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string };

/** A private key, as PKCS #8 or as the members of a JWK. */
export type PrivateKeyData =
  | { readonly pkcs8: Uint8Array<ArrayBuffer> }
  | { readonly jwk: Readonly<Record<string, string>> };

/**
 * The interface of the implementations, `node:crypto` and WebCrypto. ECDSA signatures are the two numbers with 32 bytes
 * each. What is wrong with a key is a SigningError `malformed-key`; it is thrown at once with `node:crypto`, and rejects
 * the first result with WebCrypto.
 */
export interface KeyPairs {
  readonly createKeyPairSigner: (
    parameters: KeyPairParameters,
    key: PrivateKeyData,
  ) => (input: Uint8Array<ArrayBuffer>) => MaybePromise<Uint8Array>;
  readonly createKeyPairMatcher: (
    parameters: KeyPairParameters,
    key: PublicKeyData,
  ) => (
    input: Uint8Array<ArrayBuffer>,
    signature: Uint8Array<ArrayBuffer>,
  ) => MaybePromise<boolean>;
}
