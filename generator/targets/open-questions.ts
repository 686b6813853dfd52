import { unstatedId } from '../contract/unstated-id.ts';
import type { Contract, OrUnstated, Unstated } from '../contract/contract.ts';
import type { Json } from '../json/json.ts';
import { code, imported, type Code } from './code.ts';
import { identifier, literal, literalUnion, object } from './escape.ts';
import { jsdoc } from './jsdoc.ts';

/** An option that answers a question of the ledger, as an interface and a README show it. */
export interface AskedOption {
  readonly name: string;
  /** The type of the option: a union of the names of its choices. */
  readonly type: Code;
  readonly optional: boolean;
  readonly entry: Unstated;
}

/** The questions of the ledger that an interface of generated code has options for. */
export class OpenQuestions {
  readonly #contract: Contract;
  readonly #optionNames: ReadonlySet<string>;
  readonly #asked = new Set<string>();

  /** @param optionNames names of options that the interface has already */
  constructor(contract: Contract, optionNames: readonly string[]) {
    this.#contract = contract;
    this.#optionNames = new Set(optionNames);
  }

  /** The options for the questions that were used so far, in the order of the ledger. */
  get options(): readonly AskedOption[] {
    return this.#contract.unstated
      .filter(({ id }) => this.#asked.has(id))
      .map((entry) => ({
        name: this.#nameOf(entry),
        type: literalUnion(entry.choices.map(({ name }) => name)),
        optional: entry.assumed !== undefined,
        entry,
      }));
  }

  /** Returns a value as code: the stated value, or an expression that selects a choice by `options`. */
  valueOf<T extends Json>(value: OrUnstated<T>, toCode: ToCode<T> = literal): Code {
    const entry = this.#ask(value);
    return entry === undefined ? toCode(value as T) : this.#answer(entry, toCode);
  }

  /** Returns a value as code: the stated value, or the member of `answers` that has the answer. */
  answerOf<T extends Json>(value: OrUnstated<T>): Code {
    const entry = this.#ask(value);
    return entry === undefined
      ? literal(value as T)
      : code`answers.${identifier(this.#nameOf(entry))}`;
  }

  /** Returns the answers to the questions that were used so far, by the names of their options. */
  answers(): readonly (readonly [name: string, answer: Code])[] {
    return this.options.map(({ name, entry }) => [name, this.#answer(entry, literal)]);
  }

  /** Returns an answer for each option that has no default, for examples: its first choice. */
  required(): readonly (readonly [name: string, answer: Code])[] {
    return this.options
      .filter(({ optional }) => !optional)
      .map(({ name, entry }) => [name, literal(entry.choices[0]?.name ?? '')]);
  }

  /** Returns the options as members of an interface. Their comments name the entries, without their texts. */
  members(): readonly Code[] {
    const { sourceDocument } = this.#contract.info;
    return this.options.map(({ name, type, optional, entry }) => {
      const comment = jsdoc({ questions: [entry], source: entry.source, sourceDocument });
      return code`${comment}\nreadonly ${identifier(name)}${optional ? code`?` : code``}: ${type};`;
    });
  }

  /**
   * Returns the options as rows of a table.
   * @param described ids of entries whose question the page has elsewhere
   */
  rows(described: ReadonlySet<string> = new Set()): readonly object[] {
    return this.options.map(({ name, entry }) => ({
      name,
      id: entry.id,
      question: described.has(entry.id) ? undefined : entry.question,
      choices: entry.choices.map((choice) => choice.name).join(', '),
      assumed: entry.assumed ?? 'none: it has to be given',
    }));
  }

  #nameOf({ optionName }: Unstated): string {
    return this.#optionNames.has(optionName) ? `${optionName}Answer` : optionName;
  }

  #ask(value: unknown): Unstated | undefined {
    const id = unstatedId(value);
    const entry = this.#contract.unstated.find((candidate) => candidate.id === id);
    if (entry !== undefined) this.#asked.add(entry.id);
    return entry;
  }

  #answer<T extends Json>(entry: Unstated, toCode: ToCode<T>): Code {
    const option = this.#nameOf(entry);
    const choices = entry.choices.map(({ name, value }) => [name, toCode(value as T)] as const);
    const areNames = choices.every(([name, value]) => value.text === literal(name).text);
    const listed = areNames ? literal(choices.map(([name]) => name)) : object(choices);
    const assumed = entry.assumed === undefined ? code`` : code`, ${literal(entry.assumed)}`;
    return code`${imported('choose')}(options, ${literal(option)}, ${listed}${assumed})`;
  }
}

type ToCode<T> = (value: T) => Code;
