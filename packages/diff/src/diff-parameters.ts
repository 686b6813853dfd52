import type { Parameter } from 'countersign/kit';
import { changesAt, type ContractChange, type ContractPair } from './change.ts';
import { diffItems, diffValues, type ItemPair, pairBy } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';
import { diffDefinitions } from './diff-schemas.ts';

/** The role that reads or writes each kind of parameters. */
const roleOf = {
  parameter: 'request',
  'response-header': 'response',
  'notification-header': 'notification',
} as const;

/** A kind of parameters; its name is a part of the codes of its changes. */
export type ParameterKind = keyof typeof roleOf;

/** Yields the changes of a list of parameters. */
export function* diffParameters(
  base: readonly Parameter[],
  head: readonly Parameter[],
  kind: ParameterKind,
  owner: string,
  contracts: ContractPair,
): Generator<ContractChange> {
  const roles = [roleOf[kind]];
  const subjectOf = (parameter: Parameter): string =>
    `${owner}, ${parameter.in} parameter ${parameter.name}`;
  const { pairs, added, removed } = pairBy(base, head, keyOf);
  for (const parameter of added) {
    const create = changesAt(parameter.pointer, subjectOf(parameter), roles);
    const isRequired = isDemanded(parameter);
    const code =
      kind === 'response-header'
        ? (`${kind}-added` as const)
        : (`${isRequired ? 'required' : 'optional'}-${kind}-added` as const);
    yield create(code, isRequired ? 'It was added and is required.' : 'It was added.');
  }
  yield* diffItems(removed, [], {
    keyOf,
    subjectOf,
    rolesOf: () => roles,
    codes: [`${kind}-removed`, `${kind}-removed`],
  });
  for (const pair of pairs) yield* diffParameter(pair, kind, subjectOf(pair[1]), contracts);
}

function* diffParameter(
  [base, head]: ItemPair<Parameter>,
  kind: ParameterKind,
  subject: string,
  contracts: ContractPair,
): Generator<ContractChange> {
  const create = changesAt(head.pointer, subject, [roleOf[kind]]);
  if (!base.required && isDemanded(head)) yield create(`${kind}-required`, 'It is required now.');
  if (base.required && !head.required) yield create(`${kind}-optional`, 'It is optional now.');
  yield* diffValues(create, [
    ...(['style', 'explode', 'allowReserved', 'mediaType'] as const).map(
      (member) =>
        ['parameter-serialization-changed', `\`${member}\``, base[member], head[member]] as const,
    ),
    [
      'parameter-made-differently',
      '`x-every-request`',
      base.everyRequest,
      head.everyRequest,
    ] as const,
  ]);
  yield* diffNotes(base, head, create);
  yield* diffDefinitions(schemaOf(base), schemaOf(head), contracts, subject, [roleOf[kind]]);
}

/** Returns whether callers have to pass a parameter. The client itself creates those with `x-every-request`. */
function isDemanded({ required, everyRequest }: Parameter): boolean {
  return required && everyRequest === undefined;
}

function schemaOf({ schema, pointer }: Parameter): Parameters<typeof diffDefinitions>[0] {
  return { definition: schema, pointer };
}

function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}
