import { isSameJson } from 'countersign/companion/values';
import type { Notification } from 'countersign/kit';
import { changesAt, type ContractChange, type ContractPair } from './change.ts';
import { diffItems, diffValues, type ItemPair } from './diff-items.ts';
import { diffKinds } from './diff-kinds.ts';
import { diffNotes } from './diff-notes.ts';
import { diffParameters } from './diff-parameters.ts';
import { diffBodies } from './diff-schemas.ts';
import { formatValue } from './format-value.ts';

const roles = ['notification'] as const;

/** Yields the changes of notifications, including those of their kinds. */
export function* diffNotifications(contracts: ContractPair): Generator<ContractChange> {
  const pairs = yield* diffItems(contracts.base.notifications, contracts.head.notifications, {
    keyOf: ({ id }) => id,
    subjectOf,
    rolesOf: () => roles,
    codes: ['notification-added', 'notification-removed'],
  });
  for (const pair of pairs) yield* diffNotification(pair, contracts);
  yield* diffKinds(contracts);
}

function* diffNotification(
  [base, head]: ItemPair<Notification>,
  contracts: ContractPair,
): Generator<ContractChange> {
  const subject = subjectOf(head);
  const create = changesAt(head.pointer, subject, roles);
  yield* diffNotes(base, head, create);
  const [was, is] = [base.label?.path, head.label?.path];
  const labelCode =
    was === undefined ? 'label-added' : is === undefined ? 'label-removed' : 'label-changed';
  // A derived `identifiedBy` changes only with the constants of the payload, which are reported as schema changes.
  const isDeclared = [base, head].some(
    (notification) => notification.identifiedByOrigin === 'declared',
  );
  yield* diffValues(create, [
    [labelCode, 'The path of the label', was, is],
    ['notification-method-changed', 'The method', base.method, head.method],
    ['content-type-changed', 'The media type', base.contentType, head.contentType],
  ]);
  yield* diffParameters(base.headers, head.headers, 'notification-header', subject, contracts);
  yield* diffBodies(base, head, base.payload, head.payload, contracts, subject, roles);
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
  if (!isSameJson(base.security, head.security)) {
    const [before, after] = [describeSecurity(base.security), describeSecurity(head.security)];
    const message = `It is authenticated ${after} now, and was authenticated ${before}.`;
    yield create('notification-security-changed', message);
  }
  if (!isSameJson(valuesOf(base), valuesOf(head)))
    yield create('examples-changed', 'The examples changed.');
}

/** Returns the conditions as the contract states them, without the samples that are derived from their patterns. */
function conditionsOf({ identifiedBy }: Notification): Notification['identifiedBy'] {
  return identifiedBy.map((conditions) =>
    conditions.map((condition) => {
      const { sample, ...stated } = condition;
      return sample === undefined ? condition : stated;
    }),
  );
}

function valuesOf({ examples, invalidExamples }: Notification): readonly unknown[] {
  return [...examples, ...invalidExamples].map(({ name, value }) => [name, value]);
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

function subjectOf({ id }: Notification): string {
  return `notification ${id}`;
}
