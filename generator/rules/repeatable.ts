import { vocabularyPlaces } from '../documents/declared-vocabulary.ts';
import { choicesOf, unstatedEntries } from '../documents/unstated-entries.ts';
import { keptExpression, parameterAt, repetitionOf } from '../contract/repetition.ts';
import type { Contract, Parameter, Unstated } from '../contract/contract.ts';
import { unstatedId } from '../contract/unstated-id.ts';
import { isWithin, toPointer, type Pointer } from '../json/pointer.ts';
import type { ContractRule, Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';

/** Checks that no assumption of the ledger makes a call repeatable: a repeated call could, for example, pay twice. */
export const assumedRepetition: Rule = {
  codes: ['invalid-extension'],
  *check({ documents }) {
    const questions = new Set(
      vocabularyPlaces(documents).flatMap((place) => place.text('x-repeatable', 'unstated') ?? []),
    );
    if (questions.size === 0) return;
    for (const entry of unstatedEntries(documents)) {
      const assumed = entry.at.child('assumed');
      const choice = choicesOf(entry).find(({ name }) => name === assumed.text());
      const { value = false } = choice ?? {};
      if (!questions.has(entry.id) || value === false) continue;
      yield {
        pointer: assumed.pointer,
        message: `${quote(entry.id)} assumes that a call may be repeated, because "x-repeatable" refers to it.`,
        help: 'Assume the choice with the value `false`, or remove `assumed`. Only `settled` makes a call repeatable.',
      };
    }
  },
};

/**
 * Checks each call that may be repeated only with the same value of a parameter: it has the parameter, and its attempts
 * can carry the same value.
 */
export const keptValues: ContractRule = {
  codes: ['unkept-value', 'undeclared-name'],
  *check({ contract }) {
    for (const operation of contract.operations) {
      const { pointer, repeatable } = operation;
      const { because } = repetitionOf(contract, operation);
      const isDeciding = because === 'kept' || because === 'unstated';
      const open = contract.unstated.find(({ id }) => id === unstatedId(repeatable));
      const at = toPointer(pointer, 'x-repeatable');
      for (const value of open?.choices.map((choice) => choice.value) ?? [repeatable]) {
        const keeps = keptExpression(value);
        if (keeps === undefined) continue;
        const parameter = parameterAt(operation, keeps);
        if (parameter === undefined) {
          // An answer can select all calls. An idempotent one is repeated without the parameter.
          if (!isDeciding) continue;
          yield {
            code: 'undeclared-name',
            pointer: at,
            message: `The call may be repeated only with the same value of ${quote(keeps)}, but it has no such parameter.`,
            help: 'Declare the parameter, or correct the expression.',
          };
        } else if (open === undefined && isRenewed(parameter))
          yield renewed(contract, at, keeps, parameter);
      }
    }
  },
};

/** Returns whether each attempt of a call carries another value of a parameter, whatever is answered. */
function isRenewed({ everyRequest }: Parameter): boolean {
  return everyRequest?.value === 'timestamp' || everyRequest?.retry === 'renew';
}

/** Describes a call that could be repeated only with a value that its attempts do not keep. */
function renewed(
  contract: Contract,
  at: Pointer,
  keeps: string,
  parameter: Parameter,
): { readonly pointer: Pointer; readonly message: string; readonly help: string } {
  const repeats = answerAt(contract, at);
  const renews = answerAt(contract, toPointer(parameter.pointer, 'x-every-request'));
  const [first, second] = [
    repeats === undefined ? 'The contract declares' : `The answer ${quoteAnswer(repeats)} declares`,
    renews === undefined ? '`x-every-request`' : `the answer ${quoteAnswer(renews)}`,
  ];
  return {
    pointer: repeats === undefined ? at : toPointer(repeats.pointer, 'settled'),
    message: `${first} that a call may be repeated only with the same value of ${quote(keeps)}, but by ${second} every attempt carries a new one.`,
    help: 'Keep the value in all attempts of a call, or remove `x-repeatable`.',
  };
}

/** Returns the settled entry of the ledger that wrote a place or a part of it. */
function answerAt({ unstated }: Contract, place: Pointer): Unstated | undefined {
  return unstated.find(
    ({ settled, answers }) =>
      settled !== undefined &&
      answers.some((pointer) => isWithin(pointer, place) || isWithin(place, pointer)),
  );
}

function quoteAnswer({ id, settled = '' }: Unstated): string {
  return `${quote(settled)} to ${quote(id)}`;
}
