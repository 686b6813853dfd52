import type { BodyKind, Content, Contract } from '../../contract/contract.ts';
import { successesOf } from '../../contract/outcomes.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { pick } from '../../json/json.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literalUnion } from '../escape.ts';
import { formatFile } from '../format.ts';
import { jsdoc } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import { canHavePattern } from '../../contract/signature-scheme.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import type { ConnectionCode } from '../printing/connection-code.ts';
import { describeAddressOptions } from '../printing/server-code.ts';
import { exampleCall } from '../printing/call-example.ts';
import { exampleOf } from '../printing/client-example.ts';
import { describeChecks, hasOneModule, operationPath } from './operation-files.ts';
import { specifierOf } from '../printing/modules.ts';
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
  const described = describeClient(contract, connection);
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
  const hasChecks = context.validators !== false;
  const entry = await describeEntry(contract, calls, described);
  for (const name of hasChecks ? ['index', 'unchecked'] : ['index'])
    yield toFile(name, {
      ...entryModule(described, entry, hasChecks && name === 'index'),
      ...describeEntryCalls(contract, context, hasChecks && name === 'index'),
    });
}

/** What the modules of a client share. */
type ClientCode = ReturnType<typeof describeClient>;

function describeClient(contract: Contract, connection: ConnectionCode) {
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
  const lists = callsOf(contract)
    .filter(({ operation }) => operation.pagination !== undefined)
    .map(({ name }) => name);
  const demandsCredentials = credentials.some(({ optional }) => !optional);
  return {
    connection,
    addresses,
    credentials,
    /** The names that the connection imports from the runtimes. */
    imports,
    /** What every template reads. */
    shared: {
      hasCredentials: credentials.length > 0,
      demandsCredentials,
      /** The names of the calls whose lists go on, as a union. */
      lists: lists.length === 0 ? undefined : literalUnion(lists),
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
    operations: Array.from(security.operations.values(), (call) => ({
      name: call.name,
      from: specifierOf('src/connection', `${operationPath(call)}.ts`),
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
  readonly usesParts: boolean;
  readonly usesEvents: boolean;
}

async function describeEntry(
  contract: Contract,
  calls: readonly Call[],
  { connection }: ClientCode,
): Promise<EntryCode> {
  const shown = exampleCall(contract, calls)?.call.operation;
  const { exampleOptions } = exampleOf(contract, calls, connection, shown);
  const example = `const client = createClient(${exampleOptions.text});`;
  return {
    usesPatterns: contract.security.some(
      ({ signature }) => signature !== undefined && canHavePattern(contract, signature),
    ),
    exampleCode:
      exampleOptions.text === '' ? undefined : (await formatFile('example.ts', example)).trimEnd(),
    usesParts: calls.some(({ operation }) => has('multipart', requestContent(operation))),
    usesEvents: calls.some(({ operation }) =>
      successesOf(operation).some(({ response }) =>
        has('events', responseContent(operation, response)),
      ),
    ),
  };
}

function entryModule(
  { shared }: ClientCode,
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
      summary: `Creates a client that ${checked ? 'validates every input and response' : 'validates neither inputs nor responses'}. Throws a ClientError for options that are out of range.`,
      exampleCode,
    }),
  };
}

/** Describes the calls of an entry: those that it imports and exports, and the checks that it adds itself. */
function describeEntryCalls(contract: Contract, context: TargetContext, checked: boolean): object {
  const calls = callsOf(contract);
  const addsChecks = checked && hasOneModule(contract);
  const {
    operations: checks,
    shared,
    imports,
  } = describeChecks(addsChecks ? calls : [], contract, context);
  const own = new Set(checks.map(({ name }) => name));
  return {
    checks,
    shared,
    imports,
    checksPages: checks.some(({ listPath }) => listPath !== undefined),
    usesUnchecked: addsChecks,
    imported:
      addsChecks || calls.length === 0
        ? undefined
        : joinCode(calls.map(({ name }) => identifier(name))),
    list: joinCode(
      calls.map(({ name }) =>
        addsChecks && !own.has(name)
          ? code`${identifier(name)}: unchecked.${identifier(name)}`
          : identifier(name),
      ),
    ),
    all: checked && !addsChecks ? './checks.ts' : './operations.ts',
  };
}

function has(kind: BodyKind, contents: readonly Content[]): boolean {
  return contents.some((content) => content.kind === kind);
}
