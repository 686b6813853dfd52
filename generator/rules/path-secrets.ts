import { cursorAt } from '../documents/places.ts';
import type { ContractRule } from './rule.ts';

/**
 * Checks that a key in the path (`x-in-path`) authenticates notifications only, and by itself: a client has no registered
 * URL, and a signature or a token needs a header.
 */
export const pathSecrets: ContractRule = {
  codes: ['misplaced-path-secret'],
  *check({ contract, documents }) {
    const { operations, defaultSecurity = [] } = contract;
    const calls = [...defaultSecurity, ...operations.flatMap(({ security }) => security)].flat();
    for (const scheme of contract.security) {
      const { id, pointer, in: place, signature, bodySignature, accessToken } = scheme;
      const at = cursorAt(documents, pointer).child('x-in-path');
      if (at.value === undefined) continue;
      const problem =
        place !== 'path'
          ? 'Only a key can be a segment of the path: a scheme of the type `apiKey`, in AsyncAPI `httpApiKey`.'
          : (signature ?? bodySignature ?? accessToken) !== undefined
            ? 'A signature or an access token cannot be a segment of the path.'
            : calls.some((required) => required.scheme === id)
              ? 'A call has no registered URL, so its key cannot be a segment of the path.'
              : undefined;
      if (problem !== undefined) yield { pointer: at.pointer, message: problem };
    }
  },
};
