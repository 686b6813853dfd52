import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { bundleScripts } from '../../../packages/reference/bundle-scripts.ts';
import { pageScripts, pageSources } from '../../../packages/reference/src/page-files.ts';

test('the scripts of the page are bundled from their sources', async () => {
  const scripts = await pageScripts();
  expect(scripts).toEqual(await bundleScripts());
  expect(scripts.theme.length).toBeLessThan(scripts.main.length);
});

test('each file that can change the page can be read', async () => {
  const sources = pageSources();
  const names = sources.map((path) => basename(path));
  expect(names).toEqual(
    expect.arrayContaining(['target.ts', 'main.ts', 'theme.ts', 'core.ts', 'index.ts']),
  );
  for (const path of sources) expect(await readFile(path, 'utf8'), path).not.toBe('');
});
