import { indexSchemas, kindOf as kindOfMedia } from 'countersign/companion/contract';
import type { Contract, Parameter } from 'countersign/kit';
import { pointerDocument, toPointer } from 'countersign/companion/values';
import { changesAt, type Comparison, type ContractChange, inBoth } from './change.ts';
import { diffItems, diffValues, type ItemPair, pairBy } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';
import { type UsedSchema, useSchemas } from './diff-schemas.ts';
import { type Kind, kinds, shapesOf } from './schemas/shapes.ts';

/** The role that reads or writes each kind of parameters. */
const roleOf = {
  parameter: 'request',
  'response-header': 'response',
  'notification-header': 'notification',
} as const;

/** A kind of parameters; its name is a part of the codes of its changes. */
export type ParameterKind = keyof typeof roleOf;

/** The object that has parameters. */
export interface ParameterOwner {
  /** The operation or notification. */
  readonly by: string;
  /** The part of it that has the parameters. */
  readonly part: string;
  /**
   * Returns what identifies a parameter on the wire, such as the position in the path. The name identifies all others.
   */
  readonly keyOf?: (parameter: Parameter, side: 'base' | 'head') => string | undefined;
}

/** Yields the changes of a list of parameters. */
export function* diffParameters(
  base: readonly Parameter[],
  head: readonly Parameter[],
  kind: ParameterKind,
  owner: ParameterOwner,
  contracts: Comparison,
): Generator<ContractChange> {
  const roles = [roleOf[kind]];
  const subjectOf = (parameter: Parameter): string =>
    `${owner.part}, ${parameter.in} parameter ${parameter.name}`;
  const keyed = (list: readonly Parameter[], side: 'base' | 'head'): readonly Keyed[] =>
    list.map((parameter) => ({
      parameter,
      key: owner.keyOf?.(parameter, side) ?? keyOf(parameter),
    }));
  const { pairs, added, removed } = pairBy(
    keyed(base, 'base'),
    keyed(head, 'head'),
    ({ key }) => key,
  );
  for (const { parameter } of added) {
    const create = changesAt({ pointer: parameter.pointer }, subjectOf(parameter), roles);
    const isRequired = isDemanded(parameter);
    const code =
      kind === 'response-header'
        ? (`${kind}-added` as const)
        : (`${isRequired ? 'required' : 'optional'}-${kind}-added` as const);
    yield create(code, isRequired ? 'It was added and is required.' : 'It was added.');
  }
  yield* diffItems(
    removed.map(({ parameter }) => parameter),
    [],
    {
      keyOf,
      subjectOf,
      rolesOf: () => roles,
      codes: [`${kind}-removed`, `${kind}-removed`],
    },
  );
  for (const [was, is] of pairs)
    yield* diffParameter(
      [was.parameter, is.parameter],
      kind,
      { ...owner, part: subjectOf(is.parameter) },
      contracts,
    );
}

interface Keyed {
  readonly parameter: Parameter;
  readonly key: string;
}

function* diffParameter(
  [base, head]: ItemPair<Parameter>,
  kind: ParameterKind,
  { by, part }: ParameterOwner,
  contracts: Comparison,
): Generator<ContractChange> {
  const role = roleOf[kind];
  const create = changesAt(inBoth(base, head), part, [role]);
  // Code passes parameters by the names that the contract writes, although letter case means nothing in a header's name.
  yield* diffValues(create, [['parameter-renamed', 'Its name in code', base.name, head.name]]);
  if (!base.required && isDemanded(head)) yield create(`${kind}-required`, 'It is required now.');
  if (base.required && !head.required) yield create(`${kind}-optional`, 'It is optional now.');
  const written = rewrittenBy([base, head], contracts);
  yield* diffValues(create, [
    ...written.map(
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
  const isText = base.mediaType === undefined && head.mediaType === undefined;
  useSchemas(contracts, schemaOf(base), schemaOf(head), { role, by, part }, isText);
}

/** The members of a parameter that decide how a value is written. */
const serialization = ['style', 'explode', 'allowReserved', 'mediaType'] as const;

type Serialization = Pick<Parameter, 'in' | (typeof serialization)[number]>;

/**
 * Returns the members that make a parameter another text for a value that both versions have. The style means nothing
 * for a scalar in a query, for example.
 */
function rewrittenBy(
  [base, head]: ItemPair<Parameter>,
  contracts: Comparison,
): readonly (typeof serialization)[number][] {
  const differing = serialization.filter((member) => base[member] !== head[member]);
  if (differing.length === 0) return [];
  const [before, after] = [kindsOf(base, contracts.base), kindsOf(head, contracts.head)];
  const common = before.filter((kind) => kind !== 'null' && after.includes(kind));
  const isWritten = (was: Serialization, is: Serialization): boolean =>
    common.some((kind) => formOf(was, kind) !== formOf(is, kind));
  if (!isWritten(base, head)) return [];
  const decisive = differing.filter((member) =>
    isWritten(base, { ...base, [member]: head[member] }),
  );
  return decisive.length > 0 ? decisive : differing;
}

function kindsOf(parameter: Parameter, contract: Contract): readonly Kind[] {
  const { schema, pointer } = schemaOf(parameter);
  const part = { schema, at: { pointer, owner: '', path: '' } };
  return shapesOf([part], indexSchemas(contract))?.map(({ kind }) => kind) ?? kinds;
}

/** Returns what two serializations have in common if they write the values of a kind in the same way. */
function formOf({ style, explode, allowReserved, mediaType }: Serialization, kind: Kind): string {
  const isNamed = kind === 'number' || kind === 'boolean';
  const isJson = mediaType !== undefined && kindOfMedia(mediaType) === 'json';
  if (mediaType !== undefined && !(isNamed && isJson)) return `as ${isJson ? 'json' : mediaType}`;
  const isPrefixed = style === 'label' || style === 'matrix';
  const reserved = isNamed || !allowReserved ? '' : ' reserved';
  if (kind !== 'array' && kind !== 'object')
    return `${isPrefixed && mediaType === undefined ? style : 'scalar'}${reserved}`;
  if (style === 'deepObject' || (style === 'simple' && kind === 'array'))
    return `${style}${reserved}`;
  // Exploded, the delimiter does not occur.
  const isDelimited = style === 'spaceDelimited' || style === 'pipeDelimited';
  return `${explode && isDelimited ? 'form' : style} ${explode}${reserved}`;
}

/** Returns whether callers have to pass a parameter. The client itself creates those with `x-every-request`. */
function isDemanded({ required, everyRequest }: Parameter): boolean {
  return required && everyRequest === undefined;
}

function schemaOf({ schema, pointer, mediaType }: Parameter): UsedSchema {
  // In AsyncAPI, a header is a member of a schema: it has no object of its own.
  const hasObject = pointerDocument(pointer) === 'openapi' && mediaType === undefined;
  return { schema, pointer: hasObject ? toPointer(pointer, 'schema') : pointer };
}

function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}
