import { createBuiltIn } from '../built-in.ts';
import type { Target } from '../target.ts';
import { emitFormats, emitIndex, emitTypes, emitValidators } from './code-files.ts';
import { emitDataFiles } from './data-files.ts';
import { emitFormatTypes } from './format-types.ts';
import { emitPackageFiles } from './package-files.ts';
import { planModules } from './validators/validator-plan.ts';

/** The package with the contract itself: types, validators, JSON Schemas, the bundled documents, the ledger. */
export const contractTarget: Target = createBuiltIn({
  name: 'contract',
  requires: [],
  templates: ['package', 'contract'],
  async *emit(contract, context) {
    const plan = context.validators === false ? undefined : planModules(contract);
    yield* emitPackageFiles(contract, context);
    yield* emitDataFiles(contract);
    yield* emitFormatTypes(contract, context);
    yield* emitTypes(contract, context);
    if (plan === undefined) yield* emitFormats(contract, context);
    else yield* emitValidators(contract, plan, context);
    yield emitIndex(contract, context);
  },
});
