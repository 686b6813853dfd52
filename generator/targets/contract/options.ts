import type { Contract } from '../../contract/contract.ts';
import { parameterSchemas, validatedSchemas } from '../../contract/validated-schemas.ts';
import { boolean, list, oneOf, type SettingCheck } from '../../diagnostics/setting-checks.ts';
import type { WithSchemas } from '../../schema/model.ts';
import { memoize } from '../../execution/memoize.ts';
import type { TargetContext } from '../target.ts';

/** The data files, for other tools and languages: no generated code imports one. */
export const dataFiles = ['openapi', 'asyncapi', 'workflows', 'schemas', 'unstated'] as const;

export type DataFile = (typeof dataFiles)[number];

/** The options of the target `contract`. */
export interface ContractOptions {
  /**
   * The data files that the package has: the bundled documents (`openapi`, `asyncapi`, `workflows`), the JSON Schema of
   * each type (`schemas`) and the ledger (`unstated`). Default: none.
   */
  readonly data?: readonly DataFile[];
  /** Whether schemas that no call and no notification has get validators too. Default: false. */
  readonly validateUnused?: boolean;
}

/** The checks of the options of the target `contract`. */
export const contractOptions: Readonly<Record<keyof ContractOptions, SettingCheck>> = {
  data: list(oneOf(...dataFiles)),
  validateUnused: boolean,
};

/** Returns the schemas that get validators. The result is the same object for the same contract and options. */
export function schemasToValidate(
  contract: Contract,
  { validators, options }: TargetContext<ContractOptions>,
): WithSchemas {
  if (validators === false) return noSchemas;
  return options.validateUnused === true ? withUnused(contract) : validatedSchemas(contract);
}

const withUnused = memoize((contract: Contract): WithSchemas => ({
  schemas: [...contract.schemas, ...parameterSchemas(contract)],
}));

const noSchemas: WithSchemas = { schemas: [] };
