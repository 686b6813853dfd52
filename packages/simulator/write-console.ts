/** Runs as a program after the packages were built. It writes the pages of the consoles next to the built files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { bundleConsole } from './bundle-console.ts';

for (const name of ['simulator', 'inbox'] as const) {
  const folder = new URL(`dist/console/${name}-page/`, import.meta.url);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of await bundleConsole(name))
    await writeFile(new URL(file, folder), text);
}
