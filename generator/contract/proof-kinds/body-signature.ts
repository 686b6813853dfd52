import { toTypeName } from '../names.ts';
import type { ProofFacts } from './facts.ts';

/** The facts of signatures over members of the body. */
export const bodySignature: ProofFacts<'body-signature'> = {
  noun: 'the signature in the body',
  isOf: (scheme) => scheme.bodySignature !== undefined,
  isCombined: () => true,
  credentialOf: (scheme) => scheme.bodySignature?.key.credential,
  isInBody: true,
  describe: ({ name, bodySignature: { over } = { over: [] } }, common) => ({
    ...common,
    kind: 'body-signature',
    signer: `create${toTypeName(name)}Signer`,
    constant: `scheme${toTypeName(name)}`,
    covered: over.map((part) => (typeof part === 'string' ? part : part.member)),
  }),
};
