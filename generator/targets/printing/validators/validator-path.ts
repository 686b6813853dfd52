import { modulePath } from '../modules.ts';

/** Returns the path of a module of validators in its package, without its ending. */
export function validatorPath(module: string | undefined): string {
  return modulePath('runtime/validators', module);
}
