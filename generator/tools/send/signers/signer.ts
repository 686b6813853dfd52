import type { PublicUrl } from '@countersign/simulator/sending';
import type { Contract, SecurityScheme } from '../../../contract/contract.ts';
import type { DeliveryRequest } from '../sending.ts';

/** The scheme of a signature, with its key. */
export interface Signing {
  readonly security: SecurityScheme;
  /** The key, in the encoding that the contract states. */
  readonly key: string;
  /** The chosen answers, by the id of the ledger entry. */
  readonly answers: ReadonlyMap<string, string>;
  /** What senders call instead of the URL of the request, where a proxy changes it. */
  readonly publicUrl: PublicUrl | undefined;
}

/** What a signature changes in a request. */
export interface SignedParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The URL that the signature covers, if it is not that of the request. */
  readonly signedUrl?: string;
}

/** Makes the signatures of one kind. */
export type RequestSigner = (
  contract: Contract,
  request: DeliveryRequest,
  signing: Signing,
) => Promise<SignedParts>;
