/**
 * Runs as a program, as part of `npm run generate`. Writes `types.ts`, the TypeScript types of `schema.json`. With
 * `--check`, it writes nothing, and exits with 1 if the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { printTypes } from './print-types.ts';
import schema from './schema.json' with { type: 'json' };

const path = new URL('types.ts', import.meta.url);
const text = await printTypes(schema);
if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8').replaceAll('\r\n', '\n') !== text) {
  process.stderr.write(
    'The types of the vocabulary differ from its schema. Run `npm run generate`.\n',
  );
  process.exitCode = 1;
}
