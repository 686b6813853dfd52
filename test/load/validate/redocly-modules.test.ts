import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import * as redocly from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import {
  importTypes,
  importWalk,
  redoclyVersion,
} from '../../../generator/load/validate/redocly-modules.ts';

const advice = `\`generator/load/validate/redocly-modules.ts\` imports single modules of Redocly ${redoclyVersion}. For another version, check that each module in that file still exists, that \`makeBundleVisitor\` has the same options as in Redocly's \`lib/bundle/bundle-document.js\`, and that the tests of \`test/load\` and \`test/specification\` pass. Then change \`redoclyVersion\`.`;

test('the modules of Redocly are imported from the version that they were written for', async () => {
  const entry = createRequire(import.meta.url).resolve('@redocly/openapi-core');
  const manifest: unknown = JSON.parse(
    await readFile(join(dirname(entry), '../package.json'), 'utf8'),
  );
  expect(manifest, advice).toMatchObject({ version: redoclyVersion });
});

test('single modules export the same as the entry point', async () => {
  const { BaseResolver, Source, resolveDocument, walkDocument, normalizeVisitors, normalizeTypes } =
    await importWalk();
  expect(BaseResolver).toBe(redocly.BaseResolver);
  expect(Source).toBe(redocly.Source);
  expect(resolveDocument).toBe(redocly.resolveDocument);
  expect(walkDocument).toBe(redocly.walkDocument);
  expect(normalizeVisitors).toBe(redocly.normalizeVisitors);
  expect(normalizeTypes).toBe(redocly.normalizeTypes);
  for (const version of ['oas3_0', 'oas3_1', 'oas3_2', 'async3', 'arazzo1', 'arazzo1_1'] as const) {
    expect(await importTypes(version)).toBe(redocly.getTypes(version));
  }
});
