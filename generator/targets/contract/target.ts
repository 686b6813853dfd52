import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../target.ts';
import { emitIndex, emitTypes, emitValidators } from './code-files.ts';
import { emitDataFiles } from './data-files.ts';
import { emitPackageFiles } from './package-files.ts';

const templates = join(
  dirname(fileURLToPath(import.meta.resolve('@countersign/templates/package.json'))),
  'contract',
);

/** The package with the contract itself: types, validators, JSON Schemas, the bundled documents, the ledger. */
export const contractTarget: Target = {
  name: 'contract',
  requires: [],
  templates,
  get fingerprint() {
    const here = import.meta.dirname;
    const shared = ['code', 'escape', 'jsdoc', 'render'].map((file) => `../${file}`);
    const projection = ['formats', 'json-schema', 'normalise-schema'].map(
      (file) => `../../contract/${file}`,
    );
    const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js';
    return [
      ...readdirSync(here)
        .filter((file) => file.endsWith(extension) && !file.endsWith('.d.ts'))
        .map((file) => join(here, file)),
      ...[...shared, ...projection].map((file) => join(here, `${file}${extension}`)),
      ...readdirSync(templates).map((file) => join(templates, file)),
    ].toSorted();
  },
  async *emit(contract, context) {
    yield* emitPackageFiles(contract, context);
    yield* emitDataFiles(contract);
    yield* emitTypes(contract, context);
    yield* emitValidators(contract, context);
    yield emitIndex(contract, context);
  },
};
