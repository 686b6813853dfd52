/**
 * Run as a program when the toolkit has been built: writes beside what was built what is the same for every contract,
 * so that no run of the toolkit has to make it. Without it, a run takes longer and makes the same. And it takes away
 * what was built from sources that are no longer there, which the compiler leaves and npm would publish.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toolkitManifest } from '../execution/toolkit.ts';
import { prepareSchemas, prepareScripts, prepareTemplates } from './prepare.ts';
import { resolveTargets, targetNames } from './registry.ts';
import { templateFiles } from './template-files.ts';

const toolkit = dirname(toolkitManifest());
for (const file of readdirSync(join(toolkit, 'dist'), { recursive: true, encoding: 'utf8' })) {
  const source = join(toolkit, file.replace(/(?:\.d)?\.[jt]s$/u, '.ts'));
  if (/\.[jt]s$/u.test(file) && !existsSync(source)) rmSync(join(toolkit, 'dist', file));
}

const folder = join(toolkit, 'dist/targets/prepared');
const targets = await resolveTargets(targetNames);
const texts = targets
  .flatMap(templateFiles)
  .map((path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'templates.js'), prepareTemplates(new Set(texts)));
writeFileSync(join(folder, 'scripts.js'), await prepareScripts());

const schemas = join(toolkit, 'dist/schema/prepared');
mkdirSync(schemas, { recursive: true });
for (const [file, text] of prepareSchemas()) writeFileSync(join(schemas, file), text);
