/** Runs as a program after the packages were built. It writes the page of the console next to the built files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { bundleConsole } from './bundle-console.ts';

const folder = new URL('dist/console/page/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of await bundleConsole()) await writeFile(new URL(name, folder), text);
