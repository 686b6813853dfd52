import { describeChanges } from '../../contract/answer-changes.ts';
import type { Contract, Unstated } from '../../contract/contract.ts';
import { indexSchemas, type SchemaIndex } from '../../schema/references.ts';
import { literal } from '../escape.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { describeProtocols, describeSender } from '../messages.ts';
import {
  addCommand,
  addsFolders,
  emitPackageFrame,
  packageName,
} from '../package/package-files.ts';
import { describeGoingLive } from '../package/going-live.ts';
import { describeOverview } from '../package/overview.ts';
import { oneLine, withNotes } from '../package/prose.ts';
import { inheritExamples } from './examples.ts';
import { groupByState, stateOf } from '../../contract/ledger-states.ts';
import { formatPackages, hasFormatGuards } from './format-types.ts';
import { hasQuestions } from './open-questions-file.ts';
import { listData } from './data-files.ts';
import { packageFolder } from './layout.ts';
import { type ContractOptions, schemasToValidate } from './options.ts';
import { describeScalars } from '../printing/types/schema-notes.ts';
import { parameterModules } from '../printing/validators/parameter-validators.ts';

/** Emits the files of the package besides its code and data: manifest, compiler options, licence and README. */
export function* emitPackageFiles(
  contract: Contract,
  context: TargetContext<ContractOptions>,
): Generator<OutputFile> {
  const { info } = contract;
  const validators = context.validators !== false;
  const parts = validators ? 'Types, validators' : 'Types';
  const about = info.summary ?? `${parts} of ${info.title}.`;
  const runtime = validators || hasFormatGuards(contract) ? ['runtime'] : [];
  const data = listData(contract, context.options);
  const modulesOfParameters = validators ? parameterModules(contract) : [];
  const validated = indexSchemas(schemasToValidate(contract, context));
  yield* emitPackageFrame(contract, context, {
    target: packageFolder,
    description: oneLine(about),
    entries: [
      'index',
      ...(hasQuestions(contract) ? ['open-questions'] : []),
      ...(validators ? ['validation'] : []),
    ],
    // Other packages call these functions: validators those of keywords, clients those of parameters.
    data: [
      ...(validators ? ['runtime/keywords.js'] : []),
      ...modulesOfParameters,
      ...data.map(({ exported }) => exported),
    ],
    files: [...runtime, 'src', ...data.map(({ published }) => published)],
    peers: Object.fromEntries(formatPackages(contract).map((name) => [name, '*'])),
    lib: ['es2023'],
    include: ['src', ...runtime.map((folder) => `${folder}/**/*.d.ts`)],
    readme: {
      addsFolders: addsFolders(context),
      install: addCommand(context, [packageFolder]),
      overview: describeOverview(contract),
      goingLive: describeGoingLive(contract, 'both'),
      validators,
      example: exampleOf(contract, validated),
      ...describeSchemas(contract, validated),
      scalars: describeScalars(contract),
      data,
      messages: describeMessages(contract),
      ledger: describeLedger(contract.unstated),
      questionsModule: `${packageName(context, packageFolder)}/open-questions`,
      firstQuestion: contract.unstated[0]?.id ?? '',
      unstated: groupByState(contract.unstated).flatMap(([, entries]) => entries.map(toRow)),
    },
  });
}

/** Returns the rows of the README about schemas: those with a validator, and those that have only a type. */
function describeSchemas(contract: Contract, validated: SchemaIndex): object {
  const [typedOnly, schemas] = [false, true].map((hasValidator) =>
    contract.schemas
      .filter(({ name }) => validated.has(name) === hasValidator)
      .map(({ typeName, description, title, notes }) => ({
        typeName,
        about: withNotes(description ?? title ?? '', notes),
      })),
  );
  return { schemas, typedOnly };
}

/** Returns a valid value for the README: an example of a notification, or else of any schema with a validator. */
function exampleOf(contract: Contract, validated: SchemaIndex): object | undefined {
  const borrowed = inheritExamples(contract);
  const ofNotifications = contract.notifications.map(({ payload }) => payload);
  for (const name of [...ofNotifications, ...validated.keys()]) {
    const schema = validated.get(name);
    const value = schema?.examples[0] ?? borrowed.get(name)?.value;
    if (schema === undefined || value === undefined) continue;
    return { typeName: schema.typeName, value: literal(value), wrong: literal(null) };
  }
  return undefined;
}

function describeMessages({ messages, schemas }: Contract): readonly object[] {
  const typeNames = new Map(schemas.map(({ name, typeName }) => [name, typeName]));
  return messages.map((message) => ({
    id: message.id,
    operation: message.operation,
    sender: describeSender(message),
    protocols: describeProtocols(message),
    address: message.address ?? '',
    types: [message.payload, message.headers]
      .flatMap((name) => typeNames.get(name ?? '') ?? [])
      .join(', '),
  }));
}

function describeLedger(unstated: readonly Unstated[]): string {
  const counts = groupByState(unstated).map(([state, { length }]) => `${length} ${state}`);
  return `${unstated.length} entries: ${counts.join(', ')}. An open entry has no answer yet.`;
}

function toRow(entry: Unstated): object {
  const { id, question, source, choices, assumed, settled } = entry;
  const chosen = settled ?? assumed;
  const meaning = choices.find(({ name }) => name === chosen)?.meaning;
  const options = choices.map(({ name }) => name).join(', ');
  return {
    id,
    state: stateOf(entry),
    question,
    answer:
      chosen === undefined ? options : meaning === undefined ? chosen : `${chosen}: ${meaning}`,
    changes: describeChanges(entry).join('; ') || 'documentation only',
    source: source.join(', '),
  };
}
