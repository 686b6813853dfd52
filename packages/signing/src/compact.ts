export { createCompactSigner } from './compact-signer.ts';
export { createCompactVerifier } from './compact-verifier.ts';
