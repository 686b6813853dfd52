import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, type Tree } from '../output/tree.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Circumstances {
  readonly folder?: string;
  readonly timeZone?: string;
  readonly locale?: string;
  readonly lineEnd?: '\r\n';
}

/** Generates this repository's contract somewhere else, as another machine would. */
async function generateUnder({
  folder = 'a',
  timeZone = 'UTC',
  locale = 'C',
  lineEnd,
}: Circumstances): Promise<Tree> {
  const project = join(await temporaryFolder(), folder);
  await mkdir(project);
  await cp(join(root, 'spec'), join(project, 'spec'), { recursive: true });
  await writeFile(
    join(project, 'countersign.config.json'),
    JSON.stringify({
      contract: {
        openapi: 'spec/openapi.yaml',
        asyncapi: 'spec/asyncapi.yaml',
        workflows: ['spec/workflows/flows.yaml'],
      },
      scope: '@instant-payment',
      license: 'MIT',
      output: 'generated',
      targets: ['contract'],
    }),
  );
  if (lineEnd !== undefined) await convertLineEnds(join(project, 'spec'), lineEnd);
  await promisify(execFile)(
    process.execPath,
    [join(root, 'generator/cli.ts'), 'generate', '--quiet'],
    {
      cwd: project,
      env: { ...process.env, TZ: timeZone, LC_ALL: locale, LANG: locale },
    },
  );
  return readTree(join(project, 'generated'));
}

async function convertLineEnds(folder: string, lineEnd: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('\n', lineEnd));
  }
}

describe('the same contract', async () => {
  const committed = await readTree(join(root, 'generated/contract'));
  const ofContract = (tree: Tree): Tree =>
    Object.fromEntries(
      Object.entries(tree).flatMap(([path, text]) =>
        path.startsWith('contract/') ? [[path.slice('contract/'.length), text]] : [],
      ),
    );
  const source = Object.fromEntries(
    Object.entries(committed).filter(([path]) => !path.startsWith('dist/')),
  );

  it.each<[string, Circumstances]>([
    ['on another run', {}],
    [
      'in another time zone and language',
      { timeZone: 'Pacific/Kiritimati', locale: 'tr_TR.UTF-8' },
    ],
    ['in a folder with another name', { folder: 'ein Ordner – mit «Zeichen»' }],
    ['with CRLF line ends', { lineEnd: '\r\n' }],
  ])('gives the same bytes %s', async (_, circumstances) => {
    const tree = ofContract(await generateUnder(circumstances));
    expect(Object.keys(tree)).toEqual(Object.keys(source));
    expect(tree).toEqual(source);
  });
});
