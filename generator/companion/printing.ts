/** For companions of the same version: what targets print of clients, receivers and their handlers. */
export { formatFile, formatOwnedFile } from '../targets/format.ts';
export type { AskedOption } from '../targets/open-questions.ts';
export { runtimeNames } from '../targets/package/runtime-names.ts';
export { coveredMembers, describeBodySignatures } from '../targets/printing/body-signature-code.ts';
export { describeCombination } from '../targets/printing/certificate-code.ts';
export { exampleOf } from '../targets/printing/client-example.ts';
export {
  type ClientOptions,
  clientOptions,
  nestedArraysOf,
} from '../targets/printing/client-options.ts';
export { describeConnection } from '../targets/printing/connection-code.ts';
export { planDecorators } from '../targets/printing/decorators.ts';
export { styleOf, type Styles, stylesOf } from '../targets/printing/operation-data.ts';
export { describeExample } from '../targets/printing/receiver-example.ts';
export { receiverQuestions } from '../targets/printing/receiver-questions.ts';
export { repetitionNote } from '../targets/printing/repetition-note.ts';
export {
  describeSecrets,
  pathSecretWarning,
  type SecretCode,
  secretForTests,
  secretWarning,
} from '../targets/printing/secret-code.ts';
export { describeSignatures, type SignatureCode } from '../targets/printing/signature-code.ts';
export { signedPartWords } from '../targets/printing/signature-recipe.ts';
export {
  bodySignatureStrategyCode,
  secretStrategyCode,
  sharedSecretCode,
  signatureStrategyCode,
  type StrategyCode,
} from '../targets/printing/strategy-code.ts';
export type { Render } from '../targets/render.ts';
