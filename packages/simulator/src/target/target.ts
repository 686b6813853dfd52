import type { Target } from 'countersign';
import { packageName } from 'countersign/kit';
import { createBuiltIn, emitValidatorModules, startCompiling } from 'countersign/companion/target';
import { planValidators } from 'countersign/companion/validators';
import { emitCode, packageFolder } from './code-files.ts';
import { emitPackageFiles } from './package-files.ts';
import { parameterSchemas } from './parameter-schemas.ts';
import { targetSources } from './target-sources.ts';

const builtIn = createBuiltIn({
  name: 'simulator',
  requires: ['contract'],
  templates: ['package', 'validators', 'simulator'],
  async *emit(contract, context) {
    if (context.validators === false)
      throw new TypeError(
        'The target "simulator" validates calls and payloads. Remove `validators: false`, or the target.',
      );
    // Other schemas have validators in the contract's package, and so has what validators call.
    const parameters = parameterSchemas(contract);
    const plan = planValidators(parameters);
    const functions = startCompiling(plan, context);
    yield* emitPackageFiles(contract, parameters, context);
    yield* emitCode(contract, parameters, context);
    if (plan.units.size > 0)
      yield* emitValidatorModules(
        packageFolder,
        plan.units,
        functions,
        context,
        packageName(context, 'contract'),
      );
  },
});

/** The target for the simulator package: the service that the contract describes, for tests and development. */
export const target: Target = { ...builtIn, fingerprint: targetSources() };
