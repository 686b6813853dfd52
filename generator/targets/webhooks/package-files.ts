import { proofsOf, verifiableProofs } from '../../contract/authentication.ts';
import type { Contract, Notification } from '../../contract/contract.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { nodeTypes } from '../package/node-types.ts';
import {
  emitPackageFrame,
  addCommand,
  addsFolders,
  packageName,
  packageRange,
  webLibraries,
} from '../package/package-files.ts';
import { runtimePackage } from '../package/runtime-package.ts';
import { describeGoingLive } from '../package/going-live.ts';
import { firstSentence, oneLine } from '../package/prose.ts';
import { stubsFolder } from '../stubs/emit-stubs.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { describeAnswers } from './answers.ts';
import { describeExample } from '../printing/receiver-example.ts';
import { packageFolder, type EventKind, eventsOf } from '../../contract/events.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { sharedEntries } from '../../contract/shared-entries.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { kindsOfBody } from '../../recognition/body-kinds.ts';
import { code } from '../code.ts';
import { identifier, literal, object, objectUnlessEmpty } from '../escape.ts';
import { headerVariable } from '../printing/secret-variables.ts';
import { describeReceiverLedger } from './receiver-ledger.ts';
import { enginesOf, inboxStoresOf } from '../printing/inbox-stores.ts';
import { hasDeviations } from '../printing/receiver-options.ts';
import { receiverQuestions } from '../printing/receiver-questions.ts';
import { describeCombination } from '../printing/certificate-code.ts';
import { listedTypes, sampleHandlers } from '../printing/sample-handlers.ts';
import { describeSignatures, type SignatureCode } from '../printing/signature-code.ts';
import { describeRecipes } from '../printing/signature-recipe.ts';
import { proofPrinters } from '../printing/proofs/printers.ts';

/** Emits the files of the package besides its code: manifest, compiler options, licence and README. */
export async function* emitPackageFiles(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const signatures = describeSignatures(contract);
  const entries = [
    ...(hasDeviations(context.options) ? ['deviations'] : []),
    ...(inboxStoresOf(context.options).length > 0 ? ['worker'] : []),
    ...(enginesOf(context.options).length > 0 ? ['consumer'] : []),
  ];
  yield* emitPackageFrame(contract, context, {
    target: packageFolder,
    description: `A typed receiver of the notifications of ${oneLine(contract.info.title)}.`,
    entries: ['index', 'node', 'testing', ...entries],
    files: ['src', stubsFolder],
    dependencies: {
      [packageName(context, 'contract')]: packageRange(context, 'contract'),
      [packageName(context, runtimePackage)]: packageRange(context, runtimePackage),
    },
    // Only the entry `node` needs the types of Node.
    optionalPeers: { '@types/node': nodeTypes },
    devDependencies: { '@types/node': nodeTypes },
    lib: webLibraries,
    references: ['contract', runtimePackage],
    include: ['src'],
    hasAgentsFile: true,
    readme: {
      ...describeReadme(contract, context, signatures),
      // A signature of calls that notifications may have too is described where calls are.
      recipes: await describeRecipes(
        contract,
        signatures.filter(({ isStated }) => isStated).map(({ security }) => security),
      ),
    },
  });
}

function describeReadme(
  contract: Contract,
  context: TargetContext,
  signatures: readonly SignatureCode[],
): object {
  const name = packageName(context, packageFolder);
  const plan = eventsOf(contract);
  const kinds = plan.kinds.map(({ notification }) => ({
    name: notification.name,
    label:
      notification.label === undefined
        ? ''
        : `${notification.label.method ?? ''} ${notification.label.path}`.trim(),
    ...describeKind(notification),
  }));
  const identity = describeIdentity(contract);
  const example = describeExample(contract);
  const shown = example.first?.name ?? plan.kinds[0]?.notification.name;
  const sample = sampleHandlers(contract).find((handler) => handler.name === shown);
  const ledger = describeReceiverLedger(contract, signatures);
  const described = new Set(ledger.flatMap(({ entries }) => entries.map(({ id }) => id)));
  const contractPackage = packageName(context, 'contract');
  const unready = proofsOf(contract, 'unready');
  const combination = describeCombination(contract);
  const listed = sample && listedTypes([sample]);
  const stores = inboxStoresOf(context.options);
  return {
    contractPackage,
    addsFolders: addsFolders(context),
    install: addCommand(
      context,
      [
        packageFolder,
        ...(listed === undefined ? [] : ['contract']),
        // An application imports its inbox from the runtime.
        ...(stores.length === 0 ? [] : [runtimePackage]),
      ],
      stores.length === 0 || stores.includes('sqlite') ? [] : ['pg'],
    ),
    goingLive: describeGoingLive(contract, 'notifications', packageName(context, 'contract')),
    testing: `${name}/testing`,
    node: `${name}/node`,
    worker: `${name}/worker`,
    consumer: enginesOf(context.options).length > 0 ? `${name}/consumer` : '',
    hasInbox: stores.length > 0,
    isSqlite: stores.includes('sqlite'),
    deviations: hasDeviations(context.options) ? `${name}/deviations` : '',
    responds: describeAnswers(plan) !== undefined,
    kinds,
    unions: plan.unions.map(({ name: union, summary, notes, kinds: members }) => ({
      name: union,
      about: oneLine(summary),
      // A note of one kind is beside that kind.
      notes: notes
        .filter((note) => !members.some((kind) => note.startsWith(`${kind.notification.name}: `)))
        .map(oneLine),
      examples: examplesOf(contract, members),
    })),
    openAboutDelivery: sharedEntries(contract)
      .filter(({ documentation, settled }) => documentation === true && settled === undefined)
      .map(({ id }) => id),
    openAboutKeys: describeOpenKeys(contract, signatures),
    rotation: describeRotation(contract, signatures),
    repeatsAreNew:
      identity?.hasNone === true ||
      contract.notifications.some(({ dedupeBy }) => dedupeBy === undefined),
    hasLabels: kinds.some(({ label }) => label !== undefined),
    hasDetails: kinds.some(({ details, notes }) => details !== '' || notes.length > 0),
    ...example,
    sample,
    listed,
    strategies: proofPrinters.flatMap(({ strategies }) => strategies(contract)),
    unready,
    unreadyIds: unready.map(({ scheme, what }) => `${scheme} (${what})`).join(', '),
    bodySignatures: proofsOf(contract, 'body-signature').length > 0,
    certificate: proofsOf(contract, 'certificate')[0]?.verify,
    combination: combination?.stated,
    isStated: verifiableProofs(contract).length > 0,
    statesNone: contract.authentication.isNone,
    identity,
    recognizesNone: identity?.hasNone === true,
    options: receiverQuestions(contract).rows(described),
    ledger,
  };
}

/** The option that decides what a repetition is. */
interface Identity {
  readonly option: string;
  readonly id: string;
  readonly choices: readonly object[];
  /** Whether nothing is a repetition by default. */
  readonly hasNone: boolean;
}

/** Describes the option that decides what a repetition is, where the contract leaves that open for some kind. */
function describeIdentity(contract: Contract): Identity | undefined {
  const asked = new Set(contract.notifications.map(({ dedupeBy }) => unstatedId(dedupeBy)));
  const found = receiverQuestions(contract).options.find(({ entry }) => asked.has(entry.id));
  if (found === undefined) return undefined;
  const { name: option, entry } = found;
  const choices = entry.choices.map(({ name, meaning, value }) => ({
    name,
    isDefault: name === entry.assumed,
    meaning: oneLine(meaning),
    members: membersOf(value),
    isEmpty: Array.isArray(value) && value.length === 0,
  }));
  const hasNone = choices.some(({ isDefault, isEmpty }) => isDefault && isEmpty);
  return { option, id: entry.id, choices, hasNone };
}

/** Returns the members of bodies that expressions read; not those that read a whole body. */
function membersOf(expressions: unknown): readonly string[] {
  if (!Array.isArray(expressions)) return [];
  return expressions.flatMap((expression: unknown) => {
    const [, pointer] = /^\$request\.body#(\/.+)$/u.exec(String(expression)) ?? [];
    return pointer === undefined ? [] : pointerMembers(pointer).join('.');
  });
}

/**
 * Returns the examples whose bodies could be of each of some kinds, where these have one label; none if all examples
 * could, which the union itself says.
 */
function examplesOf(
  { recognition }: Contract,
  kinds: readonly EventKind[],
): readonly { readonly kind: string; readonly example: string }[] {
  const names = new Set(kinds.map(({ notification }) => notification.name));
  const labels = new Set(kinds.map(({ notification: { label } }) => JSON.stringify(label?.path)));
  if (labels.size > 1) return [];
  const unclear = kinds.flatMap(({ notification: { name, examples } }) =>
    examples.flatMap((example) => {
      const { possible, named } = kindsOfBody(recognition, example.value);
      const isUnclear = [possible, named].every(
        (found) => found.size === names.size && [...found].every((kind) => names.has(kind)),
      );
      return isUnclear ? [{ kind: name, example: example.name }] : [];
    }),
  );
  const all = kinds.flatMap(({ notification: { examples } }) => examples);
  return unclear.length === all.length ? [] : unclear;
}

/** Returns the ids of open questions about the signatures that the contract states for calls, which no option decides. */
function describeOpenKeys(
  contract: Contract,
  signatures: readonly SignatureCode[],
): readonly string[] {
  return entriesAt(contract, ...signatures.map(({ security }) => security.pointer))
    .filter(({ documentation, settled }) => documentation === true && settled === undefined)
    .map(({ id }) => id);
}

/** Describes how the signature of calls is verified during a rotation, where notifications may carry it. */
function describeRotation(
  contract: Contract,
  signatures: readonly SignatureCode[],
): object | undefined {
  const proposed = signatures.find(({ isStated, isPair }) => !isStated && !isPair);
  if (proposed === undefined || !contract.authentication.isUnstated) return undefined;
  const { verify, signer, headers, questions, alwaysSignsUrl } = proposed;
  const answers = questions.required();
  const key = code`secrets[0] ?? ''`;
  return {
    verify,
    signer,
    headers: headers.length > 0,
    strategy: code`${identifier(verify)}(${object([
      ['keys', code`secrets`],
      [
        'headers',
        objectUnlessEmpty(
          headers.map((header) => [
            header,
            code`process.env[${literal(headerVariable(header))}] ?? ''`,
          ]),
        ),
      ],
      ['publicUrl', alwaysSignsUrl ? literal('https://hooks.example.com') : undefined],
      ...answers,
    ])})`,
    signing: code`${identifier(signer)}(${object([['key', key], ...answers])})`,
  };
}

/** Describes a kind: one sentence for the table, and what is below it. */
function describeKind({ summary, description, notes }: Notification): {
  readonly about: string;
  readonly details: string;
  readonly notes: readonly string[];
} {
  const about = summary ?? firstSentence(description ?? '');
  const details = summary === undefined ? '' : (description ?? '');
  return { about: oneLine(about), details: oneLine(details), notes: (notes ?? []).map(oneLine) };
}
