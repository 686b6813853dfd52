import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frameworks } from '../../generator/targets/printing/frameworks.ts';
import { nodeTypes } from '../../generator/targets/package/node-types.ts';
import { repository } from '../targets/emit-project.ts';

test('the page about compatibility states the versions that packages admit', async () => {
  const page = await readFile(join(repository, 'docs/compatibility.md'), 'utf8');
  const stated = new Map(
    Array.from(
      page.matchAll(/^\| (\S.*?) +\| `([^`]*\d)` +\|$/gmu),
      ([, needed = '', range = '']) => [needed, range.replaceAll('\\|', '|')],
    ),
  );
  const expected = new Map([['`@types/node`', nodeTypes]]);
  for (const { peers = {}, optionalPeers = {} } of Object.values(frameworks))
    for (const [name, range] of Object.entries({ ...optionalPeers, ...peers }))
      expected.set(`\`${name}\``, range);
  for (const [needed, range] of expected)
    expect([needed, stated.get(needed)]).toEqual([needed, range]);
});
