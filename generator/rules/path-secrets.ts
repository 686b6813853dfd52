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
    for (const { id, pointer, in: place, signature, accessToken } of contract.security) {
      const at = cursorAt(documents, pointer).child('x-in-path');
      if (at.value === undefined) continue;
      const problem =
        place !== 'path'
          ? 'Only a key can be a segment of the path: a scheme of the type `apiKey`, in AsyncAPI `httpApiKey`.'
          : signature !== undefined || accessToken !== undefined
            ? 'A signature or an access token cannot be a segment of the path.'
            : calls.some(({ scheme }) => scheme === id)
              ? 'A call has no registered URL, so its key cannot be a segment of the path.'
              : undefined;
      if (problem !== undefined) yield { pointer: at.pointer, message: problem };
    }
  },
};
