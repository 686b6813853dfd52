import type { TestVectors } from '@countersign/runtime/signing/test-vectors';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import { importTestVectors, settleSignature } from '../../contract/signature-scheme.ts';

/** The test vectors of a signature scheme. */
export interface SchemeVectors {
  /** The id of the security scheme. */
  readonly scheme: string;
  /** The names of the choices that answer its open questions, by the ids of the ledger entries. */
  readonly answers: Readonly<Record<string, string>>;
  readonly vectors: TestVectors;
}

/**
 * Creates test vectors for signature schemes, with the answers to open questions that they assume: the assumed answer of
 * each, or else its first choice. Schemes without a signature in a header have none.
 */
export async function createSignatureVectors(
  contract: Contract,
  schemes: readonly SecurityScheme[],
): Promise<readonly SchemeVectors[]> {
  const signed = schemes.flatMap(({ id, signature }) =>
    signature === undefined ? [] : [{ id, signature }],
  );
  if (signed.length === 0) return [];
  const { createTestVectors } = await importTestVectors();
  // Only a path of plain segments is safe as an example: a contract can have paths that are not valid in a URL.
  const example = contract.operations.find(
    ({ method, path }) => method !== 'GET' && /^(?:\/[\w-]+)+$/.test(path),
  );
  const all: SchemeVectors[] = [];
  for (const { id, signature } of signed) {
    const { scheme, answers } = settleSignature(contract, signature);
    const vectors = await createTestVectors(scheme, {
      method: example?.method ?? 'POST',
      url: `https://service.example${example?.path ?? '/'}`,
    });
    all.push({ scheme: id, answers, vectors: toRepeatable(vectors) });
  }
  return all;
}

/**
 * Removes the signatures of a randomized algorithm, which would differ in each generated file, and the requests to refuse
 * that have one. A signer of such an algorithm is tested by verifying its signature of `input` with `publicKey`.
 */
function toRepeatable(vectors: TestVectors): TestVectors {
  if (vectors.isRandomized !== true) return vectors;
  const { header } = vectors.scheme;
  return {
    ...vectors,
    authentic: vectors.authentic.map(({ request, ...vector }) => {
      const { [header]: _, ...headers } = request.headers;
      return { ...vector, request: { ...request, headers } };
    }),
    refused: vectors.refused.filter(({ request }) => (request.headers[header] ?? '') === ''),
  };
}
