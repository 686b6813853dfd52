import type { BodyKind, Content, Contract } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { failuresOf, successesOf } from '../../contract/outcomes.ts';
import { pick } from '../../json/json.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import { formatFile } from '../format.ts';
import { jsdoc } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import { canHavePattern } from '../../contract/signature-scheme.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import type { ConnectionCode } from '../printing/connection-code.ts';
import { describeAddressOptions } from '../printing/server-code.ts';
import { exampleOf } from '../printing/client-example.ts';
import { documentationOf } from './operation-files.ts';
import { requestContent, responseContent } from '../../contract/media-types.ts';
import { type Call, callsOf, packageFolder } from '../../contract/calls.ts';

/** The names that the code of a connection imports from the signing runtime. */
const namesOfSigning: readonly string[] = ['timestampPatterns', 'writeTimestamp'];

/** Emits the modules of the client besides its operations: options, connection, client and entries. */
export async function* emitClient(
  contract: Contract,
  connection: ConnectionCode,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const calls = callsOf(contract);
  const described = describeClient(contract, calls, connection, context);
  const toFile = (name: string, data: object, from: OutputFile['from'] = []): OutputFile => ({
    path: `${packageFolder}/src/${name}.ts`,
    text: context.render(`${name === 'unchecked' ? 'index' : name}.ts`, data),
    from,
  });
  const from = [
    ...contract.security.map(({ pointer }) => pointer),
    ...described.connection.questions.options.map(({ entry }) => entry.pointer),
  ];
  yield toFile('options', optionsModule(described, packageName(context, 'contract')), from);
  yield toFile('connection', connectionModule(described), from);
  yield toFile('client', { ...described.shared, operations: described.operations });
  const hasChecks = context.validators !== false;
  const entry = await describeEntry(contract, calls, described);
  for (const name of hasChecks ? ['index', 'unchecked'] : ['index'])
    yield toFile(name, entryModule(described, entry, hasChecks && name === 'index'));
}

/** What the modules of a client share. */
type ClientCode = ReturnType<typeof describeClient>;

function describeClient(
  contract: Contract,
  calls: readonly Call[],
  connection: ConnectionCode,
  context: TargetContext,
) {
  const { questions, security, service, account, answers } = connection;
  const addresses = describeAddressOptions(contract);
  const { sourceDocument } = contract.info;
  const credentials = security.credentials.map((credential) => ({
    name: credential.name,
    type: credential.type,
    optional: !credential.required,
    comment: jsdoc({
      ...pick(credential, 'description', 'source', 'notes', 'deprecated'),
      questions: entriesAt(contract, ...credential.places),
      sourceDocument,
    }),
  }));
  const imports = new Set([service, account, answers].flatMap((part) => part?.imports ?? []));
  const demandsCredentials = credentials.some(({ optional }) => !optional);
  return {
    connection,
    addresses,
    credentials,
    /** The names that the connection imports from the runtimes. */
    imports,
    operations: calls.map((call) => ({
      ...call,
      route: literal(`${call.operation.method} ${call.operation.path}`),
      comment: jsdoc(documentationOf(call, contract, context)),
      from: `./operations/${call.fileName}.ts`,
      hasFailures: failuresOf(call.operation).length > 0,
    })),
    /** What every template reads. */
    shared: {
      hasCredentials: credentials.length > 0,
      demandsCredentials,
      usesSigner: imports.has('createSigner'),
      usesPairs: imports.has('createKeyPairSigner'),
      needsOptions:
        !addresses.hasDefault ||
        demandsCredentials ||
        questions.options.some(({ optional }) => !optional),
    },
  };
}

function optionsModule(
  { connection, addresses, credentials, shared }: ClientCode,
  contractPackage: string,
): object {
  const { dependencies, questions } = connection;
  const runtimeTypes = [...new Set(credentials.flatMap(({ type }) => type.imports))];
  return {
    ...shared,
    contractPackage,
    credentials,
    usesContract: credentials.some(({ type }) => /\bcontract\./u.test(type.text)),
    dependencies: dependencies.length === 0 ? undefined : joinCode(dependencies, ' & '),
    usesPrivateKey: runtimeTypes.includes('PrivateKey'),
    runtimeTypes: runtimeTypes.filter((name) => name !== 'PrivateKey').toSorted(),
    addresses: joinCode(addresses.members, '\n'),
    options: questions.members(),
  };
}

function connectionModule({ connection, imports, shared }: ClientCode): object {
  const { security, service, account, answers } = connection;
  const ofSigning = namesOfSigning.filter((name) => imports.has(name));
  const importedElsewhere = new Set([...ofSigning, 'createSigner', 'createKeyPairSigner']);
  return {
    ...shared,
    imports: [...imports].filter((name) => !importedElsewhere.has(name)).toSorted(),
    ofSigning,
    operations: Array.from(security.operations.values(), ({ constant, fileName }) => ({
      constant,
      from: `./operations/${fileName}.ts`,
    })),
    service,
    account,
    answers,
  };
}

/** What the two entries of a client share. */
interface EntryCode {
  readonly usesPatterns: boolean;
  /** A call of `createClient`; left out if it needs no options. */
  readonly exampleCode: string | undefined;
  readonly list: Code;
  readonly usesParts: boolean;
  readonly usesEvents: boolean;
}

async function describeEntry(
  contract: Contract,
  calls: readonly Call[],
  { connection }: ClientCode,
): Promise<EntryCode> {
  const { exampleOptions } = exampleOf(contract, calls, connection);
  const example = `const client = createClient(${exampleOptions.text});`;
  return {
    usesPatterns: contract.security.some(
      ({ signature }) => signature !== undefined && canHavePattern(contract, signature),
    ),
    exampleCode:
      exampleOptions.text === '' ? undefined : (await formatFile('example.ts', example)).trimEnd(),
    list: joinCode(
      calls.map(({ name, constant }) => code`${identifier(name)}: ${identifier(constant)}`),
    ),
    usesParts: calls.some(({ operation }) => has('multipart', requestContent(operation))),
    usesEvents: calls.some(({ operation }) =>
      successesOf(operation).some(({ response }) =>
        has('events', responseContent(operation, response)),
      ),
    ),
  };
}

function entryModule(
  { shared, operations }: ClientCode,
  { exampleCode, ...entry }: EntryCode,
  checked: boolean,
): object {
  // What is checked of the scheme, the generator has checked.
  const signerMaker = new Code(checked ? 'createCheckingSigner' : 'createSigner');
  return {
    ...shared,
    ...entry,
    checked,
    signerMaker,
    signer: entry.usesPatterns
      ? code`(scheme, signerOptions) => ${signerMaker}(scheme, signerOptions, timestampPatterns)`
      : signerMaker,
    comment: jsdoc({
      summary: `Creates a client that ${checked ? 'validates every response' : 'does not validate responses'}. Throws a ClientError for options that are out of range.`,
      exampleCode,
    }),
    operations: operations.map((operation) => ({
      ...operation,
      module: checked ? `./checked/${operation.fileName}.ts` : operation.from,
      typeModule: operation.from,
    })),
  };
}

function has(kind: BodyKind, contents: readonly Content[]): boolean {
  return contents.some((content) => content.kind === kind);
}
