import { createBuiltIn } from '../built-in.ts';
import type { Target } from '../target.ts';
import { emitFormats, emitIndex, emitTypes, emitValidators } from './code-files.ts';
import { emitDataFiles } from './data-files.ts';
import { emitFormatTypes } from './format-types.ts';
import { emitPackageFiles } from './package-files.ts';
import { planValidators } from '../../schema/validator-units.ts';
import { startCompiling } from './validators/emit-validators.ts';

/** The target for the contract package: types, validators, JSON Schemas, the bundled documents and the ledger. */
export const contractTarget: Target = createBuiltIn({
  name: 'contract',
  requires: [],
  templates: ['package', 'contract', 'validators'],
  async *emit(contract, context) {
    const functions =
      context.validators === false ? undefined : startCompiling(planValidators(contract), context);
    yield* emitPackageFiles(contract, context);
    yield* emitDataFiles(contract);
    yield* emitFormatTypes(contract, context);
    yield* emitTypes(contract, context);
    if (functions === undefined) yield* emitFormats(contract, context);
    else yield* emitValidators(contract, functions, context);
    yield emitIndex(contract, context);
  },
});
