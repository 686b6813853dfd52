import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../target.ts';
import { emitClient } from './client-files.ts';
import { emitOperations } from './operation-files.ts';
import { emitPackageFiles } from './package-files.ts';

const templates = join(
  dirname(fileURLToPath(import.meta.resolve('@countersign/templates/package.json'))),
  'client',
);

/** The package that calls the service: a function for each operation, signed, authorised and typed. */
export const clientTarget: Target = {
  name: 'client',
  requires: ['contract'],
  templates,
  get fingerprint() {
    const here = import.meta.dirname;
    const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js';
    const others = ['code', 'escape', 'jsdoc', 'render', 'contract/types', 'contract/type-schema'];
    const projection = ['json-schema', 'names', 'normalise-schema'];
    return [
      ...readdirSync(here)
        .filter((file) => file.endsWith(extension) && !file.endsWith('.d.ts'))
        .map((file) => join(here, file)),
      ...others.map((file) => join(here, '..', `${file}${extension}`)),
      ...projection.map((file) => join(here, '../../contract', `${file}${extension}`)),
      ...readdirSync(templates).map((file) => join(templates, file)),
    ].toSorted();
  },
  async *emit(contract, context) {
    yield* emitPackageFiles(contract, context);
    yield* emitOperations(contract, context);
    yield* emitClient(contract, context);
  },
};
