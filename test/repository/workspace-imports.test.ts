import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { filesOf, root } from './tree-files.ts';

/** A static import of values from another package of the workspace, on one line or several. */
const ofValues = /^(?:import|export) (?!type\b)[^;'"=]*'(?<name>@countersign\/[^']+)';$/gmu;

it('the toolkit imports what may not have been built by fromSource alone', async () => {
  const found: string[] = [];
  // These entries of `countersign` are loaded by their users, and by nothing of the toolkit.
  const doors = ['entries/console.ts', 'entries/simulator.ts'];
  const files = filesOf('generator').filter(
    (file) => file.endsWith('.ts') && !doors.includes(file),
  );
  for (const file of files)
    for (const { groups } of (await readFile(`${root}generator/${file}`, 'utf8')).matchAll(
      ofValues,
    ))
      found.push(`${file}: ${groups?.['name']}`);
  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

it.each([
  "import { a } from '@countersign/runtime/base';",
  "import {\n  a,\n  type B,\n} from '@countersign/simulator';",
  "export { a } from '@countersign/console';",
  "import '@countersign/console';",
])('the search finds %s', (text) => {
  expect(text.match(ofValues)).toHaveLength(1);
});
