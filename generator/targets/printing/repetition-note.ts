import type { Contract, Operation } from '../../contract/contract.ts';
import { repetitionOf } from '../../contract/repetition.ts';

/** Returns a note on when the client repeats a call; `undefined` for idempotent methods, where repeating is usual. */
export function repetitionNote(contract: Contract, operation: Operation): string | undefined {
  const repetition = repetitionOf(contract, operation);
  switch (repetition.because) {
    case 'idempotent':
      return undefined;
    case 'token':
      return 'A client calls it by itself, when a call needs a token. Repeated after a failure: the client uses the last token that it receives.';
    case 'stated':
      return 'Repeated after a failure: the contract states that it is repeatable.';
    case 'kept':
      return `Repeated after a failure only if all attempts carry the same value of \`${repetition.keeps}\`, or with \`repeatable: true\`.`;
    case 'unstated':
      return `Repeated after a failure only where the answer to \`${repetition.unstated}\` allows it, or with \`repeatable: true\`.`;
    default:
      return 'Not repeated after a failure, unless called with `repeatable: true`.';
  }
}
