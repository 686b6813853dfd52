import type { Contract, Operation, Unstated, WorkflowNote } from '../../contract/contract.ts';
import { schemeOf } from '../../contract/authentication.ts';
import { describeAnswer, entriesAt } from '../../contract/ledger-entries.ts';
import { defaultAddress, operationsAt, usedVariables } from '../../contract/servers.ts';
import { failuresOf, successesOf } from '../../contract/outcomes.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { formOf, type PaginationForm } from '../../contract/pagination.ts';
import { repetitionOf } from '../../contract/repetition.ts';
import {
  addCommand,
  addsFolders,
  emitPackageFrame,
  packageName,
  packageRange,
  webLibraries,
} from '../package/package-files.ts';
import { runtimePackage } from '../package/runtime-package.ts';
import { describeGoingLive } from '../package/going-live.ts';
import { oneLine, withNotes } from '../package/prose.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { Code, code } from '../code.ts';
import type { AskedOption } from '../open-questions.ts';
import type { ConnectionCode } from '../printing/connection-code.ts';
import { type CallExample, exampleCall } from '../printing/call-example.ts';
import { exampleOf } from '../printing/client-example.ts';
import { responseContent } from '../../contract/media-types.ts';
import { everyRequestParameters } from '../printing/operation-data.ts';
import { type Call, callsOf, packageFolder } from '../../contract/calls.ts';
import { endpointAddress } from '../printing/server-code.ts';
import { usedSchemes } from '../../contract/used-schemes.ts';
import { describeRefusals } from './refusals.ts';
import { describeRecipes } from '../printing/signature-recipe.ts';
import { createSignatureVectors } from '../printing/signature-vectors.ts';

/** Emits the files of the package besides its code: manifest, compiler options, licence, README and test vectors. */
export async function* emitPackageFiles(
  contract: Contract,
  connection: ConnectionCode,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const calls = callsOf(contract);
  const used = usedSchemes(contract);
  const schemes = contract.security.filter(({ id }) => used.has(id));
  const vectors = await createSignatureVectors(contract, schemes);
  const name = packageName(context, packageFolder);
  const contractPackage = packageName(context, 'contract');
  const shown = exampleCall(contract, calls);
  const repetition = describeRepetition(contract, calls, connection);
  const data = vectors.length > 0 ? ['signature-vectors.json'] : [];
  yield* emitPackageFrame(contract, context, {
    target: packageFolder,
    description: `A typed client of ${oneLine(contract.info.title)}.`,
    entries: context.validators === false ? ['index'] : ['index', 'unchecked'],
    data,
    files: [...data, 'src'],
    dependencies: {
      [contractPackage]: packageRange(context, 'contract'),
      [packageName(context, runtimePackage)]: packageRange(context, runtimePackage),
    },
    lib: webLibraries,
    references: ['contract', runtimePackage],
    include: ['src'],
    hasAgentsFile: true,
    readme: {
      goingLive: describeGoingLive(contract, 'calls', packageName(context, 'contract')),
      uncheckedName: `${name}/unchecked`,
      validators: context.validators !== false,
      contractPackage,
      addsFolders: addsFolders(context),
      install: addCommand(context, [packageFolder]),
      ...exampleOf(contract, calls, connection, shown?.call.operation),
      ...describeExample(shown),
      ...describeLists(contract, calls),
      undescribed: undescribedCalls(contract),
      signing: signingCredentials(contract, connection),
      ...describeReadmeServers(contract),
      hasCredentials: connection.account !== undefined,
      isStrict: connection.isStrict,
      guard: calls.find(({ operation }) => failuresOf(operation).length > 0)?.guard,
      vectors: vectors.length > 0,
      needsBaseUrl: connection.needsBaseUrl,
      ...describeRefusals(contract, schemes, connection),
      recipes: await describeRecipes(contract, schemes),
      hasStreams: calls.some(({ operation }) => answersWithStream(operation)),
      operations: calls.map(({ name: method, operation }) => ({
        name: method,
        route: `${operation.method} ${operation.path}`,
        about: withNotes(operation.summary ?? operation.description ?? '', operation.notes),
      })),
      leftOut: contract.operations.flatMap(({ method, path, leftOut: reason }) =>
        reason === undefined ? [] : [{ route: `${method} ${path}`, reason }],
      ),
      options: connection.questions.rows(new Set(repetition.deciding.map(({ id }) => id))),
      ...repetition,
    },
  });
  if (vectors.length > 0) {
    yield {
      path: `${packageFolder}/signature-vectors.json`,
      text: `${JSON.stringify(vectors, null, 2)}\n`,
      from: contract.security.map(({ pointer }) => pointer),
    };
  }
}

/** Describes for the README the call that it shows. */
function describeExample(shown: CallExample | undefined): object {
  const { call, input = code``, variables = [] } = shown ?? {};
  const hasFailures = call !== undefined && failuresOf(call.operation).length > 0;
  return {
    example: call && { name: call.name, input },
    exampleGuard: hasFailures ? call.guard : undefined,
    exampleVariables: variables,
  };
}

/** Describes for the README the calls whose lists go on. */
function describeLists(contract: Contract, calls: readonly Call[]): object {
  const lists = calls.filter(({ operation }) => operation.pagination !== undefined);
  const [example] = lists.flatMap((list) => exampleCall(contract, [list]) ?? []);
  const { call, input = code`{}` } = example ?? {};
  const rows = lists.map(({ name, operation: { pagination = { items: '' } } }) => {
    const [form, ifChanged] = formWords[formOf(pagination)];
    return { name, form: new Code(form), ifChanged: new Code(ifChanged) };
  });
  return {
    lists: rows,
    listExample: call && { name: call.name, input },
    hasLinks: lists.some(({ operation }) => operation.pagination?.nextLink !== undefined),
  };
}

/** By what the next page is requested, and what happens to items that stay if others come and go. */
const formWords: Readonly<Record<PaginationForm, readonly [form: string, ifChanged: string]>> = {
  cursor: ['cursor', 'an item that stays comes once'],
  page: ['number', 'an item that stays can be missed, or come twice'],
  offset: ['offset', 'an item that stays can be missed, or come twice'],
  nextLink: ['link', 'as with a cursor or with a number: the service decides'],
};

/** Returns the steps of workflows that are calls of which the contract states the path alone, each path once. */
function undescribedCalls({ workflows, unstated }: Contract): readonly object[] {
  const notes = workflows
    .flatMap(({ steps }) => steps)
    .filter((step): step is WorkflowNote => step.kind === 'note' && step.path !== undefined);
  return Array.from(new Map(notes.map((note) => [note.path, note])).values(), (note) => ({
    ...note,
    settled: unstated.find(({ id }) => id === note.unstated)?.settled,
  }));
}

/** Returns the credentials with which the client signs. */
function signingCredentials(
  { security }: Contract,
  { security: { credentials } }: ConnectionCode,
): readonly string[] {
  const names = new Set(
    security.flatMap(({ signature, credential }) => (signature === undefined ? [] : credential)),
  );
  return credentials.map(({ name }) => name).filter((name) => names.has(name));
}

/** Describes for the README the servers of single operations, and the variables in URLs of servers. */
function describeReadmeServers(contract: Contract): object {
  const { root, overrides, tokenEndpoints } = contract.servers;
  const base = defaultAddress(contract, root);
  const servers = [
    ...(root === undefined ? [] : [root]),
    ...[...overrides, ...tokenEndpoints].map(({ server }) => server),
  ];
  return {
    servers: overrides.map(({ key, server }) => ({
      key,
      address: defaultAddress(contract, server, base),
      operations: operationsAt(contract, key)
        .map(({ name }) => name)
        .join(', '),
    })),
    tokenEndpoints: tokenEndpoints.map((endpoint) => ({
      key: endpoint.key,
      address: endpointAddress(contract, endpoint, base),
      credentials: endpoint.schemes.map((scheme) => schemeOf(contract, { scheme }).name).join(', '),
    })),
    hasVariables: servers.some(
      (server) => usedVariables(server).length > 0 && !/^\{[^{}]*\}$/u.test(server.url),
    ),
  };
}

/** Returns whether any answer of an operation is a stream, or bytes that can be read as one. */
function answersWithStream(operation: Operation): boolean {
  return successesOf(operation)
    .flatMap(({ response }) => responseContent(operation, response))
    .some(({ kind }) => ['binary', 'events', 'lines'].includes(kind));
}

/** Describes for the README which calls the client repeats, and what decides on it. */
function describeRepetition(
  contract: Contract,
  calls: readonly Call[],
  { questions }: ConnectionCode,
): object & { readonly deciding: readonly (Unstated & { readonly holds: string })[] } {
  const repetitions = calls.map(({ name, operation }) => ({
    name,
    repetition: repetitionOf(contract, operation),
  }));
  const namesOf = (because: string): readonly string[] =>
    repetitions.flatMap(({ name, repetition }) => (repetition.because === because ? name : []));
  const optionOf = (value: unknown): AskedOption | undefined =>
    questions.options.find(({ entry }) => entry.id === unstatedId(value));
  const identifiers = [...everyRequestParameters(contract).values()].filter(
    ({ everyRequest }) => everyRequest?.value === 'uuid',
  );
  const used = new Set(repetitions.map(({ repetition }) => unstatedId(repetition)));
  const deciding = new Set([
    ...entriesAt(contract, ...identifiers.map(({ pointer }) => pointer)),
    ...contract.unstated.filter(({ id }) => used.has(id)),
  ]);
  const rows = {
    issuing: namesOf('token'),
    refused: calls.flatMap(({ name, operation: { method, repeatable } }) =>
      repeatable === false && method !== 'POST' && method !== 'PATCH' ? [name] : [],
    ),
    repeated: namesOf('stated'),
    kept: repetitions.flatMap(({ name, repetition }) =>
      repetition.because === 'kept' ? [{ name, keeps: repetition.keeps }] : [],
    ),
    decided: repetitions.flatMap(({ name, repetition }) => {
      const option = optionOf(repetition)?.name;
      return option === undefined ? [] : [{ name, option }];
    }),
    identified: identifiers.map(({ name, everyRequest }) => {
      const asked = optionOf(everyRequest?.retry);
      return {
        name,
        option: asked?.name,
        choices: asked?.entry.choices.map((choice) => choice.name),
        keeps: everyRequest?.retry === 'keep',
      };
    }),
  };
  return {
    ...rows,
    deciding: Array.from(deciding, (entry) => ({ ...entry, holds: describeAnswer(entry) })),
  };
}
