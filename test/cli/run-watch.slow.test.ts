import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, openapi } from './project.ts';
import { readTree } from '../output/tree.ts';
import { watch, watchAsProcess } from './watching.ts';

const book = 'generated/titles/book.js';
const named = openapi.replace('title: {', 'name: {').replace('[title]', '[name]');
const referring = openapi.replace('    Book:\n', "    Place: { $ref: './new.yaml' }\n    Book:\n");
const place = (member: string): string =>
  `type: object\nproperties: { ${member}: { type: string } }\n`;

describe('generate --watch generates again', () => {
  it('whatever way a file is saved, and keeps the output of a valid contract', async () => {
    const { folder } = await createProject();
    const read = async (): Promise<string> => await readFile(join(folder, book), 'utf8');
    const contract = join(folder, 'openapi.yaml');
    const { says, end } = watch(folder);
    await says('watching');
    expect(await read()).toContain("['title']");

    await writeFile(contract, named);
    await says('watching');
    expect(await read()).toContain("['name']");

    await writeFile(contract, `${openapi}  - broken\n`);
    await says('error[');
    await says('watching');
    expect(await read()).toContain("['name']");

    await writeFile(join(folder, 'new.yaml'), place('shelf'));
    await writeFile(join(folder, 'other'), referring);
    await rename(join(folder, 'other'), contract);
    await says('created');
    await says('watching');
    expect(await read()).toContain("['title']");

    await writeFile(join(folder, 'new.yaml'), place('row'));
    await says('updated');
    await says('watching');

    expect(await end()).toBe(0);
  });

  it('when a file that was referred to appears, goes, and comes back', async () => {
    // In a contract of others, a missing file costs only what needs it.
    const strict = referring.replace('  version:', '  x-countersign: 1\n  version:');
    const { folder } = await createProject({ 'openapi.yaml': strict });
    const { says, end } = watch(folder);
    await says('1 error');
    await says('watching');
    await writeFile(join(folder, 'new.yaml'), place('shelf'));
    await says('created');
    await says('watching');
    const completeTree = await readTree(join(folder, 'generated'));

    await rm(join(folder, 'new.yaml'));
    await says('1 error');
    await says('watching');
    expect(await readTree(join(folder, 'generated'))).toEqual(completeTree);

    await writeFile(join(folder, 'new.yaml'), place('row'));
    await says('updated');
    await says('watching');
    expect(await end()).toBe(0);
  });

  it('when the whole contract goes and comes back', async () => {
    const { folder } = await createProject();
    const { says, end } = watch(folder);
    await says('watching');
    await rm(join(folder, 'openapi.yaml'));
    await says('error[');
    await says('watching');
    await writeFile(join(folder, 'openapi.yaml'), named);
    await says('updated');
    await says('watching');
    expect(await readFile(join(folder, book), 'utf8')).toContain("['name']");
    expect(await end()).toBe(0);
  });

  it('when the configuration says something else, and waits while it says nothing', async () => {
    const { folder } = await createProject();
    const file = join(folder, 'countersign.config.mjs');
    const config = await readFile(file, 'utf8');
    const { says, end } = watch(folder);
    await says('watching');

    await writeFile(file, config.replace('targets:', "version: '9.8.7', targets:"));
    await says('updated');
    await says('watching');
    expect(await readFile(join(folder, 'generated/titles/package.json'), 'utf8')).toContain(
      '"version": "9.8.7"',
    );

    await writeFile(file, 'export default {;');
    await says('cannot be used');
    await says('watching');
    await writeFile(file, config.replace('contract:', 'contrct:'));
    await says('did you mean `contract`?');
    await says('watching');

    await writeFile(file, config);
    await says('updated');
    await says('watching');
    expect(await end()).toBe(0);
  });

  it('when an overlay is taken in, changes, and is left out', async () => {
    const { folder } = await createProject();
    const file = join(folder, 'countersign.config.mjs');
    const config = await readFile(file, 'utf8');
    const overlay = (description: string): string => `overlay: 1.0.0
info: { title: More, version: 1.0.0 }
actions:
  - target: $.components.schemas.Book.properties
    update: { ${description}: { type: string } }
`;
    await writeFile(join(folder, 'overlay.yaml'), overlay('pages'));
    const read = async (): Promise<string> => await readFile(join(folder, book), 'utf8');
    const { says, end } = watch(folder);
    await says('watching');
    await writeFile(
      file,
      config.replace("'openapi.yaml'", "'openapi.yaml', overlays: ['overlay.yaml']"),
    );
    await says('updated');
    await says('watching');
    expect(await read()).toContain("'pages'");
    await writeFile(join(folder, 'overlay.yaml'), overlay('chapters'));
    await says('updated');
    await says('watching');
    expect(await read()).toContain("'chapters'");
    await writeFile(file, config);
    await says('updated');
    await says('watching');
    expect(await read()).toContain("['title']");
    expect(await end()).toBe(0);
  });
});

describe('generate --watch beside another run', () => {
  it('waits for it, and leaves one whole output', async () => {
    const { folder, countersign } = await createProject();
    const { says, end } = watch(folder);
    await says('watching');
    await writeFile(join(folder, 'openapi.yaml'), named);
    const rivals = await Promise.all([countersign('generate'), countersign('generate')]);
    expect(rivals.map(({ code }) => code)).toEqual([0, 0]);
    await says('watching');
    expect((await countersign('check')).code).toBe(0);
    expect(await end()).toBe(0);
  });
});

describe('generate --watch ends', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('with 0 and nothing left behind: %s', async (signal) => {
    const { folder } = await createProject();
    const { says, end } = watchAsProcess(folder, signal);
    await says('watching');
    await writeFile(join(folder, 'openapi.yaml'), named);
    await says('updated');
    expect(await end()).toEqual([0, null]);
    expect(await readdir(join(folder, 'generated'))).toEqual(['.manifest.json', 'titles']);
  });

  it('where code changes that runs already', async () => {
    const { folder } = await createProject();
    const { says, ended } = watch(folder);
    await says('watching');
    const target = join(folder, 'titles.mjs');
    await writeFile(target, `${await readFile(target, 'utf8')}\n`);
    expect(await ended).toBe(1);
    await says('titles.mjs has changed after it was loaded. Start the command again.');
  });

  it('at once for a machine that waits for one document', async () => {
    const { countersign } = await createProject();
    const { code, out } = await countersign('generate', '--watch', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'usage' } });
  });
});
