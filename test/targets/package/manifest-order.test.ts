import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { root } from '../../repository/tree-files.ts';

// Yarn writes a manifest anew with this order, which would count as an edit by hand.
it('manifests list dependencies and peers in the order of their names', async () => {
  let count = 0;
  for await (const path of glob('generated/*/package.json', { cwd: root })) {
    const manifest = JSON.parse(await readFile(root + path, 'utf8')) as Readonly<
      Record<string, object>
    >;
    for (const member of ['dependencies', 'devDependencies', 'peerDependencies']) {
      const names = Object.keys(manifest[member] ?? {});
      expect(names, path).toEqual(names.toSorted());
      count += names.length;
    }
  }
  expect(count).toBeGreaterThan(50);
});
