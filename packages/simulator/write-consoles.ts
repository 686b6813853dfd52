/** Runs as a program after the packages were built. It writes the pages of both consoles next to the built files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { bundleConsole as bundleInboxConsole } from '../console/bundle-console.ts';
import { bundleConsole } from './bundle-console.ts';

for (const [folder, bundle] of [
  ['../console/dist/inbox/page/', bundleInboxConsole],
  ['dist/console/page/', bundleConsole],
] as const) {
  const url = new URL(folder, import.meta.url);
  await mkdir(url, { recursive: true });
  for (const [file, text] of await bundle()) await writeFile(new URL(file, url), text);
}
