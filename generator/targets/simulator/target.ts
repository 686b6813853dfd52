import type { Contract } from '../../contract/contract.ts';
import type { CompiledSchema } from '../../schema/validator-code.ts';
import { ValidatorCompiler } from '../../schema/validator-compiler.ts';
import { planValidators, type ValidatorUnit } from '../../schema/validator-units.ts';
import { createBuiltIn } from '../built-in.ts';
import { emitValidatorModules } from '../contract/validators/emit-validators.ts';
import type { OutputFile, Target, TargetContext } from '../target.ts';
import { emitCode, packageFolder } from './code-files.ts';
import { emitPackageFiles } from './package-files.ts';
import { parameterSchemas } from './parameter-schemas.ts';

/** The target for the simulator package: the service that the contract describes, for tests and development. */
export const simulatorTarget: Target = createBuiltIn({
  name: 'simulator',
  requires: ['contract'],
  templates: ['package', 'validators', 'simulator'],
  async *emit(contract, context) {
    if (context.validators === false)
      throw new TypeError(
        'The target "simulator" validates calls and payloads. Remove `validators: false`, or the target.',
      );
    const functions = compileParameters(contract, context);
    yield* emitPackageFiles(contract, context);
    yield* emitCode(contract, context);
    yield* emitParameterValidators(contract, await functions, context);
  },
});

/** Starts to compile the schemas of parameters. Other schemas have validators in the contract's package. */
function compileParameters(
  contract: Contract,
  { compiler = new ValidatorCompiler() }: TargetContext,
): Promise<ReadonlyMap<ValidatorUnit, CompiledSchema>> {
  const plan = planValidators(parameterSchemas(contract));
  const functions = compiler.compile(plan, plan.units.values());
  // If emitting another file fails first, the result is never awaited: a rejection must not be reported as unhandled.
  functions.catch(() => undefined);
  return functions;
}

function* emitParameterValidators(
  contract: Contract,
  functions: ReadonlyMap<ValidatorUnit, CompiledSchema>,
  context: TargetContext,
): Generator<OutputFile> {
  const { units } = planValidators(parameterSchemas(contract));
  if (units.size > 0) yield* emitValidatorModules(packageFolder, units, functions, context);
}
