// With node:crypto, speed matters more than size: the compact names are aliases of the fast implementations.
export { createSigner as createCompactSigner } from './signer.ts';
export { createVerifier as createCompactVerifier } from './verifier.ts';
