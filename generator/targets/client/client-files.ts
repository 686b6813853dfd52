import type { Content, Contract } from '../../contract/contract.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import { formatFile } from '../format.ts';
import { jsdoc } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import { canHavePattern } from '../signature-scheme.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { describeConnection } from './connection-code.ts';
import { describeAddressOptions } from './server-code.ts';
import { exampleOf } from './example-options.ts';
import { documentationOf } from './operation-files.ts';
import { kindOf, requestContent, responseContent } from './media-types.ts';
import { packageFolder, planOperations } from './plan.ts';

/** The names that the code of a connection imports from the signing runtime. */
export const namesOfSigning: readonly string[] = ['timestampPatterns', 'writeTimestamp'];

/** Emits the modules of the client besides its operations: options, connection, client and entries. */
export async function* emitClient(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const { planned } = planOperations(contract);
  const { questions, security, service, account, answers, dependencies } =
    describeConnection(contract);
  const addresses = describeAddressOptions(contract);
  const sourceDocument = contract.info.sourceDocument;
  const credentials = security.credentials.map(({ required, name, type, ...about }) => ({
    name,
    type,
    optional: !required,
    comment: jsdoc({ ...about, sourceDocument }),
  }));
  const toFile = (name: string, data: object, from: OutputFile['from'] = []): OutputFile => ({
    path: `${packageFolder}/src/${name}.ts`,
    text: context.render(`${name === 'unchecked' ? 'index' : name}.ts`, data),
    from,
  });
  const from = [
    ...contract.security.map(({ pointer }) => pointer),
    ...questions.options.map(({ entry }) => entry.pointer),
  ];
  const demandsCredentials = credentials.some(({ optional }) => !optional);
  const imports = new Set([
    ...service.imports,
    ...(account?.imports ?? []),
    ...(answers?.imports ?? []),
  ]);
  const ofSigning = namesOfSigning.filter((name) => imports.has(name));
  const signers = ['createSigner', 'createKeyPairSigner'];
  const usesPatterns = contract.security.some(
    ({ signature }) => signature !== undefined && canHavePattern(contract, signature),
  );
  const shared = {
    hasCredentials: credentials.length > 0,
    demandsCredentials,
    usesSigner: imports.has('createSigner'),
    usesPairs: imports.has('createKeyPairSigner'),
    needsOptions:
      !addresses.hasDefault ||
      demandsCredentials ||
      questions.options.some(({ optional }) => !optional),
  };
  const options = {
    ...shared,
    contractPackage: packageName(context, 'contract'),
    credentials,
    usesContract: credentials.some(({ type }) => /\bcontract\./u.test(type.text)),
    dependencies: dependencies.length === 0 ? undefined : joinCode(dependencies, ' & '),
    usesPrivateKey: credentials.some(({ type }) => type.imports.includes('PrivateKey')),
    runtimeTypes: [...new Set(credentials.flatMap(({ type }) => type.imports))]
      .filter((name) => name !== 'PrivateKey')
      .toSorted(),
    addresses: joinCode(addresses.members, '\n'),
    options: questions.members(),
  };
  yield toFile('options', options, from);
  const connection = {
    ...shared,
    imports: [...imports]
      .filter((name) => !ofSigning.includes(name) && !signers.includes(name))
      .toSorted(),
    ofSigning,
    operations: Array.from(security.operations, ({ constant, fileName }) => ({
      constant,
      from: `./operations/${fileName}.ts`,
    })),
    service,
    account,
    answers,
  };
  yield toFile('connection', connection, from);
  const operations = planned.map((plan) => ({
    ...plan,
    route: literal(`${plan.operation.method} ${plan.operation.path}`),
    comment: jsdoc(documentationOf(plan, contract, context)),
    from: `./operations/${plan.fileName}.ts`,
  }));
  yield toFile('client', { ...shared, operations });
  const { exampleOptions } = exampleOf(
    contract,
    planOperations(contract),
    describeConnection(contract),
  );
  const exampleCode =
    exampleOptions.text === ''
      ? undefined
      : (
          await formatFile('example.ts', `const client = createClient(${exampleOptions.text});`)
        ).trimEnd();
  const hasChecks = context.validators !== false;
  for (const name of hasChecks ? ['index', 'unchecked'] : ['index']) {
    const checked = hasChecks && name === 'index';
    yield toFile(name, {
      ...shared,
      checked,
      usesPatterns,
      signer: new Code(
        usesPatterns && !checked
          ? '(scheme, signerOptions) => createSigner(scheme, signerOptions, timestampPatterns)'
          : 'createSigner',
      ),
      comment: jsdoc({
        summary: `Creates a client that ${checked ? 'validates every response' : 'does not validate responses'}. Throws a ClientError for options that are out of range.`,
        exampleCode,
      }),
      list: joinCode(
        planned.map((plan) => code`${identifier(plan.name)}: ${identifier(plan.constant)}`),
      ),
      usesParts: planned.some(({ operation }) => has('multipart', requestContent(operation))),
      usesEvents: planned.some(({ operation }) =>
        operation.responses.some((response) => has('events', responseContent(operation, response))),
      ),
      operations: operations.map((plan) => ({
        ...plan,
        module: checked ? `./checked/${plan.fileName}.ts` : plan.from,
        typeModule: plan.from,
      })),
    });
  }
}

function has(kind: ReturnType<typeof kindOf>, contents: readonly Content[]): boolean {
  return contents.some(({ mediaType }) => kindOf(mediaType) === kind);
}
