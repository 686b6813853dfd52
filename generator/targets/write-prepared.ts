/**
 * Runs as a program after the toolkit was built. It writes results that are the same for every contract next to the
 * built files, so that runs of the toolkit need not produce them. Without these results, a run has the same output and
 * takes longer. It also deletes files that were built from deleted sources, because the compiler keeps them and npm
 * would publish them.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  createEditorSchemas,
  editorSchemaLicenses,
} from '../contract/vocabulary/editor-schemas.ts';
import { apacheLicense, readPublishedSchemas } from '../contract/vocabulary/published-schemas.ts';
import { toolkitManifest } from '../execution/toolkit.ts';
import { preparedRecheck, recheckModule } from '../patterns/recheck.ts';
import { prepareSchemas, prepareTemplates } from './prepare.ts';
import { installedTargets } from './registry.ts';
import { templateFiles } from './template-files.ts';

const toolkit = dirname(toolkitManifest());
for (const file of readdirSync(join(toolkit, 'dist'), { recursive: true, encoding: 'utf8' })) {
  const source = join(toolkit, file.replace(/(?:\.d)?\.[jt]s$/u, '.ts'));
  if (/\.[jt]s$/u.test(file) && !existsSync(source)) rmSync(join(toolkit, 'dist', file));
}

const folder = join(toolkit, 'dist/targets/prepared');
const texts = (await installedTargets())
  .flatMap(templateFiles)
  .map((path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'templates.js'), prepareTemplates(new Set(texts)));

const schemas = join(toolkit, 'dist/validators/prepared');
mkdirSync(schemas, { recursive: true });
for (const [file, text] of prepareSchemas()) writeFileSync(join(schemas, file), text);

// Modelines and editor settings of projects name these files, so they are not in dist/.
const forEditors = join(toolkit, 'schemas');
mkdirSync(forEditors, { recursive: true });
for (const [file, schema] of Object.entries(createEditorSchemas(readPublishedSchemas())))
  writeFileSync(join(forEditors, file), `${JSON.stringify(schema)}\n`);
copyFileSync(apacheLicense(), join(forEditors, 'LICENSE-Apache-2.0.txt'));
writeFileSync(join(forEditors, 'LICENSES.md'), editorSchemaLicenses);

// recheck's package would bring 52 MB of native code into every installation.
const patterns = join(toolkit, 'dist/patterns/prepared');
mkdirSync(patterns, { recursive: true });
const recheck = createRequire(import.meta.url).resolve(recheckModule);
copyFileSync(recheck, join(patterns, preparedRecheck));
copyFileSync(join(dirname(recheck), '../LICENSE'), join(patterns, 'recheck.LICENSE'));
