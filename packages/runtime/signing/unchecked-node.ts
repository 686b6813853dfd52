import * as checked from './checked.ts';
import type * as unchecked from './unchecked.ts';

export type { TimestampPatterns } from './core-parts.ts';
export { writeTimestamp } from './timestamp.ts';
export { timestampPatterns } from './timestamp-pattern.ts';

/** Creates a signer as the main entry does: with node:crypto, clear errors matter more than size. */
export const createSigner: typeof unchecked.createSigner = checked.createSigner;

/** Creates a verifier as the main entry does: with node:crypto, clear errors matter more than size. */
export const createVerifier: typeof unchecked.createVerifier = checked.createVerifier;
