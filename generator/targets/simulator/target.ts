import { planValidators } from '../../validators/validator-units.ts';
import { createBuiltIn } from '../built-in.ts';
import { emitValidatorModules, startCompiling } from '../printing/validators/emit-validators.ts';
import type { Target } from '../target.ts';
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
    // Other schemas have validators in the contract's package.
    const parameters = parameterSchemas(contract);
    const plan = planValidators(parameters);
    const functions = startCompiling(plan, context);
    yield* emitPackageFiles(contract, parameters, context);
    yield* emitCode(contract, parameters, context);
    if (plan.units.size > 0)
      yield* emitValidatorModules(packageFolder, plan.units, functions, context);
  },
});
