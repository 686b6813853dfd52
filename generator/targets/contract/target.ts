import { createBuiltIn } from '../built-in.ts';
import type { Target } from '../target.ts';
import { emitIndex, emitTypes } from './code-files.ts';
import { emitDataFiles } from './data-files.ts';
import { emitFormatTypes, hasFormatGuards } from './format-types.ts';
import { packageFolder } from './layout.ts';
import { emitOpenQuestions } from './open-questions-file.ts';
import { type ContractOptions, contractOptions, schemasToValidate } from './options.ts';
import { emitPackageFiles } from './package-files.ts';
import { planValidators } from '../../validators/validator-units.ts';
import {
  emitKeywords,
  emitValidatorModules,
  startCompiling,
} from '../printing/validators/emit-validators.ts';

/**
 * The target for the contract package: types, validators and open questions; on request the bundled documents, JSON
 * Schemas and the ledger.
 */
export const contractTarget: Target<ContractOptions> = createBuiltIn<ContractOptions>({
  name: 'contract',
  options: contractOptions,
  requires: [],
  templates: ['package', 'contract', 'validators'],
  async *emit(contract, context) {
    const plan = planValidators(schemasToValidate(contract, context));
    const functions = context.validators === false ? undefined : startCompiling(plan, context);
    yield* emitPackageFiles(contract, context);
    yield* emitDataFiles(contract, context.options);
    yield* emitOpenQuestions(contract, context);
    yield* emitFormatTypes(contract, context);
    yield* emitTypes(contract, context);
    // The validators include the expressions of formats.
    if (functions !== undefined)
      yield* emitValidatorModules(packageFolder, plan.units, functions, context);
    else if (hasFormatGuards(contract)) yield* emitKeywords(packageFolder, context);
    yield* emitIndex(contract, context);
  },
});
