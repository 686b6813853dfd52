import type { TestVectors } from '@countersign/runtime/signing/test-vectors';
import type { Contract } from '../../contract/contract.ts';
import { usedSchemes } from '../../contract/used-schemes.ts';
import { importTestVectors, settleSignature } from '../../contract/signature-scheme.ts';

/**
 * Creates test vectors for every signature scheme that operations use, with the answers to open questions that they
 * assume: the assumed answer of each, or else its first choice.
 */
export async function createSignatureVectors(contract: Contract): Promise<readonly object[]> {
  const used = usedSchemes(contract);
  const signed = contract.security.filter(({ id, signature }) => signature && used.has(id));
  if (signed.length === 0) return [];
  const { createTestVectors } = await importTestVectors();
  // Only a path of plain segments is safe as an example: a contract can have paths that are not valid in a URL.
  const example = contract.operations.find(
    ({ method, path }) => method !== 'GET' && /^(?:\/[\w-]+)+$/.test(path),
  );
  const all: object[] = [];
  for (const security of signed) {
    if (security.signature === undefined) continue;
    const { scheme, answers } = settleSignature(contract, security.signature);
    const vectors = await createTestVectors(scheme, {
      method: example?.method ?? 'POST',
      url: `https://service.example${example?.path ?? '/'}`,
    });
    all.push({ scheme: security.id, answers, vectors: toRepeatable(vectors) });
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
