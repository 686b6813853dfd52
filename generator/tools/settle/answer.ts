import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { printable } from '../../diagnostics/printable.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Json } from '../../json/json.ts';
import { choicesOf, insertsValue, type UnstatedEntry } from '../../documents/unstated-entries.ts';
import { CommandError } from '../command-error.ts';
import { createUnknownNameError } from '../unknown-name-error.ts';

/** An answer to an entry of the ledger. */
export interface Answer {
  readonly id: string;
  /** The name of a choice. For an entry without choices, a sentence. */
  readonly text: string;
  /** The choice that the answer adds to those of the entry, or the value that completes a listed one. */
  readonly choice?: OwnChoice;
  /** States that the actions of the listed choice write its value into the contract. */
  readonly isCompleted?: true;
  /** Every place of the entry: both documents can have a copy of a schema. */
  readonly entries: readonly UnstatedEntry[];
}

/** A choice that the contract does not list, or lists without its value. */
export interface OwnChoice {
  readonly value: Json;
  /** Left out where the listed choice states it. */
  readonly meaning?: string;
}

/**
 * Parses answers, such as `time-format=unix-seconds`.
 * @param ownChoice the value and meaning of the one answer, if it is a choice that the entry does not have, or has without
 * its value
 * @throws CommandError `usage` for an unknown entry or choice, an empty answer, or two answers to one entry
 */
export function parseAnswers(
  texts: readonly string[],
  ledger: readonly UnstatedEntry[],
  ownChoice?: OwnChoice,
): readonly Answer[] {
  if (ownChoice !== undefined && texts.length !== 1)
    throw new CommandError('usage', '--value and --meaning are for one answer at a time.');
  const answers = new Map<string, Answer>();
  for (const text of texts) {
    const answer = readAnswer(text, ledger, ownChoice);
    const other = answers.get(answer.id);
    if (other !== undefined && other.text !== answer.text)
      throw new CommandError(
        'usage',
        `There are two answers to ${answer.id}: ${quote(other.text)} and ${quote(answer.text)}.`,
      );
    answers.set(answer.id, answer);
  }
  return [...answers.values()];
}

function readAnswer(
  argument: string,
  ledger: readonly UnstatedEntry[],
  ownChoice: OwnChoice | undefined,
): Answer {
  const [, id = argument, answered = ''] = /^([^=]*)=(.*)$/su.exec(argument) ?? [];
  const entries = ledger.filter((entry) => entry.id === id);
  const [entry] = entries;
  if (entry === undefined)
    throw createUnknownNameError('entry of the ledger', id, [
      ...new Set(ledger.map((ledgerEntry) => ledgerEntry.id)),
    ]);
  const text = answered.trim();
  const choices = choicesOf(entry);
  const isChoice = choices.some(({ name }) => name === text);
  if (ownChoice !== undefined) {
    if (choices.length === 0)
      throw new CommandError(
        'usage',
        `${id} has no choices: answer it with a sentence, without --value.`,
      );
    if (isChoice && insertsValue(entry, text))
      return { id, text, choice: ownChoice, isCompleted: true, entries };
    if (text === '' || isChoice)
      throw new CommandError(
        'usage',
        `--value requires the name of a new choice of ${id}, which ${quote(text)} is not.`,
      );
    if (ownChoice.meaning === undefined)
      throw new CommandError('usage', `--value of a new choice of ${id} requires --meaning.`);
    return { id, text, choice: ownChoice, entries };
  }
  const isIncomplete =
    insertsValue(entry, text) &&
    entry.at.child('choices').child(text).valueIn('value') === undefined;
  if (isChoice && isIncomplete)
    throw new CommandError(
      'usage',
      `${id}=${text} requires --value. ${printable(choices.find(({ name }) => name === text)?.meaning ?? '')}`,
    );
  if (isChoice || (choices.length === 0 && text !== '')) return { id, text, entries };
  throw new CommandError('usage', describeChoices(entry, text));
}

/** Names the choices of an entry, with their meanings, for an answer that is none of them. */
function describeChoices(entry: UnstatedEntry, text: string): string {
  const { id, at } = entry;
  const choices = choicesOf(entry);
  if (choices.length === 0)
    return `${id} has no choices: answer it with a sentence, as \`${id}='…'\`. ${printable(at.text('question') ?? '')}`;
  const names = choices.map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length));
  const head =
    text === ''
      ? `${id} requires an answer.`
      : `There is no choice ${quote(text)} of ${id}. ${didYouMean(text, names) ?? ''}`;
  return [
    `${head.trimEnd()} Its choices are:`,
    ...choices.map(({ name, meaning }) => `  ${name.padEnd(width)}  ${printable(meaning)}`),
  ].join('\n');
}
