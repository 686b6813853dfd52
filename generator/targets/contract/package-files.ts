import type { Contract, Unstated } from '../../contract/contract.ts';
import { literal } from '../escape.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { borrowExamples } from './examples.ts';
import { publishedForm, stateOf } from './data-files.ts';
import { documentFileNames, packageFolder } from './layout.ts';

/** What makes the folder a package: its manifest, compiler options, licence and description. */
export function* emitPackageFiles(
  contract: Contract,
  context: TargetContext,
): Generator<OutputFile> {
  const { info } = contract;
  const name = context.packageNames['contract'] ?? `${context.scope}/${packageFolder}`;
  const about = info.summary ?? `Types, validators and JSON Schemas of ${info.title}.`;
  const license = licenseOf(contract);
  const documents = documentFileNames(contract);
  const toFile = (path: string, template: string, data: object): OutputFile => ({
    path: `${packageFolder}/${path}`,
    text: context.render(template, data),
    from: [info.pointer],
  });
  yield toFile('package.json', 'package.json', {
    name,
    version: context.version,
    description: oneLine(about),
    license,
    dataExports: [...documents, 'schemas/*.json'].map((file) => `./${file}`),
    documents,
  });
  yield toFile('tsconfig.json', 'tsconfig.json', {});
  if (license === 'MIT') yield toFile('LICENSE', 'LICENSE', { holder: info.title });
  yield toFile('README.md', 'README.md', {
    name,
    about,
    title: info.title,
    contractVersion: info.version,
    example: exampleOf(contract),
    schemas: contract.schemas.map(({ typeName, description, title }) => ({
      typeName,
      about: firstSentence(description ?? title ?? ''),
    })),
    files: [...documents, 'schemas/*.json'].map((path) => ({
      path,
      about: describeFile(path, contract),
    })),
    ledger: describeLedger(contract.unstated),
    unstated: sortLedger(contract.unstated).map(toRow),
  });
}

const fileDescriptions: Readonly<Record<string, string>> = {
  'openapi.json': 'The contract as one OpenAPI document, notifications included.',
  'asyncapi.json': 'The notifications as one AsyncAPI document.',
  'unstated.json': 'What the contract leaves open: questions, choices, answers.',
};

function describeFile(path: string, contract: Contract): string {
  const known = fileDescriptions[path];
  if (known !== undefined) return known;
  return publishedForm(contract) === 'self-contained'
    ? 'A self-contained JSON Schema 2020-12 for each type.'
    : 'A JSON Schema 2020-12 for each type; they refer to one another by file name.';
}

/** SPDX, as npm wants it; a licence that has only a name is not repeated as if it were an expression. */
export function licenseOf({ info }: Contract): string | undefined {
  const { identifier, name } = info.license ?? {};
  return identifier ?? (/^MIT(?: License)?$/iu.test(name ?? '') ? 'MIT' : undefined);
}

/** A valid value to show: of a notification where there is one, else of a schema. */
function exampleOf(contract: Contract): object | undefined {
  const borrowed = borrowExamples(contract);
  const ofNotifications = contract.notifications.map(({ payload }) => payload);
  const names = [...ofNotifications, ...contract.schemas.map(({ name }) => name)];
  for (const name of names) {
    const schema = contract.schemas.find((candidate) => candidate.name === name);
    const value = schema?.examples[0] ?? borrowed.get(name)?.[0];
    if (schema === undefined || value === undefined) continue;
    return { typeName: schema.typeName, value: literal(value), wrong: literal(null) };
  }
  return undefined;
}

function describeLedger(unstated: readonly Unstated[]): string {
  const count = (state: string): number =>
    unstated.filter((entry) => stateOf(entry) === state).length;
  return (
    `${unstated.length} entries: ${count('open')} open, ${count('assumed')} assumed, ` +
    `${count('settled')} settled. An open entry has no answer until somebody gives one.`
  );
}

const stateOrder = ['open', 'assumed', 'settled'] as const;

function sortLedger(unstated: readonly Unstated[]): readonly Unstated[] {
  return stateOrder.flatMap((state) => unstated.filter((entry) => stateOf(entry) === state));
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
    source: source.join(', '),
  };
}

export function firstSentence(text: string): string {
  const line = oneLine(text);
  return /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
