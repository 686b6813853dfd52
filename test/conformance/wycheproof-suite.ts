import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHmacMatcher, createHmacSigner } from '../../packages/runtime/signing/core.ts';
import { withoutNode } from '../packages/runtime/without-node.ts';
import type { Failure, SuiteResult } from './suite-result.ts';

/** A file of Wycheproof's MAC tests. */
interface MacFile {
  readonly testGroups: readonly {
    /** In bits. */
    readonly tagSize: number;
    readonly tests: readonly {
      readonly key: string;
      readonly msg: string;
      readonly tag: string;
      readonly result: 'valid' | 'invalid';
    }[];
  }[];
}

const hashes = { sha1: 160, sha256: 256, sha512: 512 } as const;

/** Verifies every tag of Wycheproof's HMAC tests with `node:crypto` and with WebCrypto. */
export async function runWycheproofSuite(folder: string, source: string): Promise<SuiteResult> {
  const failures = new Map<string, Failure>();
  let tests = 0;
  for (const hash of ['sha1', 'sha256', 'sha512'] as const) {
    const file = `hmac_${hash}_test.json`;
    const text = await readFile(join(folder, 'testvectors_v1', file), 'utf8');
    for (const { tagSize, tests: cases } of (JSON.parse(text) as MacFile).testGroups) {
      for (const { key, msg, tag, result } of cases) {
        const scheme = { algorithm: `hmac-${hash}`, encoding: 'hex' } as const;
        const bytes = Buffer.from(key, 'hex');
        const pieces = [Buffer.from(msg, 'hex')];
        const importKey = () => ({
          toMatch: createHmacMatcher(scheme, bytes),
          toSign: createHmacSigner(scheme, bytes),
        });
        for (const [implementation, { toMatch, toSign }] of [
          ['node:crypto', importKey()],
          ['WebCrypto', withoutNode(importKey)],
        ] as const) {
          const matches = await toMatch(pieces, [tag]);
          const signs = (await toSign(pieces)).startsWith(tag);
          tests += 1;
          const expected = result === 'valid';
          if (matches === expected && signs === expected) continue;
          const isTruncated = signs === expected && tagSize < hashes[hash];
          const name = `${file}, ${implementation}: ${result} tags of ${tagSize} bits`;
          const outcome = isTruncated ? 'refused: signature-mismatch' : 'wrong';
          const before = failures.get(name)?.tests ?? 0;
          failures.set(name, { case: name, outcome, tests: before + 1 });
        }
      }
    }
  }
  return { suite: 'Wycheproof', source, tests, failures: [...failures.values()], notes: [] };
}
