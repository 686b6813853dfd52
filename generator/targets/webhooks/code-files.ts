import { proofsOf } from '../../contract/authentication.ts';
import { isKindUnsigned, signaturesWithout } from '../../contract/signature-cover.ts';
import type { Contract, Notification, Unstated } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import type { Json } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { indexSchemas, type SchemaIndex } from '../../schema/references.ts';
import { visitSchema } from '../../schema/visit.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal, literalUnion } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { describeAnswers } from './answers.ts';
import { describeAuthentication } from './authentication-code.ts';
import { describeCatalogue } from './catalogue-code.ts';
import { packageFolder, eventsOf, type EventKind, type Events } from '../../contract/events.ts';
import { receivedSchemas } from './receiver-ledger.ts';
import { sharedEntries } from '../../contract/shared-entries.ts';
import { numberPlacesOf } from './number-places.ts';
import { receiverNameOf } from './receiver-name.ts';
import { enginesOf, inboxStoresOf } from '../printing/inbox-stores.ts';
import { consumerForms, receiverForms, workerForms } from '../printing/option-forms.ts';
import { hasDeviations } from '../printing/receiver-options.ts';
import { receiverQuestions } from '../printing/receiver-questions.ts';
import { describeDeliveries } from './testing-code.ts';

/** Emits the modules of the package: events, catalogue, options, authentication, entries, and helpers for tests. */
export async function* emitCode(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const plan = eventsOf(contract);
  const questions = receiverQuestions(contract);
  const authentication = describeAuthentication(contract);
  const contractPackage = packageName(context, 'contract');
  const from = contract.notifications.map(({ pointer }) => pointer);
  const toFile = (name: string, data: object): OutputFile => ({
    path: `${packageFolder}/src/${name}`,
    text: context.render(name, data),
    from,
  });
  const asks = questions.options.length > 0;
  const answers = describeAnswers(plan);
  yield toFile('events.ts', { contractPackage, ...eventsModule(contract, plan, context) });
  yield toFile('catalogue.ts', {
    contractPackage,
    ...describeCatalogue(contract, plan, questions),
    receiverName: literal(receiverNameOf(contract, context)),
    asks,
    comparesValues: comparesValues(contract),
  });
  yield toFile('options.ts', {
    asks,
    members: questions.members(),
    statuses: answers?.statuses,
    about: jsdoc({
      summary: 'The options of a receiver.',
      questions: sharedEntries(contract),
    }),
  });
  if (inboxStoresOf(context.options).length > 0)
    yield toFile('worker.ts', { asks, forms: workerForms });
  if (enginesOf(context.options).length > 0)
    yield toFile('consumer.ts', { asks, forms: consumerForms });
  if (hasDeviations(context.options))
    yield toFile('deviations.ts', await deviationsModule(contract, plan));
  yield toFile('node.ts', {});
  yield toFile('labels.ts', { labels: literal(labelsOf(contract)) });
  for (const [file, data] of authentication.modules) yield toFile(file, data);
  yield toFile('index.ts', {
    exports: authentication.exports,
    certificates: proofsOf(contract, 'certificate').length > 0,
    asks,
    forms: receiverForms,
    answers: answers !== undefined,
    choices: answers?.choices !== undefined,
    events: eventTypesOf(plan),
  });
  yield toFile('testing.ts', {
    signers: authentication.signers,
    contractPackage,
    bodySignatures: proofsOf(contract, 'body-signature').length > 0,
    hasPathSecret: proofsOf(contract, 'secret').some(({ place }) => place === 'path'),
    ...describeDeliveries(contract, plan),
  });
}

/** Returns the data of the module of events and handlers. */
function eventsModule(contract: Contract, plan: Events, context: TargetContext): object {
  return {
    events: describeEvents(contract, plan, context),
    types: joinCode(
      eventTypesOf(plan).map((eventType) => identifier(eventType)),
      ' | ',
    ),
    hasUnions: plan.unions.length > 0,
    handlers: handlersOf(plan, context),
  };
}

/** Returns the data of the module that accepts deliveries which deviate from the contract. */
async function deviationsModule(contract: Contract, plan: Events): Promise<object> {
  const index = indexSchemas(contract);
  const { places, roots } = numberPlacesOf(
    [...new Set(plan.kinds.map(({ payload }) => payload))],
    index,
    await loadDecimalCheck(index, receivedSchemas(contract)),
  );
  return {
    names: literal([
      ...plan.kinds.map(({ notification }) => notification.name),
      ...plan.unions.map(({ name }) => name),
    ]),
    numbers: literal(
      plan.kinds.flatMap(({ notification, payload }) => {
        const root = roots.get(payload.name);
        return root === undefined ? [] : [[notification.name, root]];
      }),
    ),
    places: places.map((place) => literal(place)),
  };
}

/** Returns whether the receiver compares values with those of the contract to identify a delivery. */
function comparesValues({ recognition }: Contract): boolean {
  return [recognition.kindOf, recognition.resembles, recognition.formOf].some((decision) =>
    decision?.nodes.some(({ values }) => values.length > 0),
  );
}

/** Loads the analysis of patterns, which takes a moment, if one of the schemas has any. */
async function loadDecimalCheck(
  index: SchemaIndex,
  names: readonly string[],
): Promise<(pattern: string) => boolean> {
  let hasPattern = false;
  for (const name of new Set(names))
    visitSchema(index.get(name)?.definition ?? true, ({ pattern }) => {
      hasPattern ||= pattern !== undefined;
    });
  if (!hasPattern) return () => false;
  const { admitsDecimal } = await import('../../patterns/decimal-pattern.ts');
  return admitsDecimal;
}

/** Returns each label once, in the contract's order. */
function labelsOf({ notifications }: Contract): readonly Json[] {
  const labels = notifications.flatMap(({ label }) => {
    if (label === undefined) return [];
    const { method, path } = label;
    return [method === undefined ? { path } : { method, path }];
  });
  return [...new Map(labels.map((label) => [JSON.stringify(label), label])).values()];
}

/** Lists the types of the events of all kinds and unions of kinds that can have a handler. */
function eventTypesOf({ kinds, unions }: Events): readonly string[] {
  return [...kinds, ...unions].map(({ eventType }) => eventType);
}

/**
 * Describes the handlers. The comment of a handler has the label and the notes, and the comment of its event the rest,
 * so that the module has each text once.
 */
function handlersOf({ kinds, unions }: Events, { placeOf }: TargetContext): readonly object[] {
  const single = kinds.map(({ notification, eventType }) => {
    const { name, label, notes, deprecated, pointer } = notification;
    const path = label && [label.method, label.path].filter(Boolean).join(' ');
    const labelled = path === undefined ? '' : `, labelled \`${path}\``;
    const summary = `Handles each \`${eventType}\`${labelled}.`;
    const place = placeOf?.(pointer);
    return { name, eventType, comment: jsdoc({ summary, notes, deprecated, place }) };
  });
  const several = unions.map(({ name, eventType, notes, deprecated, ...union }) => {
    const listed = union.kinds.map(({ notification }) => notification.name).join(', ');
    const summary = `Handles each \`${eventType}\`: what is one of ${listed}.`;
    return { name, eventType, comment: jsdoc({ summary, notes, deprecated }) };
  });
  return [...single, ...several];
}

function describeEvents(
  contract: Contract,
  { kinds, unions }: Events,
  { placeOf }: TargetContext,
): readonly object[] {
  const single = kinds.map((kind) => {
    const { notification, eventType } = kind;
    const { sourceDocument } = contract.info;
    return {
      eventType,
      comment: jsdoc({
        ...notification,
        notes: unsignedNotes(contract, notification),
        examples: [],
        questions: ownEntries(contract, notification.places),
        sourceDocument,
        place: placeOf?.(notification.pointer),
      }),
      type: code`Event<${literal(notification.name)}, ${dataOf([kind])}, ${formsOf([kind])}>`,
    };
  });
  const several = unions.map((union) => {
    const { name, eventType, kinds: members, deprecated } = union;
    const ids = members.map(({ notification }) => notification.name);
    return {
      eventType,
      comment: jsdoc({
        summary: union.summary,
        questions: ownEntries(
          contract,
          members.flatMap(({ notification }) => notification.places),
        ),
        deprecated,
      }),
      type: code`AmbiguousEvent<${literal(name)}, readonly ${literal(ids)}, ${dataOf(members)}, ${formsOf(members)}>`,
    };
  });
  return [...single, ...several];
}

/** Returns the notes on what a handler must not rely on, because a captured delivery can be sent again with another one. */
function unsignedNotes(contract: Contract, notification: Notification): readonly string[] {
  const isUnsigned = contract.notifications.length > 1 && isKindUnsigned(contract, notification);
  return [
    ...signedNote(contract, notification),
    ...(isUnsigned
      ? [
          'The signature does not cover what decides the kind: a captured delivery of another kind can be sent as this one.',
        ]
      : []),
  ];
}

function signedNote(contract: Contract, notification: Notification): readonly string[] {
  const paths = notification.signedBody?.members.map(({ path }) => path) ?? [];
  if (paths.length === 0) return [];
  // What only one of several alternatives covers is not promised.
  const covered = paths.filter(
    (path) => signaturesWithout(contract, notification, { body: path }).length === 0,
  );
  const names = covered.map((path) => `\`${path.join('.')}\``).join(', ');
  return [
    `The signature covers ${covered.length === 0 ? 'nothing' : names} of the data. An attacker who captured a delivery can change everything else.`,
  ];
}

/** Returns the entries that events depend on, without those about all notifications, which the options name. */
function ownEntries(contract: Contract, places: readonly Pointer[]): readonly Unstated[] {
  const shared = new Set(sharedEntries(contract));
  return entriesAt(contract, ...places).filter((entry) => !shared.has(entry));
}

function dataOf(kinds: readonly EventKind[]): Code {
  const names = [...new Set(kinds.map(({ payload }) => payload.typeName))];
  return joinCode(
    names.map((name) => code`contract.${identifier(name)}`),
    ' | ',
  );
}

function formsOf(kinds: readonly EventKind[]): Code {
  return literalUnion([...new Set(kinds.flatMap((kind) => kind.forms))]);
}
