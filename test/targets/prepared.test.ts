import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { prepareScripts, prepareTemplates } from '../../generator/targets/prepare.ts';
import { findPrepared, preparedKey } from '../../generator/targets/prepared.ts';
import { bundleScripts } from '../../generator/targets/reference/bundle-scripts.ts';
import { scriptText } from '../../generator/targets/reference/page-script.ts';
import { resolveTargets, targetNames } from '../../generator/targets/registry.ts';
import { templateFiles } from '../../generator/targets/template-files.ts';
import { importModule } from './import-module.ts';

describe('what is made when the toolkit is built', () => {
  test('has the scripts of the page as they are bundled now', async () => {
    const table = await importModule<Record<string, unknown>>(await prepareScripts());
    expect(table).toEqual({ [preparedKey(scriptText())]: await bundleScripts() });
  });

  test('has every template of the targets', async () => {
    const paths = (await resolveTargets(targetNames)).flatMap(templateFiles);
    const texts = await Promise.all(Array.from(new Set(paths), (path) => readFile(path, 'utf8')));
    const table = await importModule<Record<string, unknown>>(prepareTemplates(texts));
    expect(Object.keys(table).toSorted()).toEqual([...new Set(texts.map(preparedKey))].toSorted());
  });

  test('is not there from source', () => {
    expect(findPrepared('scripts')(scriptText())).toBeUndefined();
  });
});
