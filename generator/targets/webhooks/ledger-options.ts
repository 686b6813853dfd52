import type { Contract, OrUnstated, Unstated } from '../../contract/contract.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import type { Json } from '../../json.ts';

/** Questions of the ledger that an interface of generated code asks as options. */
export class OpenQuestions {
  readonly #contract: Contract;
  readonly #own: ReadonlySet<string>;
  readonly #asked = new Set<string>();

  /** `own`: names of options that the interface has already. */
  constructor(contract: Contract, own: readonly string[]) {
    this.#contract = contract;
    this.#own = new Set(own);
  }

  /** The entries that were asked for, in the ledger's order. */
  get entries(): readonly Unstated[] {
    return this.#contract.unstated.filter(({ id }) => this.#asked.has(id));
  }

  /** The name of the option that an entry becomes. */
  nameOf({ optionName }: Unstated): string {
    return this.#own.has(optionName) ? `${optionName}Answer` : optionName;
  }

  /** The value as code: what is stated, or the choice that an option of `options` names. */
  valueOf<T extends Json>(
    value: OrUnstated<T>,
    toCode: (value: T) => Code = (stated) => literal(stated),
  ): Code {
    const id = unstatedId(value);
    const entry = this.#contract.unstated.find((candidate) => candidate.id === id);
    if (entry === undefined) return toCode(value as T);
    this.#asked.add(entry.id);
    const option = this.nameOf(entry);
    const given = code`options.${identifier(option)}`;
    const chosen =
      entry.assumed === undefined ? given : code`${given} ?? ${literal(entry.assumed)}`;
    if (entry.choices.length === 0) return chosen;
    const choices = entry.choices.map(
      (choice) => code`${memberName(choice.name)}: ${toCode(choice.value as T)}`,
    );
    return code`choose(${literal(option)}, ${chosen}, { ${joinCode(choices, ', ')} })`;
  }

  /** The options as members of an interface. */
  members(): readonly Code[] {
    return this.entries.map((entry) => {
      const optional = entry.assumed === undefined ? code`` : code`?`;
      const choices = entry.choices.map(({ name }) => literal(name));
      const type = choices.length === 0 ? new Code('string') : joinCode(choices, ' | ');
      const comment = jsdoc({ summary: textOf(entry), source: entry.source });
      return code`${comment}\nreadonly ${identifier(this.nameOf(entry))}${optional}: ${type};`;
    });
  }
}

/** The id of the entry that a value waits for. */
function unstatedId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('unstated' in value)) return undefined;
  return typeof value.unstated === 'string' ? value.unstated : undefined;
}

/** The question, its choices, and what holds where nothing is given. */
function textOf({ question, remark, choices, assumed }: Unstated): string {
  const listed = choices.map(
    ({ name, meaning }) => `- \`${name}\`${name === assumed ? ' (default)' : ''}: ${meaning}`,
  );
  return [question, ...(remark === undefined ? [] : ['', remark]), '', ...listed].join('\n');
}
