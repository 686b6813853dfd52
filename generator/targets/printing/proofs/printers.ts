import type { ReadyKind } from '../../../contract/proofs.ts';
import { bodySignaturePrinter } from './body-signature.ts';
import { certificatePrinter } from './certificate.ts';
import type { ProofPrinter } from './printer.ts';
import { secretPrinter } from './secret.ts';
import { signaturePrinter } from './signature.ts';

const rows: Readonly<Record<ReadyKind, ProofPrinter>> = {
  signature: signaturePrinter,
  secret: secretPrinter,
  certificate: certificatePrinter,
  'body-signature': bodySignaturePrinter,
};

/** What packages print of each kind of proof, in the order in which they print it. */
export const proofPrinters: readonly ProofPrinter[] = Object.values(rows);
