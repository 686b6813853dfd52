import type { Content, Contract } from '../../contract/contract.ts';
import { openEntriesAt } from '../../contract/open-entries.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { describeConnection } from './connection-code.ts';
import { commentOf } from './operation-files.ts';
import { kindOf, requestContent, responseContent, type BodyKind } from './media-types.ts';
import { packageFolder, planOperations, type PlannedOperation } from './plan.ts';

/** The imports from the runtime that are types. */
const typeNames: ReadonlySet<string> = new Set(['GivenToken']);

/** Returns which types of the runtime the package re-exports, because users of these operations need them. */
function exportedTypes(planned: readonly PlannedOperation[]): {
  readonly usesParts: boolean;
  readonly usesEvents: boolean;
} {
  const has = (contents: readonly Content[], kind: BodyKind): boolean =>
    contents.some(({ mediaType }) => kindOf(mediaType) === kind);
  return {
    usesParts: planned.some(({ operation }) => has(requestContent(operation), 'multipart')),
    usesEvents: planned.some(({ operation }) =>
      operation.responses.some((response) => has(responseContent(operation, response), 'events')),
    ),
  };
}

/** Emits the modules of the client besides its operations: options, connection, client and entries. */
export function* emitClient(contract: Contract, context: TargetContext): Generator<OutputFile> {
  const { planned } = planOperations(contract);
  const { questions, security, service, answers, imports, address } = describeConnection(
    contract,
    planned,
  );
  const sourceDocument = contract.info.sourceDocument;
  const credentials = security.credentials.map(({ required, name, type, ...about }) => ({
    name,
    type,
    optional: !required,
    comment: jsdoc({ ...about, sourceDocument }),
  }));
  const from = [
    ...contract.security.map(({ pointer }) => pointer),
    ...questions.options.map(({ entry }) => entry.pointer),
  ];
  const needsOptions =
    address === undefined ||
    credentials.some(({ optional }) => !optional) ||
    questions.options.some(({ optional }) => !optional);
  const shared = {
    contractPackage: packageName(context, 'contract'),
    hasCredentials: credentials.length > 0,
  };
  yield {
    path: `${packageFolder}/src/options.ts`,
    text: context.render('options.ts', {
      ...shared,
      credentials,
      demandsCredentials: credentials.some(({ optional }) => !optional),
      usesContract: credentials.some(({ type }) => /\bcontract\./u.test(type.text)),
      usesGivenToken: imports.includes('GivenToken'),
      address,
      addressAbout: jsdoc({
        summary:
          'The address that paths are appended to. It has no query, fragment or credentials.' +
          (address === undefined ? '' : ' Default: the one in the contract.'),
        questions: openEntriesAt(contract, ...contract.info.servers.map(({ pointer }) => pointer)),
      }),
      options: questions.options.map(({ entry, text, ...option }) => ({
        ...option,
        comment: jsdoc({ description: text, source: entry.source, sourceDocument }),
      })),
    }),
    from,
  };
  yield {
    path: `${packageFolder}/src/connection.ts`,
    text: context.render('connection.ts', {
      ...shared,
      demandsCredentials: credentials.some(({ optional }) => !optional),
      imports: imports.filter((name) => !typeNames.has(name)).toSorted(),
      usesSigner: imports.includes('signature'),
      operations: security.operations.map(({ constant, fileName }) => ({
        constant,
        from: `./operations/${fileName}.ts`,
      })),
      service,
      answers,
      address,
      needsOptions,
    }),
    from,
  };
  const operations = planned.map((plan) => ({
    ...plan,
    route: literal(`${plan.operation.method} ${plan.operation.path}`),
    comment: commentOf(plan, contract),
    from: `./operations/${plan.fileName}.ts`,
    checkedFrom: `./checked/${plan.fileName}.ts`,
  }));
  yield {
    path: `${packageFolder}/src/client.ts`,
    text: context.render('client.ts', { operations }),
    from: [],
  };
  const entries: readonly (readonly [file: string, checked: boolean])[] =
    context.validators === false
      ? [['index', false]]
      : [
          ['index', true],
          ['unchecked', false],
        ];
  for (const [file, checked] of entries) {
    const list: readonly Code[] = planned.map(
      ({ name, constant }) => code`${identifier(name)}: ${identifier(constant)}`,
    );
    yield {
      path: `${packageFolder}/src/${file}.ts`,
      text: context.render('index.ts', {
        checked,
        usesSigner: imports.includes('signature'),
        needsOptions,
        hasCredentials: shared.hasCredentials,
        list: joinCode(list, ', '),
        ...exportedTypes(planned),
        operations: operations.map(
          ({ name, constant, inputType, responseType, fileName, from: file }) => ({
            name,
            constant,
            inputType,
            responseType,
            module: checked ? `./checked/${fileName}.ts` : file,
            typeModule: file,
          }),
        ),
      }),
      from: [],
    };
  }
}
