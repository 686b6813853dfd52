import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeContracts, writeDocuments } from './contracts.ts';
import { buildToolkit, generateAnew, heyApi, installPeers } from './generation.ts';

/** What the files of one class take. A class that a generator does not write has no files. */
interface Weight {
  readonly files: number;
  readonly bytes: number;
  /** All files of the class in one stream. */
  readonly gzipped: number;
}

/** One class of the code that is generated from a contract, by this toolkit and by hey-api. */
export interface ClassWeight {
  readonly contract: string;
  readonly of: string;
  readonly own: Weight;
  readonly peer: Weight;
}

/** The classes, each with the files that the toolkit and its peer write. The first that matches a path has the file. */
const classes: readonly { readonly of: string; readonly own: RegExp; readonly peer?: RegExp }[] = [
  { of: 'texts', own: /\.md$/u },
  {
    of: 'validators',
    own: /^contract\/(?:runtime\/|src\/validation\.ts$)/u,
    peer: /^zod\.gen\.ts$/u,
  },
  { of: 'types and guards', own: /^contract\/src\//u, peer: /^types\.gen\.ts$/u },
  { of: 'operations', own: /^client\/src\//u, peer: /^(?:sdk\.gen|index)\.ts$/u },
  { of: 'receivers and stubs', own: /^webhooks[^/]*\/(?:src|stubs)\//u },
  { of: 'runtime', own: /^runtime\/src\//u, peer: /^(?:client|core)\/|^client\.gen\.ts$/u },
  { of: 'page', own: /\.html$/u },
  { of: 'rest', own: /(?:)/u, peer: /(?:)/u },
];

/**
 * Generates from each contract with this toolkit, all its targets, and with hey-api, and weighs what each one writes, by
 * class.
 * @param operations the number of operations that remain of GitHub's contracts
 * @param documents the OpenAPI documents of others that are weighed instead, if there are any
 */
export async function benchClasses(
  operations: number,
  documents: readonly string[],
): Promise<readonly ClassWeight[]> {
  buildToolkit();
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const contracts =
      documents.length > 0
        ? writeDocuments(folder, documents)
        : await writeContracts(folder, operations);
    return contracts.flatMap((contract) => {
      generateAnew(contract, 1);
      heyApi(['@hey-api/typescript', '@hey-api/sdk', 'zod'])(contract, 1);
      const own = readFiles(join(contract.folder, 'generated'));
      const peer = readFiles(join(contract.folder, 'hey-api'));
      return [...classes.map(({ of }) => of), 'everything'].map((of) => ({
        contract: contract.name,
        of,
        own: weigh(own, of, 'own'),
        peer: weigh(peer, of, 'peer'),
      }));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the contents of the files of a folder by their paths. */
function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path)]),
  );
}

function weigh(
  files: ReadonlyMap<string, Buffer>,
  wanted: string,
  generator: 'own' | 'peer',
): Weight {
  const contents = [...files]
    .filter(([path]) => {
      const found = classes.find((each) => each[generator]?.test(path) === true);
      return wanted === 'everything' || found?.of === wanted;
    })
    .map(([, content]) => content);
  const stream = Buffer.concat(contents);
  return {
    files: contents.length,
    bytes: stream.length,
    gzipped: contents.length === 0 ? 0 : gzipSync(stream).length,
  };
}
