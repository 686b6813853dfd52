import type { Contract } from '../../../contract/contract.ts';
import { parameterSchemas, validatedSchemas } from '../../../contract/validated-schemas.ts';
import { planValidators } from '../../../validators/validator-units.ts';
import { validatorPath } from './validator-path.ts';

/**
 * Returns the modules of the contract's package with validators of parameters, relative to the package: none or one,
 * which the client imports.
 */
export function parameterModules(contract: Contract): readonly string[] {
  const modules = parameterSchemas(contract).map(({ module }) => `${validatorPath(module)}.js`);
  return [...new Set(modules)];
}

/** Returns the names of the functions that validate parameters, by the names of their schemas. */
export function parameterValidators(contract: Contract): ReadonlyMap<string, string> {
  const { units } = planValidators(validatedSchemas(contract));
  return new Map(
    parameterSchemas(contract).map(({ name }) => [name, units.get(name)?.functionName ?? '']),
  );
}
