import { createBuiltIn } from '../built-in.ts';
import type { Target, TargetContext } from '../target.ts';
import { emitFormats, emitIndex, emitTypes, emitValidators } from './code-files.ts';
import { emitDataFiles } from './data-files.ts';
import { emitFormatTypes } from './format-types.ts';
import { emitPackageFiles } from './package-files.ts';
import type { Contract } from '../../contract/contract.ts';
import { ValidatorCompiler } from '../../schema/validator-compiler.ts';
import { planValidators } from '../../schema/validator-units.ts';

/** The target for the contract package: types, validators, JSON Schemas, the bundled documents and the ledger. */
export const contractTarget: Target = createBuiltIn({
  name: 'contract',
  requires: [],
  templates: ['package', 'contract', 'validators'],
  async *emit(contract, context) {
    const functions = context.validators === false ? undefined : compileAll(contract, context);
    yield* emitPackageFiles(contract, context);
    yield* emitDataFiles(contract);
    yield* emitFormatTypes(contract, context);
    yield* emitTypes(contract, context);
    if (functions === undefined) yield* emitFormats(contract, context);
    else yield* emitValidators(contract, functions, context);
    yield emitIndex(contract, context);
  },
});

/** Starts to compile every schema, so that a thread works while other files are emitted. */
function compileAll(
  contract: Contract,
  { compiler = new ValidatorCompiler() }: TargetContext,
): ReturnType<ValidatorCompiler['compile']> {
  const plan = planValidators(contract);
  const functions = compiler.compile(plan, plan.units.values());
  // If emitting another file fails first, the result is never awaited: a rejection must not be reported as unhandled.
  functions.catch(() => undefined);
  return functions;
}
