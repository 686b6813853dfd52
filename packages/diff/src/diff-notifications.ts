import { normalizeTemplate, templateNames } from 'countersign/companion/contract';
import { listTexts } from 'countersign/companion/terminal';
import { isSameJson, toCanonical } from 'countersign/companion/values';
import type { Notification, Parameter } from 'countersign/kit';
import {
  changesAt,
  type Comparison,
  concerning,
  type ContractChange,
  type CreateChange,
  inBoth,
} from './change.ts';
import { diffItems, diffValues, pairBy } from './diff-items.ts';
import { diffKinds } from './diff-kinds.ts';
import { diffNotes } from './diff-notes.ts';
import { diffParameters } from './diff-parameters.ts';
import { schemaNamed, useSchemas } from './diff-schemas.ts';
import { formatValue } from './format-value.ts';
import { callbackOf, createNotificationSubject, pairNotifications } from './pair-notifications.ts';

const roles = ['notification'] as const;

/** Yields the changes of notifications, including those of their kinds. */
export function* diffNotifications(contracts: Comparison): Generator<ContractChange> {
  const { base, head } = contracts;
  const { pairs, added, removed } = pairNotifications(base, head);
  const [before, after] = [createNotificationSubject(base), createNotificationSubject(head)];
  const common = { keyOf: () => undefined, rolesOf: () => roles } as const;
  const codes = ['notification-added', 'notification-removed'] as const;
  yield* diffItems([], added, { ...common, subjectOf: after, codes });
  yield* diffItems(removed, [], { ...common, subjectOf: before, codes });
  for (const [was, is] of pairs)
    yield* concerning(after(is), diffNotification(was, is, after(is), contracts));
  yield* diffKinds(contracts, pairs);
}

function* diffNotification(
  base: Notification,
  head: Notification,
  subject: string,
  contracts: Comparison,
): Generator<ContractChange> {
  const create = changesAt(inBoth(base, head), subject, roles);
  yield* diffNotes(base, head, create);
  yield* diffAddress(base, head, create, subject);
  yield* diffParameters(
    base.headers,
    head.headers,
    'notification-header',
    { by: subject, part: subject },
    contracts,
  );
  yield* diffLabel(base, head, subject, contracts);
  yield* diffOtherParameters(base, head, create);
  yield* diffRepresentations(base, head, create);
  const [was, is] = [
    schemaNamed(base.payload, base.pointer),
    schemaNamed(head.payload, head.pointer),
  ];
  useSchemas(contracts, was, is, {
    role: 'notification',
    by: subject,
    part: `${subject}, payload`,
  });
  // A derived `identifiedBy` changes only with the constants of the payload, which are reported as schema changes.
  const isDeclared = [base, head].some(
    (notification) => notification.identifiedByOrigin === 'declared',
  );
  yield* diffValues(create, [
    ...(isDeclared
      ? ([
          ['identification-changed', 'Its identification', conditionsOf(base), conditionsOf(head)],
        ] as const)
      : []),
    [
      'schema-identification-changed',
      '`x-identified-by-schema`',
      base.identifiedBySchema ?? false,
      head.identifiedBySchema ?? false,
    ],
    ['deduplication-changed', '`x-dedupe-by`', base.dedupeBy, head.dedupeBy],
    ['order-changed', '`x-ordered-by`', base.orderedBy, head.orderedBy],
  ]);
  yield* diffSuccesses(base, head, create);
  if (!isSameJson(base.security, head.security)) {
    const [before, after] = [describeSecurity(base.security), describeSecurity(head.security)];
    const message = `It is authenticated ${after} now, and was authenticated ${before}.`;
    yield create('notification-security-changed', message);
  }
  if (!isSameJson(valuesOf(base), valuesOf(head)))
    yield create('examples-changed', 'The examples changed.');
}

/** Yields changes of the address that a notification is sent to, and of its method. */
function* diffAddress(
  base: Notification,
  head: Notification,
  create: CreateChange,
  subject: string,
): Generator<ContractChange> {
  const [was, is] = [base, head].map(({ label }) => label && normalizeTemplate(label.path));
  const labelCode =
    was === undefined ? 'label-added' : is === undefined ? 'label-removed' : 'label-changed';
  if (was !== is)
    yield* diffValues(create, [
      [labelCode, 'The path of the label', base.label?.path, head.label?.path],
    ]);
  yield* diffValues(create, [
    ['notification-method-changed', 'The method', base.method, head.method],
  ]);
  const [before, after] = [callbackOf(base)?.expression, callbackOf(head)?.expression];
  if (before !== undefined && after !== undefined)
    yield* diffValues(changesAt(inBoth(base, head), subject, ['request', ...roles]), [
      ['callback-address-changed', 'The address of the callback', before, after],
    ]);
}

/** Compares the parameters of the label, by their positions: the wire has no names of them. */
function* diffLabel(
  base: Notification,
  head: Notification,
  subject: string,
  contracts: Comparison,
): Generator<ContractChange> {
  const [was, is] = [base.label, head.label];
  if (was === undefined || is === undefined) return;
  if (normalizeTemplate(was.path) !== normalizeTemplate(is.path)) return;
  const positions = { base: templateNames(was.path), head: templateNames(is.path) };
  const owner = {
    by: subject,
    part: subject,
    keyOf: ({ name }: Parameter, side: 'base' | 'head') => `path ${positions[side].indexOf(name)}`,
  };
  yield* diffParameters(was.parameters, is.parameters, 'notification-header', owner, contracts);
}

function* diffOtherParameters(
  { otherParameters: base = [] }: Notification,
  { otherParameters: head = [] }: Notification,
  create: CreateChange,
): Generator<ContractChange> {
  const { added, removed } = pairBy(base, head, (other) => toCanonical([other.in, other.name]));
  for (const { in: place, name } of added)
    yield create(
      'notification-parameter-added',
      `The ${place} parameter ${formatValue(name)} was added.`,
    );
  for (const { in: place, name } of removed)
    yield create(
      'notification-parameter-removed',
      `The ${place} parameter ${formatValue(name)} was removed.`,
    );
}

/** Yields changes of the media types, and of how receivers have to read the data. */
function* diffRepresentations(
  base: Notification,
  head: Notification,
  create: CreateChange,
): Generator<ContractChange> {
  const mediaTypeOf = ({
    type,
    parameters,
    isQuery,
  }: Notification['representations'][number]): string => toCanonical([type, parameters, isQuery]);
  const { pairs, added, removed } = pairBy(base.representations, head.representations, mediaTypeOf);
  for (const [before, after] of pairs) {
    const [was, is] = [stylesOf(base, before), stylesOf(head, after)];
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
      (name) => !isSameJson(was[name] ?? formStyle, is[name] ?? formStyle),
    );
    const [old, current] = [was, is].map((styles) =>
      Object.fromEntries(names.map((name) => [name, styles[name] ?? formStyle])),
    );
    yield* diffValues(create, [['notification-encoding-changed', '`encoding`', old, current]]);
  }
  const readings = new Set(base.representations.map(readingOf));
  const [only] = removed;
  if (added.length === 1 && removed.length === 1 && only !== undefined) {
    const [is] = added;
    const isRead = is !== undefined && readingOf(is) === readingOf(only);
    yield* diffValues(create, [
      [
        isRead ? 'content-type-changed' : 'notification-encoding-changed',
        'The media type',
        describeData(only),
        is && describeData(is),
      ],
    ]);
    return;
  }
  for (const representation of added)
    yield create(
      readings.has(readingOf(representation))
        ? 'notification-media-type-added'
        : 'notification-encoding-added',
      `${formatValue(describeData(representation))} was added.`,
    );
  for (const representation of removed)
    yield create(
      'notification-media-type-removed',
      `${formatValue(describeData(representation))} was removed.`,
    );
}

/** How a member of a form or a query is written unless its contract states another style. */
const formStyle = { style: 'form', explode: true };

/** Returns how members of a form or a query are written, as far as the contract states it. */
function stylesOf(
  { readings }: Notification,
  { mediaType }: Notification['representations'][number],
): NonNullable<Notification['memberStyles']> {
  return readings.find((reading) => reading.mediaType === mediaType)?.memberStyles ?? {};
}

function readingOf({ kind, isQuery }: Notification['representations'][number]): string {
  return isQuery === true ? 'query' : kind;
}

function describeData({ mediaType, isQuery }: Notification['representations'][number]): string {
  return isQuery === true ? 'parameters of the query' : mediaType;
}

/** Yields changes of the answers that the sender expects. */
function* diffSuccesses(
  base: Notification,
  head: Notification,
  create: CreateChange,
): Generator<ContractChange> {
  const statusesOf = ({ successes }: Notification): readonly string[] =>
    successes.map(({ status }) => status).toSorted();
  const [was, is] = [statusesOf(base), statusesOf(head)];
  if (!isSameJson(was, is)) {
    const [before, after] = [was, is].map((statuses) =>
      statuses.length === 0 ? 'not stated' : listTexts(statuses.map(formatValue), 'or'),
    );
    yield create(
      'notification-status-changed',
      `The status of an accepted delivery was ${before} and is ${after}.`,
    );
  }
  const answersOf = ({ successes }: Notification): readonly unknown[] =>
    successes
      .flatMap(({ answers }) => answers)
      .map(({ status, mediaType, value }) => [status, mediaType, withoutPlaces(value)]);
  if (!isSameJson(answersOf(base), answersOf(head)))
    yield create('notification-answer-changed', 'The body that accepts a delivery changed.');
}

function withoutPlaces(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key === 'pointer' ? undefined : inner)),
  );
}

/** Returns the conditions as the contract states them, in any order, without the samples that are derived from them. */
function conditionsOf({ identifiedBy }: Notification): Notification['identifiedBy'] {
  const sorted = <T>(list: readonly T[]): readonly T[] =>
    list.toSorted((a, b) => (toCanonical(a) < toCanonical(b) ? -1 : 1));
  return sorted(
    identifiedBy.map((conditions) =>
      sorted(
        conditions.map((condition) => {
          const { sample, ...stated } = condition;
          return sample === undefined ? condition : stated;
        }),
      ),
    ),
  );
}

/** Returns the examples of a notification; those of a map have no order. */
function valuesOf({ examples, invalidExamples }: Notification): readonly string[] {
  return [...examples, ...invalidExamples]
    .map(({ name, value }) => toCanonical([name, value]))
    .toSorted();
}

/** Returns how a notification is authenticated: the alternatives, with all schemes that each needs. */
function describeSecurity(security: Notification['security']): string {
  const schemes = security.map((requirement) =>
    requirement.length === 0
      ? 'nothing'
      : requirement
          .map(
            ({ scheme, scopes }) =>
              `${formatValue(scheme)}${scopes.length === 0 ? '' : ` (${scopes.join(', ')})`}`,
          )
          .join(' with '),
  );
  return schemes.length === 0 ? 'in an unstated way' : `by ${schemes.join(' or ')}`;
}
