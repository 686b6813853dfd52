import type { ContractRule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';

/** Reports operations that require a body with GET or HEAD, which ignore it (OpenAPI 3.0.4, 4.7.10). */
export const requestBodies: ContractRule = {
  codes: ['ignored-body'],
  *check({ contract }) {
    for (const { id, method, requestBody, pointer } of contract.operations) {
      if (requestBody?.required !== true || (method !== 'GET' && method !== 'HEAD')) continue;
      const message = `The operation ${quote(id)} requires a body, but a ${method} request has none. Its function sends no body.`;
      yield { pointer, message };
    }
  },
};
