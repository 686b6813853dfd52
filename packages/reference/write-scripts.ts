/** Runs as a program after the package was built. It writes the scripts of the page next to the built files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleScripts } from './bundle-scripts.ts';

const folder = join(import.meta.dirname, 'dist/page');
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await bundleScripts()))
  await writeFile(join(folder, `${name}.js`), text);
