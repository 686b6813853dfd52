import type { Contract, Parameter } from '../../contract/contract.ts';
import { keptExpression, parameterAt, repetitionOf } from '../../contract/repetition.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { type Code, code, joinCode } from '../code.ts';
import { identifier, literalUnion } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import { callsOf } from '../../contract/calls.ts';

/** The choices of one option that a combination of options allows. */
interface Allowed {
  /** The id of the ledger entry. */
  readonly id: string;
  readonly choices: readonly string[];
}

/**
 * Returns the types that options have to match besides their own, for calls that may be repeated only with the same
 * value of a parameter. Each is a union of combinations: either no answer makes the call repeatable, or all attempts
 * carry the same value.
 */
export function dependentOptions(contract: Contract, questions: OpenQuestions): readonly Code[] {
  const types = new Map<string, Code>();
  for (const { operation } of callsOf(contract)) {
    const repetition = repetitionOf(contract, operation);
    const { repeatable } = operation;
    const entry = contract.unstated.find(({ id }) => id === unstatedId(repeatable));
    const expressions =
      repetition.because === 'kept'
        ? [repetition.keeps]
        : repetition.because === 'unstated'
          ? (entry?.choices ?? []).flatMap(({ value }) => keptExpression(value) ?? [])
          : [];
    for (const expression of new Set(expressions)) {
      const parameter = parameterAt(operation, expression);
      const keeping = parameter && keepingChoices(contract, parameter);
      if (keeping?.length === 0) continue;
      const otherChoices = entry?.choices.filter(
        ({ value }) => keptExpression(value) !== expression,
      );
      const combinations = [
        ...(entry === undefined || otherChoices === undefined
          ? []
          : [[{ id: entry.id, choices: otherChoices.map(({ name }) => name) }]]),
        ...(keeping === undefined ? [] : [keeping]),
      ]
        .filter((combination) => combination.every(({ choices }) => choices.length > 0))
        .map((combination) => combinationType(questions, combination));
      // Without a combination, no answer makes the call repeatable, and the client never repeats it.
      if (combinations.length === 0) continue;
      const type = joinCode(combinations, ' | ');
      types.set(type.text, combinations.length > 1 ? code`(${type})` : type);
    }
  }
  return [...types.values()];
}

/**
 * Returns the choices by which all attempts of a call carry the same value of a parameter: an empty list where they
 * always do, `undefined` where they never do.
 */
function keepingChoices(
  { unstated }: Contract,
  { everyRequest }: Parameter,
): readonly Allowed[] | undefined {
  if (everyRequest === undefined) return [];
  const wanted = [
    [everyRequest.value, 'uuid'],
    [everyRequest.retry, 'keep'],
  ] as const;
  const allowed: Allowed[] = [];
  for (const [value, needed] of wanted) {
    const entry = unstated.find(({ id }) => id === unstatedId(value));
    if (entry === undefined) {
      if (value !== needed) return undefined;
      continue;
    }
    const choices = entry.choices.filter((choice) => choice.value === needed);
    if (choices.length < entry.choices.length)
      allowed.push({ id: entry.id, choices: choices.map(({ name }) => name) });
  }
  return allowed;
}

/** Returns the type of options with the allowed choices. An option may be left out if its default is allowed. */
function combinationType(questions: OpenQuestions, combination: readonly Allowed[]): Code {
  const members = combination.flatMap(({ id, choices }) =>
    questions.options
      .filter(({ entry }) => entry.id === id)
      .map(({ name, entry }) => {
        const mark = choices.includes(entry.assumed ?? '') ? code`?` : code``;
        return code`readonly ${identifier(name)}${mark}: ${literalUnion(choices)}`;
      }),
  );
  return code`{ ${joinCode(members, '; ')} }`;
}
