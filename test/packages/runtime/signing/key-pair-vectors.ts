import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyPairScheme } from '../../../../packages/runtime/signing/key-pairs.ts';

/** A published test of a signature. */
interface PublishedTest {
  readonly comment: string;
  /** The signed bytes in hexadecimal. */
  readonly msg: string;
  /** The signature in hexadecimal. */
  readonly sig: string;
  readonly result: 'valid' | 'invalid' | 'acceptable';
}

/** A file of published tests. */
export interface PublishedFile {
  readonly source: string;
  readonly algorithm: KeyPairScheme['algorithm'];
  readonly format?: 'raw' | 'der';
  readonly saltLength?: number;
  readonly testGroups: readonly {
    readonly publicKeyPem: string;
    readonly tests: readonly PublishedTest[];
  }[];
}

/** Reads the selected tests of Wycheproof. */
export async function readPublishedTests(): Promise<readonly PublishedFile[]> {
  const path = join(import.meta.dirname, 'vectors/wycheproof-key-pairs.json');
  return (JSON.parse(await readFile(path, 'utf8')) as { readonly files: readonly PublishedFile[] })
    .files;
}
