// Where node:crypto is, time counts and bytes do not: the names of the small ones stand for the fast ones.
export { createSigner as createCompactSigner } from './signer.ts';
export { createVerifier as createCompactVerifier } from './verifier.ts';
