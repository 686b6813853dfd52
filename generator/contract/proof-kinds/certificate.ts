import type { ProofFacts } from './facts.ts';

/** The facts of client certificates. */
export const certificate: ProofFacts<'certificate'> = {
  noun: 'the client certificate',
  isOf: ({ type, accessToken }) => type === 'mutualTLS' && accessToken === undefined,
  isCombined: () => true,
  describe: (_, common) => ({ ...common, kind: 'certificate' }),
};
