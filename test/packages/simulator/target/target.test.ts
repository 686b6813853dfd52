import { expect, it } from 'vitest';
import { contractTarget } from '../../../../generator/targets/contract/target.ts';
import { target } from '../../../../packages/simulator/src/target/target.ts';
import { emitFiles, scope } from '../../../targets/emit-project.ts';
import { openapi, readLibrary } from './library.ts';

it('the package has no copy of what the package of the contract has', async () => {
  const contract = await readLibrary({ openapi });
  const ofContract = await emitFiles(contractTarget, contract);
  const files = await emitFiles(target, contract);
  const code = [...files].filter(([path]) => /\.[jt]s$/u.test(path));
  expect(code.map(([path]) => path.replace(/^simulator\//u, '')).toSorted()).toEqual([
    'runtime/validators.d.ts',
    'runtime/validators.js',
    'src/data.ts',
    'src/index.ts',
    'src/service.ts',
  ]);

  const manifest = JSON.parse(ofContract.get('contract/package.json') ?? '') as {
    exports: Record<string, unknown>;
  };
  const imported = code.flatMap(([, text]) =>
    Array.from(text.matchAll(/ from ["'](@trade[^"']*)["']/gu), ([, name = '']) => name),
  );
  expect(imported).toContain(`${scope}/contract/runtime/keywords.js`);
  for (const name of imported)
    expect(Object.keys(manifest.exports)).toContain(name.replace(`${scope}/contract`, '.'));
});
