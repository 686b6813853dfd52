import { toCommandError } from '../../command-error.ts';
import { importSending } from '../sending.ts';
import type { RequestSigner } from './signer.ts';

/**
 * Writes a signature into the body.
 * @throws CommandError `not-signable`
 */
export const signInBody: RequestSigner = async (_, { body }, { security, key }) => {
  if (security.bodyScheme === undefined) return {};
  const { createSignBody } = await importSending();
  try {
    return { body: createSignBody(security.id, security.bodyScheme, key)(body) };
  } catch (error) {
    throw toCommandError(error);
  }
};
