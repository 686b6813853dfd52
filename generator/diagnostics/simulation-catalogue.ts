import type { CatalogueEntry } from './catalogue.ts';

/** The code of a diagnostic that only the simulator reports. */
export type SimulationCode = 'unsupported-workflow';

/** The diagnostics of contracts that are simulated, by code. They do not concern generated code. */
export const simulationCatalogue: Readonly<Record<SimulationCode, CatalogueEntry>> = {
  'unsupported-workflow': {
    severity: 'warning',
    title: 'A workflow uses a feature of Arazzo that the simulator does not run.',
    help: 'Write the workflow without the feature. The simulator runs the other workflows.',
  },
};
