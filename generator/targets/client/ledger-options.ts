import type { Contract, OrUnstated, Unstated } from '../../contract/contract.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { everyRequestParameters } from './operation-data.ts';

/** Options of the client that the contract leaves open, and the code of the values that depend on them. */
export interface LedgerOptions {
  /** The entries that become options, in the ledger's order. */
  readonly entries: readonly Unstated[];
  /** The value as code, whether it is stated or an option decides it. */
  readonly valueOf: (value: OrUnstated<string | { readonly text: string }>) => Code;
}

/** Names of options that are the client's own. */
const ownOptions: ReadonlySet<string> = new Set(
  (
    'baseUrl credentials fetch headers timeout retry tokenStore onEvent clock random uuid sleep ' +
    'signal'
  ).split(' '),
);

/** The name of the option that an entry becomes. */
export function optionNameOf({ optionName }: Unstated): string {
  return ownOptions.has(optionName) ? `${optionName}Answer` : optionName;
}

/** Finds the entries of the ledger that a value of the client waits for. */
export function collectOptions(contract: Contract, schemes: ReadonlySet<string>): LedgerOptions {
  const values: OrUnstated<unknown>[] = [
    ...Array.from(everyRequestParameters(contract).values(), ({ everyRequest }) => [
      everyRequest?.value,
      everyRequest?.retry,
    ]).flat(),
    ...contract.security
      .filter(({ id }) => schemes.has(id))
      .flatMap(({ signature, accessToken }) => [
        accessToken?.value,
        signature?.algorithm,
        signature?.key.encoding,
        signature?.encoding,
        // The tolerance is the receiver's.
        signature?.timestamp?.format,
        ...(signature?.over ?? []),
      ]),
  ];
  const asked = new Set(values.flatMap((value) => unstatedId(value) ?? []));
  const entries = contract.unstated.filter(({ id }) => asked.has(id));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return {
    entries,
    valueOf: (value) => {
      const id = unstatedId(value);
      const entry = id === undefined ? undefined : byId.get(id);
      return entry === undefined
        ? literal(value)
        : code`answers.${identifier(optionNameOf(entry))}`;
    },
  };
}

/** The answers of a client to the questions of the contract, as the members of an object. */
export function answersCode(entries: readonly Unstated[]): readonly Code[] {
  return entries.map((entry) => {
    const option = optionNameOf(entry);
    const given = code`options.${identifier(option)}`;
    if (entry.choices.length === 0) return code`${identifier(option)}: ${given}`;
    const chosen =
      entry.assumed === undefined ? given : code`${given} ?? ${literal(entry.assumed)}`;
    const choices = joinCode(
      entry.choices.map(({ name, value }) => code`${memberName(name)}: ${literal(value)}`),
      ', ',
    );
    return code`${identifier(option)}: choose(${literal(option)}, ${chosen}, { ${choices} })`;
  });
}

/** The type of an option: the names of its choices. */
export function optionType({ choices }: Unstated): Code {
  if (choices.length === 0) return new Code('string');
  return joinCode(
    choices.map(({ name }) => literal(name)),
    ' | ',
  );
}

/** What an option says of itself: its question, its choices, and what holds where nothing is given. */
export function optionText(entry: Unstated): string {
  const { question, remark, choices, assumed } = entry;
  const listed = choices.map(
    ({ name, meaning }) => `- \`${name}\`${name === assumed ? ' (default)' : ''}: ${meaning}`,
  );
  return [question, ...(remark === undefined ? [] : ['', remark]), '', ...listed].join('\n');
}

function unstatedId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('unstated' in value)) return undefined;
  return typeof value.unstated === 'string' ? value.unstated : undefined;
}
