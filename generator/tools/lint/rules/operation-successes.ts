import { hasSuccess } from '../../../contract/outcomes.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { ContractLintRule } from '../rule.ts';

/** Reports operations that declare no success. A call of such an operation rejects whatever the service answers. */
export const operationSuccesses: ContractLintRule = {
  codes: ['operation-without-success'],
  *check({ contract }) {
    for (const operation of contract.operations) {
      if (hasSuccess(operation)) continue;
      const { id, pointer, responses } = operation;
      const hasDefault = responses.some(({ status }) => status === 'default');
      const why = hasDefault ? ' Beside other responses, `default` describes failures.' : '';
      const message = `The operation ${quote(id)} declares no success, so its calls never return.${why}`;
      yield { pointer, message };
    }
  },
};
