import type { Pointer } from '../json/pointer.ts';

/** How deliveries prove where they come from, as far as the contract states it. Lowering decides it once. */
export interface Authentication {
  /**
   * A proof for each scheme that notifications have, in the order of the schemes. If no notification has a signature in
   * a header, the signatures of calls are here too: what the service's notifications may carry.
   */
  readonly proofs: readonly Proof[];
  /** Left out if the contract combines no schemes, or not in the same way for all notifications. */
  readonly combination?: Combination;
  /** The requirements of notifications that a signature in the body is a part of, each once. */
  readonly inBody: readonly (readonly { readonly scheme: string }[])[];
  /** Whether the contract states for every notification that nothing authenticates it. */
  readonly isNone: boolean;
  /** Whether the contract states for some notification that a proof is required. */
  readonly isRequired: boolean;
  /** Whether it names no scheme for any notification, and states for some nothing at all: the user has to choose. */
  readonly isUnstated: boolean;
  /** The ids of the notifications for which the contract states neither a proof nor that they need none. */
  readonly unstated: readonly string[];
  /** The headers and other parameters of these notifications that can be a proof, by their name; signatures first. */
  readonly declared: readonly DeclaredProof[];
}

/**
 * A header, a parameter of the query or a cookie that a notification declares, and whose name is that of a proof. How it
 * is made, the contract does not state.
 */
export interface DeclaredProof {
  readonly in: 'header' | 'query' | 'cookie';
  /** The name as the contract writes it. */
  readonly name: string;
  readonly kind: 'signature' | 'secret';
  /** The headers beside it that are named alike: `webhook-id` and `webhook-timestamp` beside `webhook-signature`. */
  readonly idHeader?: string;
  readonly timestampHeader?: string;
  /** Its examples. */
  readonly values: readonly string[];
  /** The ids of the notifications that declare it. */
  readonly notifications: readonly string[];
}

/** What a scheme requires of deliveries. */
export type Proof =
  | SignatureProof
  | BodySignatureProof
  | CertificateProof
  | SecretProof
  | UnreadyProof;

export type ProofKind = Proof['kind'];

/** The kinds of proofs that a receiver has a function for. Each room that acts on them has a table with a row for each. */
export type ReadyKind = Exclude<ProofKind, 'unready'>;

/** The proofs of one kind. */
export type ProofOf<Kind extends ProofKind> = Extract<Proof, { readonly kind: Kind }>;

/** What every proof has that a receiver has a function for. */
export interface ReadyProof {
  /** The id of the security scheme. */
  readonly scheme: string;
  /** The name of the function that verifies it. */
  readonly verify: string;
  /** Whether some notification needs nothing else. */
  readonly isAlone: boolean;
  /** Whether the contract states it for some notification. */
  readonly isStated: boolean;
  /** The ids of the notifications whose deliveries need not carry it, by what the contract states. */
  readonly notRequiredBy: readonly string[];
}

/** A signature in a header (`x-signature`). */
export interface SignatureProof extends ReadyProof {
  readonly kind: 'signature';
  /** The name of the function that creates a signer, and that of the type of the options of both. */
  readonly signer: string;
  readonly optionsType: string;
  /** The ids of the ledger entries that decide about it, in the order of the ledger. */
  readonly openQuestions: readonly string[];
  /** Whether timestamps have a pattern, or can have one by an answer to an open question. */
  readonly patterns: boolean;
  /** Whether it is made with a private key, so that receivers have the public key. */
  readonly isPair: boolean;
  /** Whether deliveries name their key. */
  readonly namesKeys: boolean;
  /** The algorithm, or that of the first choice of an open question. */
  readonly algorithm: string;
  /** The address of the public keys; left out if the contract states none. */
  readonly jwks?: string;
  /** The signed headers, in lower case, that have the same value in each delivery, such as an API key. */
  readonly headers: readonly string[];
  /** The other signed headers except the timestamp, in lower case, such as the id of a delivery. */
  readonly deliveryHeaders: readonly string[];
  /** Whether a part of the URL is signed, or can be signed by an answer to an open question. */
  readonly signsPath: boolean;
  /** Whether the host is signed, or can be signed by an answer to an open question. */
  readonly signsUrl: boolean;
  /** Whether the contract states that the whole URL is signed. */
  readonly alwaysSignsUrl: boolean;
  /** What the contract states it for, as the end of a sentence. */
  readonly statedFor: 'notifications' | 'calls' | 'neither calls nor notifications';
  readonly credential: string;
}

/** A signature over members of the body (`x-body-signature`). */
export interface BodySignatureProof extends ReadyProof {
  readonly kind: 'body-signature';
  /** The name of the function that creates a signer for tests. */
  readonly signer: string;
  /** The name of the constant with the scheme. */
  readonly constant: string;
  /** The pointers of the members that it covers, in order. */
  readonly covered: readonly string[];
}

/** A client certificate (`mutualTLS`). */
export interface CertificateProof extends ReadyProof {
  readonly kind: 'certificate';
}

/** A secret that requests carry. */
export interface SecretProof extends ReadyProof {
  readonly kind: 'secret';
  readonly place: SecretPlace;
  /** The name of the header, the parameter of the query or the cookie; empty for other places. */
  readonly parameterName: string;
}

/** What carries a secret. */
export type SecretPlace = 'header' | 'path' | 'query' | 'cookie' | 'basic' | 'bearer';

/** A scheme that receivers have no function for. */
export interface UnreadyProof {
  readonly kind: 'unready';
  readonly scheme: string;
  /** What it is, as a noun phrase that continues "by". */
  readonly what: string;
  /** The id of the first notification that has it. */
  readonly notification: string;
  /** The place of the scheme, or else of that notification. */
  readonly pointer: Pointer;
}

/** How the contract combines schemes for every notification, as OR of AND. */
export interface Combination {
  /** The ids of the schemes, in the contract's order. */
  readonly schemes: readonly string[];
  readonly alternatives: readonly (readonly string[])[];
}
