import { formatFile } from '../../../../generator/targets/format.ts';
import { mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { readTree } from '../../../output/tree.ts';
import { readContract } from '../../../targets/client/emit-client.ts';
import { repository } from '../../../targets/emit-project.ts';
import { countUnwritten, writeHandlers } from '../../../targets/stubs/write-handlers.ts';

/** The options of `tsc` for an application beside packages that are not built. */
export const fromSource: readonly string[] = ['--customConditions', 'countersign-source'];

/** Creates a folder for applications, beside all that is installed here. The caller removes it. */
export async function createApplicationFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-')));
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/**
 * Scaffolds an application for the contract of this repository, which does not state a proof of deliveries, and returns
 * its path.
 */
export async function scaffoldOwn(
  folder: string,
  [framework = '', directory = '', ...options]: readonly string[],
): Promise<string> {
  const config = join(repository, 'countersign.config.ts');
  const chosen = options.includes('--authenticate') ? [] : ['--authenticate', 'shared-secret'];
  const parameters = ['scaffold', framework, directory, '--config', config, ...options, ...chosen];
  const { code, error } = await runInProcess(folder, parameters);
  expect(code, error).toBe(0);
  return join(folder, directory);
}

/**
 * Writes a line into each handler that nobody has written: it logs `handled`, the kind and the id. Returns how many
 * there were.
 */
export async function writeAllHandlers(application: string): Promise<number> {
  let count = 0;
  for (const [path, text] of Object.entries(await readTree(application))) {
    if (!/^src\/(?:handlers\/|unhandled\.ts)/u.test(path)) continue;
    const stubs = countUnwritten(text);
    if (stubs > 0)
      await writeFile(join(application, path), await formatFile(path, writeHandlers(text)));
    count += stubs;
  }
  return count;
}

interface Example {
  readonly name: string;
  readonly payload: { readonly pix?: readonly unknown[] };
}

interface AsyncApi {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly examples: readonly Example[] }>>;
  };
}

/** Examples of cash-outs that nothing tells whether they are of the first stage or the second. */
const ambiguous: ReadonlySet<string> = new Set(['denied', 'failed']);

/** The number of deliveries that an application's own test sends: one for each example. */
export async function expectedDeliveries(): Promise<number> {
  return Object.values(await readMessages()).flatMap(({ examples }) => examples).length;
}

async function readMessages(): Promise<AsyncApi['components']['messages']> {
  const { documents } = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  return (documents.asyncapi as unknown as AsyncApi).components.messages;
}

/** One kind for each event of each example: an example in the form of an array has several. */
export async function expectedKinds(): Promise<readonly string[]> {
  return Object.entries(await readMessages()).flatMap(([kind, { examples }]) =>
    examples.flatMap(({ name, payload }) =>
      (payload.pix ?? [payload]).map(() =>
        ambiguous.has(name) ? 'cashoutStageOneOrCashoutStageTwo' : kind,
      ),
    ),
  );
}

/** Expects that a package depends on what its files import, and on the generated receiver in the version of this repository. */
export async function expectDependencies(application: string): Promise<void> {
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(application, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>;
  const texts = Object.entries(await readTree(application)).filter(([path]) =>
    path.endsWith('.ts'),
  );
  const imported = texts.flatMap(([, text]) =>
    Array.from(
      text.matchAll(/from '((?:@[\w-]+\/)?[\w-]+)[^']*'/gu),
      ([, specifier = '']) => specifier,
    ).filter((specifier) => specifier !== 'node'),
  );
  expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(
    expect.arrayContaining([...new Set(imported)]),
  );
  const [receiver = ''] = imported.filter((specifier) => specifier.startsWith('@instant-payment'));
  // A range could be served by a registry.
  expect(dependencies[receiver]).toMatch(/^file:.*\/generated\//u);
}
