import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { prepareTemplates } from '../../generator/targets/prepare.ts';
import { findPreparedTemplates, preparedKey } from '../../generator/targets/prepared.ts';
import { installedTargets } from '../../generator/targets/registry.ts';
import { templateFiles } from '../../generator/targets/template-files.ts';
import { importModule } from './import-module.ts';

/** The texts of the templates of all targets. */
async function templateTexts(): Promise<readonly string[]> {
  const paths = (await installedTargets()).flatMap(templateFiles);
  return await Promise.all(Array.from(new Set(paths), (path) => readFile(path, 'utf8')));
}

test('what is made when the toolkit is built has every template of the targets', async () => {
  const texts = await templateTexts();
  const table = await importModule<Record<string, unknown>>(prepareTemplates(texts));
  expect(Object.keys(table).toSorted()).toEqual([...new Set(texts.map(preparedKey))].toSorted());
});

test('no template is prepared from source', async () => {
  const [text = ''] = await templateTexts();
  expect(text).not.toBe('');
  expect(findPreparedTemplates()(text)).toBeUndefined();
});
