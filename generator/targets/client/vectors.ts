import { registerHooks } from 'node:module';
import type { SignatureScheme } from '@countersign/signing';
import type { createTestVectors, TestVectors } from '@countersign/signing/test-vectors';
import type { Contract, OrUnstated, Signature } from '../../contract/contract.ts';

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
  const vectorsOf = (await importVectors()).createTestVectors;
  // The words of a path are the contract's, and any of them could be something that cannot be sent.
  const example = contract.operations.find(
    ({ method, path }) => method !== 'GET' && /^(?:\/[\w-]+)+$/.test(path),
  );
  const all: SignatureVectors[] = [];
  for (const { id, signature, parameterName } of signed) {
    if (signature === undefined) continue;
    const answers: Record<string, string> = {};
    const scheme = settle(contract, signature, parameterName ?? id, answers);
    const vectors = await vectorsOf(scheme, {
      method: example?.method ?? 'POST',
      url: `https://service.example${example?.path ?? '/'}`,
    });
    all.push({ scheme: id, answers, vectors });
  }
  return all;
}

function settle(
  { unstated }: Contract,
  signature: Signature,
  header: string,
  answers: Record<string, string>,
): SignatureScheme {
  const value = <T>(open: OrUnstated<T>): T => {
    if (typeof open !== 'object' || open === null || !('unstated' in open)) return open;
    const entry = unstated.find(({ id }) => id === open.unstated);
    const choice = entry?.choices.find(({ name }) => name === entry.assumed) ?? entry?.choices[0];
    if (choice === undefined) throw new TypeError(`"${open.unstated}" has no choices.`);
    answers[open.unstated] = choice.name;
    return choice.value as T;
  };
  const { algorithm, key, over, encoding, timestamp, separator } = signature;
  return {
    algorithm: value(algorithm),
    key: {
      encoding: value(key.encoding),
      ...(key.prefix === undefined ? {} : { prefix: key.prefix }),
    },
    over: over.map((part) => value(part)) as SignatureScheme['over'],
    encoding: value(encoding),
    header,
    value: signature.value,
    ...(separator === undefined ? {} : { separator }),
    ...(timestamp === undefined
      ? {}
      : {
          timestamp: {
            ...timestamp,
            format: value(timestamp.format),
            tolerance: value(timestamp.tolerance),
          },
        }),
  };
}

/** Run from source, the toolkit uses the source of the package as well; its dist may not be built. */
async function importVectors(): Promise<{ readonly createTestVectors: typeof createTestVectors }> {
  if (!import.meta.filename.endsWith('.ts'))
    return await import('@countersign/signing/test-vectors');
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, {
        ...context,
        conditions: ['countersign-source', ...context.conditions],
      }),
  });
  try {
    return await import('@countersign/signing/test-vectors');
  } finally {
    hooks.deregister();
  }
}
