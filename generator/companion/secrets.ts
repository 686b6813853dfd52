/** For companions of the same version: secrets of the environment. */
export { readSecret } from '../cli/read-secret.ts';
export {
  headerVariable,
  publicKeyVariable,
  secretHeader,
  secretVariable,
} from '../targets/printing/secret-variables.ts';
