import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../target.ts';
import { emitCode } from './code-files.ts';
import { emitPackageFiles } from './package-files.ts';

const templates = join(
  dirname(fileURLToPath(import.meta.resolve('@countersign/templates/package.json'))),
  'webhooks',
);

/** The package that receives notifications: authenticated, identified, validated, typed. */
export const webhooksTarget: Target = {
  name: 'webhooks',
  requires: ['contract'],
  templates,
  get fingerprint() {
    const here = import.meta.dirname;
    const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js';
    const others = ['code', 'escape', 'jsdoc', 'render', 'contract/package-files'];
    return [
      ...readdirSync(here)
        .filter((file) => file.endsWith(extension) && !file.endsWith('.d.ts'))
        .map((file) => join(here, file)),
      ...others.map((file) => join(here, '..', `${file}${extension}`)),
      join(here, '../../contract', `names${extension}`),
      ...readdirSync(templates).map((file) => join(templates, file)),
    ].toSorted();
  },
  *emit(contract, context) {
    yield* emitPackageFiles(contract, context);
    yield* emitCode(contract, context);
  },
};
