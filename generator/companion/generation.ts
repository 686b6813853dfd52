/** For companions of the same version: what is generated of a contract. */
export { emit, emitFiles } from '../emit/emit.ts';
export { resolveTargets } from '../targets/registry.ts';
