import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const folder = new URL('../../../../packages/simulator/src/calls/', import.meta.url);
const guide = new URL('../../../../docs/guides/simulator-codes.md', import.meta.url);

test('documents every code of a failed check and of a deviation', async () => {
  const files = await readdir(folder);
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  const source = sources.join('\n');
  const codes = [
    ...source.matchAll(/failed\(\s*'[a-z-]+',\s*'([a-z\d-]+)'/gu),
    ...source.matchAll(/\bcode: '([a-z\d-]+)'/gu),
    ...source.matchAll(/\bfail\('([a-z\d-]+)'/gu),
    // Tables of deviations: a code, and what it means.
    ...source.matchAll(/\[\s*(?:'\$[^']*',\s*)?'([a-z\d]+(?:-[a-z\d]+)+)',\s*['`]/gu),
    ...source.matchAll(/'(?:path|method|body|timestamp)',\s*'([a-z\d-]+-[a-z\d-]+)',/gu),
  ].map(([, code = '']) => code);
  const text = await readFile(guide, 'utf8');
  const documented = new Set([...text.matchAll(/`([a-z\d-]+)`/gu)].map(([, code]) => code));
  expect(codes.length).toBeGreaterThan(50);
  const formats = new Set(['iso-8601', 'unix-seconds', 'hmac-sha256', 'utf-8']);
  expect(codes.filter((code) => !documented.has(code) && !formats.has(code))).toEqual([]);
});
