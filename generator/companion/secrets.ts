/** For companions of the same version: variables of the environment, and their secrets. */
export { readSecret } from '../cli/read-secret.ts';
export { toEnvironmentName } from '../contract/names.ts';
export {
  headerVariable,
  publicKeyVariable,
  secretHeader,
  secretVariable,
} from '../targets/printing/secret-variables.ts';
