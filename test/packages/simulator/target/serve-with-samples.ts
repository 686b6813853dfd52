import type { Contract } from '../../../../generator/contract/contract.ts';
import type { Json } from '../../../../generator/json/json.ts';
import { servedContract } from '../../../../packages/simulator/src/target/served-contract.ts';
import type { Service } from '../../../../packages/simulator/src/index.ts';

/** Returns a contract as a service whose schemas accept everything, and have the same samples. */
export function serveWithSamples(contract: Contract, samples: readonly Json[]): Service {
  return {
    ...servedContract(contract),
    samples: {
      bodies: Object.fromEntries(contract.schemas.map(({ name }) => [name, samples])),
      payloads: {},
    },
    unstated: [],
    checks: new Map(),
    parameterChecks: new Map(),
  };
}
