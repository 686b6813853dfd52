import type { Contract, Unstated } from '../../contract/contract.ts';
import { publishSchemas } from '../../schema/publish.ts';
import { type Json, type JsonObject, optional } from '../../json/json.ts';
import { toPointer } from '../../json/pointer.ts';
import type { OutputFile } from '../target.ts';
import { packageFolder } from './layout.ts';

/** The states of a ledger entry: without an answer, with an assumed answer, or with a confirmed one. */
export const unstatedStates = ['open', 'assumed', 'settled'] as const;

/** The state of a ledger entry. */
export type UnstatedState = (typeof unstatedStates)[number];

/** Returns the state of a ledger entry. */
export function stateOf({ assumed, settled }: Unstated): UnstatedState {
  if (settled !== undefined) return 'settled';
  return assumed === undefined ? 'open' : 'assumed';
}

/** Groups the entries of a ledger by their states. */
export function groupByState(
  unstated: readonly Unstated[],
): readonly (readonly [state: UnstatedState, entries: readonly Unstated[]])[] {
  return unstatedStates.map((state) => [
    state,
    unstated.filter((entry) => stateOf(entry) === state),
  ]);
}

/** Emits the data files, for any tool or language: bundled documents, JSON Schemas, the ledger. */
export function* emitDataFiles(contract: Contract): Generator<OutputFile> {
  const { openapi, asyncapi, workflows = {} } = contract.documents;
  if (openapi !== undefined) yield toFile('openapi.json', openapi, ['openapi#']);
  if (asyncapi !== undefined) yield toFile('asyncapi.json', asyncapi, ['asyncapi#']);
  for (const [name, document = null] of Object.entries(workflows)) {
    yield toFile(`workflows/${name}.json`, document, [toPointer('workflows#', name)]);
  }
  const pointers = contract.schemas.map(({ pointer }) => pointer);
  yield toFile('schemas.json', publishSchemas(contract), pointers);
  const { unstated } = contract;
  const places = unstated.map(({ pointer }) => pointer);
  yield toFile('unstated.json', unstated.map(toEntry), places);
}

function toEntry(entry: Unstated): JsonObject {
  const { pointer, usedBy } = entry;
  return { ...withState(entry), pointer, usedBy };
}

/** A question of the ledger with its state and answer, without the places that use it. */
export type QuestionWithState = Pick<
  Unstated,
  'id' | 'question' | 'remark' | 'source' | 'choices' | 'assumed' | 'settled'
> & { readonly state: UnstatedState };

/** Returns a question of the ledger with its state, for printing. */
export function withState(entry: Unstated): QuestionWithState {
  const { id, question, remark, source, choices, assumed, settled } = entry;
  return {
    id,
    state: stateOf(entry),
    question,
    ...optional('remark', remark),
    source,
    choices,
    ...optional('assumed', assumed),
    ...optional('settled', settled),
  };
}

function toFile(path: string, value: Json, from: OutputFile['from']): OutputFile {
  return {
    path: `${packageFolder}/${path}`,
    text: `${JSON.stringify(value, null, 2)}\n`,
    isFormatted: true,
    from,
  };
}
