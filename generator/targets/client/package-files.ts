import type { Contract, Operation } from '../../contract/contract.ts';
import { toEnvironmentName } from '../../contract/lower/names.ts';
import { openEntries, openEntriesAt } from '../../contract/open-entries.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { repetitionOf } from '../../contract/lower/repetition.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import { describeAssumption } from '../jsdoc.ts';
import { emitPackageFrame, packageName, webLibraries } from '../package/package-files.ts';
import { oneLine, withNotes } from '../package/prose.ts';
import { runtimeVersion } from '../../execution/toolkit.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import type { AskedOption } from '../open-questions.ts';
import { describeConnection, type ConnectionCode } from './connection-code.ts';
import { kindOf, responseContent } from './media-types.ts';
import { everyRequestParameters } from './operation-data.ts';
import { packageFolder, planOperations, type OperationPlan } from './plan.ts';
import { createSignatureVectors } from './vectors.ts';
import { usedSchemes } from './used-schemes.ts';

/** Emits the files of the package besides its code: manifest, compiler options, licence, README and test vectors. */
export async function* emitPackageFiles(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const { info } = contract;
  const plan = planOperations(contract);
  const connection = describeConnection(contract, plan.planned);
  const vectors = await createSignatureVectors(contract, usedSchemes(contract, plan.planned));
  const name = packageName(context, packageFolder);
  const contractPackage = packageName(context, 'contract');
  const about = `A typed client of ${oneLine(info.title)}.`;
  const signed = connection.imports.includes('signature');
  const data = vectors.length > 0 ? ['signature-vectors.json'] : [];
  yield* emitPackageFrame(contract, context, {
    target: packageFolder,
    description: about,
    entries: context.validators === false ? ['index'] : ['index', 'unchecked'],
    data,
    files: [...data, 'src'],
    dependencies: {
      '@countersign/client': runtimeVersion('@countersign/client'),
      ...(signed ? { '@countersign/signing': runtimeVersion('@countersign/signing') } : {}),
      [contractPackage]: context.version,
    },
    lib: webLibraries,
    references: ['contract'],
    include: ['src'],
  });
  if (vectors.length > 0) {
    yield {
      path: `${packageFolder}/signature-vectors.json`,
      text: `${JSON.stringify(vectors, null, 2)}\n`,
      from: contract.security.map(({ pointer }) => pointer),
    };
  }
  const text = context.render('README.md', {
    name,
    uncheckedName: `${name}/unchecked`,
    validators: context.validators !== false,
    about,
    title: info.title,
    contractVersion: info.version,
    contractPackage,
    ...exampleOf(plan, connection),
    vectors: vectors.length > 0,
    hasStreams: plan.planned.some(({ operation }) => answersWithStream(operation)),
    operations: plan.planned.map(({ name: method, operation }) => ({
      name: method,
      route: `${operation.method} ${operation.path}`,
      about: withNotes(operation.summary ?? operation.description ?? '', operation.notes),
    })),
    leftOut: plan.leftOut.map(({ operation, reason }) => ({
      route: `${operation.method} ${operation.path}`,
      reason,
    })),
    options: connection.questions.rows(),
    ...repetitions(contract, plan, connection),
  });
  yield { path: `${packageFolder}/README.md`, text, from: [info.pointer] };
}

/** Returns whether any response of an operation is a stream, or bytes that can be read as one. */
function answersWithStream(operation: Operation): boolean {
  return operation.responses
    .flatMap((response) => responseContent(operation, response))
    .some(({ mediaType }) => ['binary', 'events', 'lines'].includes(kindOf(mediaType)));
}

/** Describes for the README which calls the client repeats, and what decides on it. */
function repetitions(
  contract: Contract,
  { planned }: OperationPlan,
  { questions }: ConnectionCode,
): object {
  const found = planned.map(({ name, operation }) => ({
    name,
    repetition: repetitionOf(contract, operation),
  }));
  const namesOf = (because: string): readonly string[] =>
    found.flatMap(({ name, repetition }) => (repetition.because === because ? name : []));
  const optionOf = (value: unknown): AskedOption | undefined =>
    questions.options.find(({ entry }) => entry.id === unstatedId(value));
  const identifiers = [...everyRequestParameters(contract).values()].filter(
    ({ everyRequest }) => everyRequest?.value === 'uuid',
  );
  const used = new Set(found.map(({ repetition }) => unstatedId(repetition)));
  const deciding = new Set([
    ...openEntriesAt(contract, ...identifiers.map(({ pointer }) => pointer)),
    ...openEntries(contract).filter(({ id }) => used.has(id)),
  ]);
  return {
    issuing: namesOf('token'),
    repeated: namesOf('stated'),
    decided: found.flatMap(({ name, repetition }) => {
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
    deciding: Array.from(deciding, (entry) => ({ ...entry, holds: describeAssumption(entry) })),
  };
}

/**
 * Returns the example of a client for pages: its options, with credentials from environment variables, and the call
 * that issues a token, if there is one.
 */
export function exampleOf(
  { planned }: OperationPlan,
  connection: ConnectionCode,
): {
  readonly exampleOptions: Code;
  readonly example: object | undefined;
  readonly token: boolean;
} {
  const { security, questions, address } = connection;
  const credentials = security.credentials
    .filter(({ required }) => required)
    .map(({ name, type }): Code => {
      const environment = toEnvironmentName(name);
      const value = type.text.includes('username')
        ? code`{ username: process.env[${literal(`${environment}_USERNAME`)}] ?? '', password: process.env[${literal(`${environment}_PASSWORD`)}] ?? '' }`
        : code`process.env[${literal(environment)}] ?? ''`;
      return code`${identifier(name)}: ${value}`;
    });
  const asked = questions.options
    .filter(({ optional }) => !optional)
    .map(({ name, entry }) => code`${identifier(name)}: ${literal(entry.choices[0]?.name ?? '')}`);
  const members = [
    ...(address === undefined ? [code`baseUrl: process.env['BASE_URL'] ?? ''`] : []),
    ...(credentials.length === 0 ? [] : [code`credentials: { ${joinCode(credentials, ', ')} }`]),
    ...asked,
  ];
  const issuing = security.operations.map(({ name }) => name);
  const first = planned.find(({ name }) => issuing.includes(name));
  return {
    exampleOptions: members.length === 0 ? code`` : code`{ ${joinCode(members, ', ')} }`,
    example: first === undefined ? undefined : { name: first.name },
    token: first !== undefined,
  };
}
