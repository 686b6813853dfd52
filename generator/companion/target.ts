/** For companions of the same version: what a target of the toolkit is made of, beyond the kit. */
export type { BuiltInContext } from '../targets/built-in-context.ts';
export { createBuiltIn } from '../targets/built-in.ts';
export { visible } from '../targets/escape.ts';
export { describeProtocols, describeSender } from '../targets/messages.ts';
export { nodeTypes } from '../targets/package/node-types.ts';
export { addCommand, addsFolders } from '../targets/package/package-files.ts';
export { firstSentence, oneLine } from '../targets/package/prose.ts';
export {
  emitValidatorModules,
  startCompiling,
} from '../targets/printing/validators/emit-validators.ts';
export { validatorPath } from '../targets/printing/validators/validator-path.ts';
