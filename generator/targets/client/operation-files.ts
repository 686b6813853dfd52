import type { BodyKind, Content, Contract, Operation } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { failuresOf, successesOf } from '../../contract/outcomes.ts';
import { groupOf } from '../../contract/inputs.ts';
import { toMemberName } from '../../contract/names.ts';
import { checkedParameters } from '../../contract/validated-schemas.ts';
import { isOfTypes } from '../../schema/declared-properties.ts';
import type { Schema } from '../../schema/model.ts';
import { indexSchemas, type SchemaIndex, toReference } from '../../schema/references.ts';
import { toValidatorSchema } from '../../validators/validator-schema.ts';
import { repetitionNote } from '../printing/repetition-note.ts';
import { Code, code, joinCode } from '../code.ts';
import { byModule, modulePath, specifierOf } from '../printing/modules.ts';
import { identifier, literal, objectUnlessEmpty } from '../escape.ts';
import { jsdoc, type Documentation } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { isSequence, requestContent, responseContent } from '../../contract/media-types.ts';
import { createOperationData } from '../printing/operation-data.ts';
import { itemsPath } from '../printing/pages-data.ts';
import {
  parameterModules,
  parameterValidators,
} from '../printing/validators/parameter-validators.ts';
import { type Share, shareNothing, shareRepeated } from '../printing/repeated-code.ts';
import { nestedArraysOf } from '../printing/client-options.ts';
import type { ConnectionCode } from '../printing/connection-code.ts';
import { typeOperations } from './operation-types.ts';
import { type Call, callsOf, packageFolder } from '../../contract/calls.ts';

/** The paths of the modules of operations, and of those that add the validators of their answers. */
const paths = { operations: 'src/operations', checks: 'src/checks' } as const;

/** Returns the path of the module of a call, without its ending. */
export function operationPath({ module }: Pick<Call, 'module'>): string {
  return modulePath(paths.operations, module);
}

/**
 * Emits the modules of operations: types, descriptions and functions, and, unless validators are turned off, modules that
 * add the validators of their answers.
 */
export function* emitOperations(
  contract: Contract,
  connection: ConnectionCode,
  context: TargetContext,
): Generator<OutputFile> {
  const describe = describeOperations(contract, connection, context);
  const modules = byModule(callsOf(contract));
  const names = [...modules.keys()];
  const isOne = hasOneModule(contract);
  // The entry of the package has the checks of the only module.
  const kinds = isOne || context.validators === false ? (['operations'] as const) : allKinds;
  for (const kind of kinds) {
    for (const [module, calls] of modules) {
      const path = modulePath(paths[kind], module);
      yield {
        path: `${packageFolder}/${path}.ts`,
        text: context.render(`${kind}.ts`, describe[kind](calls, path)),
        from: calls.map(({ operation }) => operation.pointer),
      };
    }
    if (isOne) continue;
    yield {
      path: `${packageFolder}/${paths[kind]}.ts`,
      text: context.render('modules.ts', {
        modules: names
          .map((name) => specifierOf(paths[kind], `${modulePath(paths[kind], name)}.ts`))
          .toSorted(),
      }),
      from: [],
    };
  }
}

/** Returns whether one module has all calls. */
export function hasOneModule(contract: Contract): boolean {
  const [first, ...others] = byModule(callsOf(contract)).keys();
  return first === undefined && others.length === 0 && callsOf(contract).length > 0;
}

const allKinds = ['operations', 'checks'] as const;

/** Creates the functions that describe the modules of calls. */
function describeOperations(
  contract: Contract,
  connection: ConnectionCode,
  context: TargetContext,
): Readonly<Record<keyof typeof paths, (calls: readonly Call[], path: string) => object>> {
  const typesOf = typeOperations(contract, connection);
  const describe = createOperationData(contract, nestedArraysOf(context.options));
  const contractPackage = packageName(context, 'contract');
  return {
    operations(calls, path) {
      const { printed: operations, shared } = shareRepeated(namesOf(calls), (share) =>
        calls.map((call) => ({
          ...call,
          ...typesOf(call, share),
          ...commentsOf(call, contract, context),
          listPath: listPath(call),
          description: describe(call.operation, share),
        })),
      );
      const outcomes = calls.map(({ operation }) => ({
        successes: successesOf(operation),
        failures: failuresOf(operation),
      }));
      const texts = [
        ...operations.flatMap(({ input, response, failure }) => [input, response, failure ?? []]),
        ...shared.map((declaration) => declaration.code),
      ].flat();
      const uses = (name: RegExp): boolean => texts.some(({ text }) => name.test(text));
      return {
        contractPackage,
        options: specifierOf(path, 'src/options.ts'),
        operations,
        shared,
        usesContract: uses(/\bcontract\./u),
        hasPages: operations.some(({ listPath: path }) => path !== undefined),
        hasCalls: operations.some(({ listPath: path }) => path === undefined),
        usesAnswer: outcomes.some(({ successes }) => successes.length > 0),
        hasFailures: outcomes.some(({ failures }) => failures.length > 0),
        usesStatuses: outcomes.some(({ successes, failures }) =>
          [...successes, ...failures].some(({ statuses }) => typeof statuses === 'object'),
        ),
        usesParts: uses(/\bMultipartBody\b/u),
        usesEvents: uses(/\bServerSentEvent\b/u),
        imports: [
          ...new Set([
            'callOf',
            ...operations.flatMap(({ description }) => description.imports),
            ...shared.flatMap((declaration) => declaration.code.imports),
          ]),
        ].toSorted(),
      };
    },
    checks: (calls, path) => ({
      module: specifierOf(path, `${operationPath(calls[0] ?? {})}.ts`),
      hasPages: calls.some((call) => listPath(call) !== undefined),
      ...describeChecks(calls, contract, context),
    }),
  };
}

/** Describes the calls that have validators, what several of them have, and where the validators are. */
export function describeChecks(
  calls: readonly Call[],
  contract: Contract,
  context: TargetContext,
): {
  readonly operations: readonly (Call &
    Readonly<Record<'checks' | 'about', Code>> & { readonly listPath: Code | undefined })[];
  readonly shared: ReturnType<typeof shareRepeated>['shared'];
  readonly imports: object;
} {
  const ofParameters = parameterValidators(contract);
  const { printed, shared } = shareRepeated(namesOf(calls), (share) =>
    calls.flatMap((call) => {
      const { operation } = call;
      const answers = answerChecks(operation, contract, share);
      const input = inputChecks(operation, contract, ofParameters, share);
      if (answers === undefined && input === undefined) return [];
      const about = jsdoc({
        summary: `Calls \`${operation.method} ${operation.path}\` with validators.`,
        deprecated: operation.deprecated,
        place: context.placeOf?.(operation.pointer),
      });
      const checks = joinCode([
        answers ?? code`{}`,
        ...(input === undefined ? [] : [input.checks]),
        ...(input?.validators.length ? [new Code(violationsOf)] : []),
      ]);
      return [
        { ...call, checks, about, validators: input?.validators ?? [], listPath: listPath(call) },
      ];
    }),
  );
  const contractPackage = packageName(context, 'contract');
  const names = new Set(printed.flatMap(({ validators }) => validators));
  const texts = [...printed.map(({ checks }) => checks), ...shared.map((it) => it.code)];
  return {
    operations: printed,
    shared,
    imports: {
      contractPackage,
      usesContract: texts.some(({ text }) => /\bcontract\./u.test(text)),
      validators: names.size > 0 && joinCode([...names].toSorted().map(identifier)),
      validatorModule: `${contractPackage}/${parameterModules(contract)[0] ?? ''}`,
      validationModule: `${contractPackage}/validation`,
      violationsOf: new Code(violationsOf),
    },
  };
}

/** The function of the contract's package that runs the validator of a parameter. */
const violationsOf = 'violationsOf';

/** Returns the type of the path of the list in an answer; `undefined` for a call without pages. */
function listPath({ operation }: Call): Code | undefined {
  return operation.pagination && literal(itemsPath(operation));
}

/** Returns the names that a module of these calls has. */
function namesOf(calls: readonly Call[]): readonly string[] {
  return calls.flatMap(({ name, guard, inputType, responseType, failureType }) => [
    name,
    guard,
    inputType,
    responseType,
    failureType,
  ]);
}

function commentsOf(
  call: Call,
  contract: Contract,
  context: TargetContext,
): Readonly<Record<'route' | 'comment' | 'deprecation', Code>> {
  const { operation } = call;
  return {
    route: literal(`${operation.method} ${operation.path}`),
    comment: jsdoc(documentationOf(call, contract, context)),
    deprecation: jsdoc({ deprecated: operation.deprecated }),
  };
}

const traceNote =
  'No platform has a `fetch` that sends TRACE: the client has to be given one that does.';

const pageNote =
  'Returns one page. Its function `items` returns the items of all pages, and `pages` the pages.';

/** Returns the contents of the comment above an operation's function. */
function documentationOf(
  plan: Call,
  contract: Contract,
  { placeOf }: Pick<TargetContext, 'placeOf'>,
): Documentation {
  const { operation } = plan;
  const { pointer, summary, description, notes, deprecated, source, method, path } = operation;
  const paragraphs = [
    description,
    method === 'TRACE' ? traceNote : undefined,
    repetitionNote(contract, operation),
    operation.pagination === undefined ? undefined : pageNote,
    failureNote(plan),
  ];
  return {
    summary: summary ?? `Calls ${method} ${path}.`,
    description: paragraphs.filter((text) => text !== undefined).join('\n\n'),
    notes,
    questions: entriesAt(contract, pointer),
    source,
    sourceDocument: contract.info.sourceDocument,
    place: placeOf?.(pointer),
    deprecated,
  };
}

/** Returns a note on the failures of a call; `undefined` if the contract declares none. */
function failureNote({ operation, guard }: Call): string | undefined {
  const statuses = failuresOf(operation).map(({ response }) => `\`${response.status}\``);
  if (statuses.length === 0) return undefined;
  return `Rejects if the service answers with a failure. \`${guard}\` types ${statuses.join(', ')}.`;
}

/** The validators of the input of a call. */
interface InputCode {
  readonly checks: Code;
  /** The names of the validators of its parameters. */
  readonly validators: readonly string[];
}

function inputChecks(
  operation: Operation,
  contract: Contract,
  ofParameters: ReadonlyMap<string, string>,
  share: Share,
): InputCode | undefined {
  const parameters = checkedParameters(contract, operation).flatMap(({ parameter, name }) => {
    const validator = ofParameters.get(name);
    return validator === undefined ? [] : [{ parameter, validator }];
  });
  const groups = Object.values(groupOf).map((group) => {
    const checked = parameters.filter(({ parameter }) => groupOf[parameter.in] === group);
    const members = checked.map(
      ({ parameter, validator }) => [parameter.name, identifier(validator)] as const,
    );
    const checks = objectUnlessEmpty(members);
    const first = checked[0]?.parameter.name ?? '';
    const more = checked.length > 1 ? ` and ${checked.length - 1} more` : '';
    const wanted = toMemberName(`checked ${first}${more} ${group}`);
    return [group, checks && share('value', wanted, checks)] as const;
  });
  const index = indexSchemas(contract);
  const bodies = requestContent(operation).flatMap((media) => {
    const schema = isCheckedBody(media, index) ? index.get(media.schema ?? '') : undefined;
    if (schema === undefined || acceptsAnything(schema)) return [];
    return [[media.mediaType, code`contract.${identifier(`validate${schema.typeName}`)}`] as const];
  });
  const checks = objectUnlessEmpty([...groups, ['body', objectUnlessEmpty(bodies)]]);
  return checks && { checks, validators: parameters.map(({ validator }) => validator) };
}

/** Returns whether the body of a call is a value of its schema, and not bytes or a text in another format. */
function isCheckedBody({ kind, schema = '' }: Content, index: SchemaIndex): boolean {
  if (kind === 'text') return isOfTypes(index, toReference(schema), new Set(['string']));
  return checkedBodies.has(kind);
}

const checkedBodies: ReadonlySet<BodyKind> = new Set([
  'json',
  'value',
  'string',
  'form',
  'multipart',
]);

function acceptsAnything({ definition }: Schema): boolean {
  return Object.keys(toValidatorSchema(definition)).length === 0;
}

function answerChecks(operation: Operation, contract: Contract, share: Share): Code | undefined {
  const index = indexSchemas(contract);
  const failures = new Set(failuresOf(operation).map(({ response }) => response));
  const responses = operation.responses.flatMap((response) => {
    const checked = responseContent(operation, response)
      .filter(({ kind }) => {
        // The body of a failure is bytes where that of a success is a sequence.
        return checkedKinds.has(kind) && !(failures.has(response) && isSequence(kind));
      })
      .flatMap(({ mediaType, schema, itemSchema }) => {
        const typeName = index.get(itemSchema ?? schema ?? '')?.typeName;
        return typeName === undefined ? [] : [{ mediaType, typeName }];
      });
    const checks = objectUnlessEmpty(
      checked.map(({ mediaType, typeName }) => [
        mediaType,
        code`contract.${identifier(`assert${typeName}`)}`,
      ]),
    );
    const name = `check${checked[0]?.typeName ?? ''}`;
    return checks === undefined ? [] : [{ response, checks, name }];
  });
  // Most operations describe several failures by one schema.
  const alike = [...Map.groupBy(responses, ({ checks }) => checks.text).values()];
  const isFailure = ([first]: (typeof alike)[number]): boolean =>
    first !== undefined && failures.has(first.response);
  const write = (groups: typeof alike, shareEach: Share): Code | undefined =>
    objectUnlessEmpty(
      groups.map((members) => {
        const [first] = members;
        const statuses = members.map(({ response }) => response.status).join(' ');
        return [literal(statuses), first && shareEach('value', first.name, first.checks)];
      }),
    );
  const failed = alike.filter(isFailure);
  if (failed.length < manyFailures) return write(alike, share);
  // Many operations of a contract fail in the same ways.
  const ofFailures = write(failed, shareNothing) ?? code`{}`;
  const shared = share('value', 'checkFailures', ofFailures);
  const others = write(
    alike.filter((members) => !isFailure(members)),
    share,
  );
  return others === undefined ? shared : code`[${[others, shared]}]`;
}

/** The number of schemas of failures from which all are declared together. */
const manyFailures = 3;

/** The kinds of bodies that have validators: values of a schema, or sequences of such values. */
const checkedKinds: ReadonlySet<BodyKind> = new Set(['json', 'value', 'string', 'events', 'lines']);
