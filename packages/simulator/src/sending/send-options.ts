import type { PublicUrl } from '@countersign/runtime/base';
import type { TlsIdentity } from './tls-identity.ts';

/** Where deliveries are sent, and how: the options of a simulator and of `countersign send`. */
export interface SendOptions {
  /** The base address of the receiver, which notifications are sent to. */
  readonly to?: string | URL;
  /** Whether the path of a notification's label is appended to that of `to`. */
  readonly appendLabel?: boolean;
  /** The certificates (PEM) of the authorities of a receiver with TLS. Default: those that Node trusts. */
  readonly ca?: string;
  /** Allows addresses other than this machine's. Default: false. */
  readonly allowRemote?: boolean;
  /** Answers to open questions: the name of a choice by the id of the question. */
  readonly answers?: Readonly<Record<string, string>>;
  /** How notifications are authenticated. Default: as the contract states it, or else not at all. */
  readonly authentication?: SendAuthentication;
  /** Maximum milliseconds for an attempt, including the response of the receiver. Default: 10,000. */
  readonly attemptTimeoutMs?: number;
}

/** How deliveries are authenticated. */
export interface SendAuthentication {
  /** The id of the signature scheme; `false`: no signature. Default: as the contract states it. */
  readonly signature?: string | false;
  /**
   * The URL that the signature covers instead of the receiver's, where a proxy passes deliveries on: `publicUrl` of the
   * receiver. A value without effect on what is signed is refused.
   */
  readonly publicUrl?: PublicUrl;
  /** A secret segment of the path, behind that of the receiver's address and before a label. */
  readonly pathSecret?: string;
  /** The client certificate of deliveries, with its key, in PEM. */
  readonly clientCertificate?: TlsIdentity;
  /** Further headers of every delivery, such as one with a shared secret. Their values are secret. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The default of `attemptTimeoutMs`. */
export const defaultAttemptTimeoutMs = 10_000;
