import type { Parameter } from '../../contract/contract.ts';
import { changesAt, type ContractChange, type Role } from './change.ts';
import { diffItems, diffValues, type ItemPair, pairBy } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';
import { diffDefinitions, type SchemaIndexes } from './diff-schemas.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/** The role of a list of parameters, and the codes of its changes. */
export interface ParameterCodes {
  readonly role: Role;
  readonly optionalAdded: ChangeCode;
  readonly requiredAdded: ChangeCode;
  readonly removed: ChangeCode;
  readonly madeRequired: ChangeCode;
  readonly madeOptional: ChangeCode;
}

/** The change codes for the parameters of an operation. */
export const callParameters: ParameterCodes = {
  role: 'request',
  optionalAdded: 'optional-parameter-added',
  requiredAdded: 'required-parameter-added',
  removed: 'parameter-removed',
  madeRequired: 'parameter-required',
  madeOptional: 'parameter-optional',
};

/** The change codes for the headers of a response. */
export const responseHeaders: ParameterCodes = {
  role: 'response',
  optionalAdded: 'response-header-added',
  requiredAdded: 'response-header-added',
  removed: 'response-header-removed',
  madeRequired: 'response-header-required',
  madeOptional: 'response-header-optional',
};

/** The change codes for the headers of a notification. */
export const notificationHeaders: ParameterCodes = {
  role: 'notification',
  optionalAdded: 'optional-notification-header-added',
  requiredAdded: 'required-notification-header-added',
  removed: 'notification-header-removed',
  madeRequired: 'notification-header-required',
  madeOptional: 'notification-header-optional',
};

/** Yields the changes of a list of parameters. */
export function* diffParameters(
  base: readonly Parameter[],
  head: readonly Parameter[],
  codes: ParameterCodes,
  owner: string,
  indexes: SchemaIndexes,
): Generator<ContractChange> {
  const roles = new Set([codes.role]);
  const subjectOf = (parameter: Parameter): string =>
    `${owner}, ${parameter.in} parameter ${parameter.name}`;
  const { pairs, added, removed } = pairBy(base, head, keyOf);
  for (const parameter of added) {
    const create = changesAt(parameter.pointer, subjectOf(parameter), roles);
    yield isDemanded(parameter)
      ? create(codes.requiredAdded, 'It was added and is required.')
      : create(codes.optionalAdded, 'It was added.');
  }
  yield* diffItems(removed, [], {
    keyOf,
    subjectOf,
    rolesOf: () => roles,
    codes: [codes.removed, codes.removed],
  });
  for (const pair of pairs) yield* diffParameter(pair, codes, subjectOf(pair[1]), indexes);
}

function* diffParameter(
  [base, head]: ItemPair<Parameter>,
  { role, madeRequired, madeOptional }: ParameterCodes,
  subject: string,
  indexes: SchemaIndexes,
): Generator<ContractChange> {
  const create = changesAt(head.pointer, subject, [role]);
  if (!base.required && isDemanded(head)) yield create(madeRequired, 'It is required now.');
  if (base.required && !head.required) yield create(madeOptional, 'It is optional now.');
  yield* diffValues(create, [
    ...(['style', 'explode', 'allowReserved', 'mediaType'] as const).map(
      (member) =>
        ['parameter-serialisation-changed', `\`${member}\``, base[member], head[member]] as const,
    ),
    [
      'parameter-made-differently',
      '`x-every-request`',
      base.everyRequest,
      head.everyRequest,
    ] as const,
  ]);
  yield* diffNotes(base, head, create);
  yield* diffDefinitions(schemaOf(base), schemaOf(head), indexes, subject, [role]);
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
