import type { TestVectors } from '@countersign/signing/test-vectors';
import type { Contract } from '../../contract/contract.ts';
import { importTestVectors, settleSignature } from '../../contract/lower/signature-scheme.ts';

/** The test vectors of a signature, and the answers to open questions that they hold for. */
export interface SignatureVectors {
  readonly scheme: string;
  readonly answers: Readonly<Record<string, string>>;
  readonly vectors: TestVectors;
}

/** Test vectors of every signature that calls carry: questions are answered as assumed, or by the first choice. */
export async function createSignatureVectors(
  contract: Contract,
  used: ReadonlySet<string>,
): Promise<readonly SignatureVectors[]> {
  const signed = contract.security.filter(({ id, signature }) => signature && used.has(id));
  if (signed.length === 0) return [];
  const { createTestVectors } = await importTestVectors();
  // The words of a path are the contract's, and any of them could be something that cannot be sent.
  const example = contract.operations.find(
    ({ method, path }) => method !== 'GET' && /^(?:\/[\w-]+)+$/.test(path),
  );
  const all: SignatureVectors[] = [];
  for (const security of signed) {
    if (security.signature === undefined) continue;
    const { scheme, answers } = settleSignature(contract, security, security.signature);
    const vectors = await createTestVectors(scheme, {
      method: example?.method ?? 'POST',
      url: `https://service.example${example?.path ?? '/'}`,
    });
    all.push({ scheme: security.id, answers, vectors });
  }
  return all;
}
