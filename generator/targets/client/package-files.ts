import type { Contract } from '../../contract/contract.ts';
import { code, joinCode, type Code } from '../code.ts';
import { firstSentence, licenseOf, oneLine } from '../contract/package-files.ts';
import { identifier, literal } from '../escape.ts';
import { runtimeVersion } from '../../toolkit.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { describeConnection, type ConnectionCode } from './connection-code.ts';
import { optionNameOf } from './ledger-options.ts';
import { packageFolder, planOperations, type OperationPlan } from './plan.ts';
import { createSignatureVectors } from './vectors.ts';
import { usedSchemes } from './used-schemes.ts';

/** What makes the folder a package: its manifest, compiler options, licence, description, and test vectors. */
export async function* emitPackageFiles(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const { info } = contract;
  const plan = planOperations(contract);
  const connection = describeConnection(contract, plan.planned);
  const vectors = await createSignatureVectors(contract, usedSchemes(contract, plan.planned));
  const name = context.packageNames['client'] ?? `${context.scope}/${packageFolder}`;
  const contractPackage = context.packageNames['contract'] ?? `${context.scope}/contract`;
  const license = licenseOf(contract);
  const about = `A typed client of ${oneLine(info.title)}.`;
  const signed = connection.imports.includes('signature');
  const toFile = (path: string, template: string, data: object): OutputFile => ({
    path: `${packageFolder}/${path}`,
    text: context.render(template, data),
    from: [info.pointer],
  });
  yield toFile('package.json', 'package.json', {
    name,
    version: context.version,
    description: about,
    license,
    contractPackage,
    clientVersion: runtimeVersion('@countersign/client'),
    signingVersion: signed ? runtimeVersion('@countersign/signing') : undefined,
    vectors: vectors.length > 0,
  });
  yield toFile('tsconfig.json', 'tsconfig.json', {});
  if (license === 'MIT') yield toFile('LICENSE', 'LICENSE', { holder: info.title });
  if (vectors.length > 0) {
    yield {
      path: `${packageFolder}/signature-vectors.json`,
      text: `${JSON.stringify(vectors, null, 2)}\n`,
      from: contract.security.map(({ pointer }) => pointer),
    };
  }
  yield toFile('README.md', 'README.md', {
    name,
    uncheckedName: `${name}/unchecked`,
    about,
    title: info.title,
    contractVersion: info.version,
    contractPackage,
    ...exampleOf(plan, connection),
    vectors: vectors.length > 0,
    operations: plan.planned.map(({ name: method, operation }) => ({
      name: method,
      route: `${operation.method} ${operation.path}`,
      about: firstSentence(operation.summary ?? operation.description ?? ''),
    })),
    leftOut: plan.leftOut.map(({ operation, reason }) => ({
      route: `${operation.method} ${operation.path}`,
      reason,
    })),
    options: connection.options.entries.map((entry) => ({
      name: optionNameOf(entry),
      question: entry.question,
      choices: entry.choices.map((choice) => choice.name).join(', '),
      assumed: entry.assumed ?? 'none: it has to be given',
    })),
  });
}

/** The credentials of nobody, and a first call. */
function exampleOf({ planned }: OperationPlan, connection: ConnectionCode): object {
  const { security, options, address } = connection;
  const credentials = security.credentials
    .filter(({ required }) => required)
    .map(({ name, type }): Code => {
      const environment = name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, '_').toUpperCase();
      const value = type.text.includes('username')
        ? code`{ username: process.env[${literal(`${environment}_USERNAME`)}] ?? '', password: process.env[${literal(`${environment}_PASSWORD`)}] ?? '' }`
        : code`process.env[${literal(environment)}] ?? ''`;
      return code`${identifier(name)}: ${value}`;
    });
  const asked = options.entries
    .filter(({ assumed }) => assumed === undefined)
    .map(
      (entry) => code`${identifier(optionNameOf(entry))}: ${literal(entry.choices[0]?.name ?? '')}`,
    );
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
