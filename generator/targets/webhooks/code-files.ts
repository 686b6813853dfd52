import type { Contract, Unstated } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { numberPlacesOf } from '../../contract/number-places.ts';
import type { Json } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { indexSchemas } from '../../schema/references.ts';
import { visitSchema } from '../../schema/visit.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal, literalUnion, memberName } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { describeAnswers } from './answers.ts';
import { coveredMembers, describeBodySignatures } from './body-signature-code.ts';
import { describeCatalogue } from './catalogue-code.ts';
import { describeCertificates, describeCombination } from './certificate-code.ts';
import {
  packageFolder,
  planWebhooks,
  summaryOfUnion,
  type PlannedKind,
  type WebhookPlan,
} from './plan.ts';
import { generalEntries } from './receiver-ledger.ts';
import { receiverQuestions } from './receiver-questions.ts';
import { describeSignatures } from './signature-code.ts';
import { describeSecrets, secretWarning } from './stated-authentication.ts';
import { describeDeliveries } from './testing-code.ts';

/** Emits the modules of the package: events, catalogue, options, authentication, entries, and helpers for tests. */
export async function* emitCode(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const plan = planWebhooks(contract);
  const { recognition } = contract;
  const questions = receiverQuestions(contract);
  const catalogue = describeCatalogue(contract, plan, questions);
  const signatures = describeSignatures(contract);
  const contractPackage = packageName(context, 'contract');
  const from = contract.notifications.map(({ pointer }) => pointer);
  const toFile = (name: string, data: object): OutputFile => ({
    path: `${packageFolder}/src/${name}`,
    text: context.render(name, data),
    from,
  });
  const asks = questions.options.length > 0;
  const eventTypes = eventTypesOf(plan);
  yield toFile('events.ts', {
    contractPackage,
    events: eventsOf(contract, plan, context),
    types: joinCode(
      eventTypes.map((eventType) => identifier(eventType)),
      ' | ',
    ),
    hasUnions: plan.unions.length > 0,
    handlers: handlersOf(plan, context),
  });
  yield toFile('catalogue.ts', {
    contractPackage,
    ...catalogue,
    asks,
    comparesValues: [recognition.kindOf, recognition.resembles, recognition.formOf].some(
      (decision) => decision?.nodes.some(({ values }) => values.length > 0),
    ),
  });
  yield toFile('options.ts', {
    asks,
    members: questions.members(),
    about: jsdoc({
      summary: 'The options of a receiver.',
      questions: generalEntries(contract),
    }),
  });
  yield toFile('worker.ts', { asks });
  const { places, roots } = numberPlacesOf(
    [...new Set(plan.kinds.map(({ payload }) => payload))],
    indexSchemas(contract),
    await loadDecimalCheck(contract),
  );
  yield toFile('deviations.ts', {
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
    places: literal(places),
  });
  yield toFile('node.ts', {});
  yield toFile('labels.ts', { labels: literal(labelsOf(contract)) });
  const signed = signatures.map((signature) => ({
    ...signature,
    members: signature.questions.members(),
    chooses: signature.questions.options.length > 0,
    hasKeyEncoding: signature.security.signature?.key.encoding !== undefined,
    needsHeaders: signature.headers.length > 0,
    headerMembers: joinCode(
      signature.headers.map(
        (name) => code`readonly ${memberName(name)}: string | readonly string[]`,
      ),
      '; ',
    ),
    about: jsdoc({
      summary:
        `Authenticates deliveries by the signature that the contract states for ${signature.statedFor}.` +
        (signature.isStated
          ? ''
          : ' That notifications carry it is an assumption: ask the operator of the service.'),
      description: signature.security.description,
      questions: entriesAt(contract, signature.security.pointer).filter(
        (entry) => !signature.questions.options.some((option) => option.entry === entry),
      ),
      source: signature.security.signature === undefined ? [] : signature.security.source,
      sourceDocument: contract.info.sourceDocument,
    }),
    signedAbout: jsdoc({
      summary: `Makes what signs deliveries in tests as ${signature.verify} wants them.`,
    }),
  }));
  const secrets = describeSecrets(contract).map((secret) => ({
    ...secret,
    about: jsdoc({
      summary:
        `Authenticates deliveries by the ${secret.what}, which the contract states. Give several during a rotation.` +
        (secret.isAlone ? '' : ' The contract requires other schemes beside it.'),
      description: [secret.security.description, secretWarning(secret)]
        .filter(Boolean)
        .join('\n\n'),
      questions: entriesAt(contract, secret.security.pointer),
      source: secret.security.source,
      sourceDocument: contract.info.sourceDocument,
    }),
  }));
  const certificates = describeCertificates(contract).map((certificate) => ({
    ...certificate,
    about: jsdoc({
      summary:
        'Authenticates deliveries by the client certificate that the contract states. `from` is where the certificate comes from; whose certificate it has to be is what the operator of the service states.',
      description: certificate.security.description,
      questions: entriesAt(contract, certificate.security.pointer),
      source: certificate.security.source,
      sourceDocument: contract.info.sourceDocument,
    }),
  }));
  const comparisons = new Set(secrets.map(({ factory }) => factory));
  const credentials = [...comparisons].filter((name) => name !== 'sharedSecret').toSorted();
  const combination = describeCombination(contract);
  const combined = combination && {
    ...combination,
    about: jsdoc({
      summary: `Combines strategies as the contract does for every notification: ${combination.stated}.`,
    }),
  };
  if (signed.length + secrets.length + certificates.length > 0 || combined !== undefined)
    yield toFile('authentication.ts', {
      signatures: signed,
      secrets,
      certificates,
      combined,
      sharesSecrets: comparisons.has('sharedSecret'),
      credentials:
        credentials.length === 0
          ? undefined
          : joinCode(
              credentials.map((name) => identifier(name)),
              ', ',
            ),
      chooses: signed.some(({ chooses }) => chooses),
      usesSecrets: signed.some(({ isPair }) => !isPair),
      usesPairs: signed.some(({ isPair }) => isPair),
      usesKeySets: signed.some(({ jwks }) => jwks !== undefined),
      namesKeys: signed.some((signature) => signature.isPair && signature.namesKeys),
      patterns: signed.some(({ patterns, isPair }) => patterns && !isPair),
      compares: signed.some(({ needsHeaders }) => needsHeaders),
      signsPath: signed.some(({ signsPath }) => signsPath),
    });
  const bodySignatures = describeBodySignatures(contract).map((signature) => ({
    ...signature,
    about: jsdoc({
      summary:
        'Authenticates deliveries by the signature in the body, which the contract states. It covers these members alone, in order: ' +
        `${coveredMembers(signature)}. An attacker who captured a delivery can change every other member.`,
      description: signature.security.description,
      questions: entriesAt(contract, signature.security.pointer),
      source: signature.security.source,
      sourceDocument: contract.info.sourceDocument,
    }),
  }));
  if (bodySignatures.length > 0) yield toFile('body-signatures.ts', { signatures: bodySignatures });
  yield toFile('index.ts', {
    bodySignatures,
    asks,
    answers: describeAnswers(plan) !== undefined,
    events: eventTypes,
    signatures: signed,
    secrets,
    certificates,
    combined,
  });
  yield toFile('testing.ts', {
    contractPackage,
    signatures: signed,
    bodySignatures,
    hasPathSecret: secrets.some(({ place }) => place === 'path'),
    ...describeDeliveries(contract, plan),
  });
}

/** Loads the analysis of patterns, which takes a moment, if the contract has any. */
async function loadDecimalCheck({ schemas }: Contract): Promise<(pattern: string) => boolean> {
  let hasPattern = false;
  for (const { definition } of schemas)
    visitSchema(definition, ({ pattern }) => {
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
function eventTypesOf({ kinds, unions }: WebhookPlan): readonly string[] {
  return [...kinds, ...unions].map(({ eventType }) => eventType);
}

/**
 * Describes the handlers. The comment of a handler has the label and the notes, and the comment of its event the rest,
 * so that the module has each text once.
 */
function handlersOf({ kinds, unions }: WebhookPlan, { placeOf }: TargetContext): readonly object[] {
  const single = kinds.map(({ notification, eventType }) => {
    const { name, label, notes, deprecated, pointer } = notification;
    const path = label && [label.method, label.path].filter(Boolean).join(' ');
    const labelled = path === undefined ? '' : `, labelled \`${path}\``;
    const summary = `Handles each \`${eventType}\`${labelled}.`;
    const place = placeOf?.(pointer);
    return { name, eventType, comment: jsdoc({ summary, notes, deprecated, place }) };
  });
  const several = unions.map(({ name, eventType, listed, deprecated }) => {
    const summary = `Handles each \`${eventType}\`: what is one of ${listed}.`;
    return { name, eventType, comment: jsdoc({ summary, deprecated }) };
  });
  return [...single, ...several];
}

function eventsOf(
  contract: Contract,
  { kinds, unions }: WebhookPlan,
  { placeOf }: TargetContext,
): readonly object[] {
  const single = kinds.map((kind) => {
    const { notification, eventType } = kind;
    const { sourceDocument } = contract.info;
    return {
      eventType,
      comment: jsdoc({
        ...notification,
        notes: [],
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
        summary: summaryOfUnion(union),
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

/** Returns the entries that events depend on, without those that concern every notification. */
function ownEntries(contract: Contract, places: readonly Pointer[]): readonly Unstated[] {
  const general = new Set(generalEntries(contract));
  return entriesAt(contract, ...places).filter((entry) => !general.has(entry));
}

function dataOf(kinds: readonly PlannedKind[]): Code {
  const names = [...new Set(kinds.map(({ payload }) => payload.typeName))];
  return joinCode(
    names.map((name) => code`contract.${identifier(name)}`),
    ' | ',
  );
}

function formsOf(kinds: readonly PlannedKind[]): Code {
  return literalUnion([...new Set(kinds.flatMap((kind) => kind.forms))]);
}
