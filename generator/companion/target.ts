/** For companions of the same version: what a target of the toolkit is made of, beyond the kit. */
export type { BuiltInContext } from '../targets/built-in-context.ts';
export { createBuiltIn } from '../targets/built-in.ts';
export { nodeTypes } from '../targets/package/node-types.ts';
export { oneLine } from '../targets/package/prose.ts';
export {
  emitValidatorModules,
  startCompiling,
} from '../targets/printing/validators/emit-validators.ts';
export { validatorPath } from '../targets/printing/validators/validator-path.ts';
