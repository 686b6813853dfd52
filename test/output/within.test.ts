import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertNotLinkedOut, assertWithin } from '../../generator/output/within.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Creates a folder with a project, whose `out` is a link out of it and whose `in` is one that stays in it. */
async function createLinks(): Promise<{ readonly root: string; readonly project: string }> {
  const root = await realpath(await temporaryFolder());
  const project = join(root, 'project');
  await mkdir(join(project, 'real'), { recursive: true });
  await mkdir(join(root, 'project-2'));
  await symlink(join(root, 'project-2'), join(project, 'out'));
  await symlink(join(project, 'real'), join(project, 'in'));
  return { root, project };
}

it.each(['', 'real', 'real/new/folder', 'in', 'in/new', 'new'])(
  'a path in a folder is in it: %j',
  async (path) => {
    const { project } = await createLinks();
    expect(() => assertWithin(join(project, path), project)).not.toThrow();
    expect(() => assertNotLinkedOut(join(project, path), project)).not.toThrow();
  },
);

it.each(['out', 'out/new', 'out/new/folder', 'real/../out'])(
  'a path behind a link out of a folder is refused: %j',
  async (path) => {
    const { root, project } = await createLinks();
    for (const assert of [assertWithin, assertNotLinkedOut]) {
      expect(() => assert(join(project, path), project)).toThrow(
        expect.objectContaining({
          code: 'escaping-path',
          message: expect.stringContaining(` leads to ${join(root, 'project-2')}`),
        }),
      );
    }
  },
);

it('a path that is outside by its text is what its user means', async () => {
  const { root, project } = await createLinks();
  expect(() => assertNotLinkedOut(join(root, 'project-2/new'), project)).not.toThrow();
  expect(() => assertWithin(join(root, 'project-2/new'), project)).toThrow('is outside of');
});

it('a folder that does not exist yet has what is below it', async () => {
  const { root } = await createLinks();
  expect(() => assertWithin(join(root, 'new/a'), join(root, 'new'))).not.toThrow();
});
