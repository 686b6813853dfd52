import type { ViteUserConfig } from 'vitest/config';
import { configureCompanions } from './vitest.config.ts';

/** The tests of one companion among those of `npm test`: `npm run test:companion -- simulator`. */
const companions: ViteUserConfig = configureCompanions(
  {
    console: ['packages/console/**/*.test.ts', '**/console/**/*.test.ts', '**/*console*.test.ts'],
    create: ['packages/create/**/*.test.ts', 'targets/stubs/**/*.test.ts', 'docs/ci.test.ts'],
    diff: ['packages/diff/**/*.test.ts', 'readme/diff.test.ts'],
    inbox: ['packages/{,runtime/}inbox/**/*.test.ts', '**/*inbox*.test.ts'],
    pull: ['packages/pull/**/*.test.ts'],
    reference: ['packages/reference/**/*.test.ts'],
    simulator: ['packages/simulator/**/*.test.ts'],
  },
  ['.slow', '.all'],
);

export default companions;
