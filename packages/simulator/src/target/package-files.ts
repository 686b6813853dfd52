import type { OutputFile, TargetContext } from 'countersign';
import { toolkitVersion } from 'countersign/companion/configuration';
import { openAuthentication, verifiableProofs } from 'countersign/companion/deliveries';
import { receiverQuestions } from 'countersign/companion/printing';
import { addCommand, addsFolders, nodeTypes, oneLine } from 'countersign/companion/target';
import {
  code,
  type Contract,
  emitPackageFrame,
  literal,
  memberName,
  packageName,
  packageRange,
  webLibraries,
} from 'countersign/kit';
import { packageFolder } from './code-files.ts';
import type { ParameterSchemas } from './parameter-schemas.ts';

/** Emits the files of the package besides its code: manifest, compiler options, licence and README. */
export function* emitPackageFiles(
  contract: Contract,
  parameters: ParameterSchemas,
  context: TargetContext,
): Generator<OutputFile> {
  const hasParameters = parameters.byOperation.size > 0;
  const validators = hasParameters ? ['runtime'] : [];
  const [kind] = contract.notifications;
  const [operation] = contract.operations;
  const { authentication, servers } = contract;
  yield* emitPackageFrame(contract, context, {
    target: packageFolder,
    description: `${oneLine(contract.info.title)} on your machine, for tests and development.`,
    entries: ['index', 'service'],
    files: ['src', ...validators],
    dependencies: {
      countersign: toolkitVersion(),
      [packageName(context, 'contract')]: packageRange(context, 'contract'),
    },
    peers: { '@types/node': nodeTypes },
    node: '^22.19.0 || >=24.0.0',
    lib: webLibraries,
    types: ['node'],
    references: ['contract'],
    include: ['src', ...(hasParameters ? ['runtime/**/*.d.ts'] : [])],
    readme: {
      kind: kind === undefined ? undefined : literal(kind.name),
      hasExample: kind !== undefined && kind.examples.length > 0,
      operation: operation?.name,
      addsFolders: addsFolders(context),
      install: addCommand(context, [packageFolder], [], 'addDevelopment'),
      // The receiver of the example compares a secret, which is only right if the contract states nothing else.
      webhooks:
        authentication.isUnstated && context.packageVersions['webhooks'] !== undefined
          ? packageName(context, 'webhooks')
          : undefined,
      webhooksNode: `${packageName(context, 'webhooks')}/node`,
      answers: receiverQuestions(contract)
        .required()
        .map(([option, answer]) => code`${memberName(option)}: ${answer}`),
      isUnstated: authentication.isUnstated,
      isNone: authentication.isNone,
      isStated: verifiableProofs(contract).length > 0,
      openAuthentication: openAuthentication(contract).map(({ id }) => id),
      signatures: contract.security
        .filter(({ signature }) => signature !== undefined)
        .map(({ id }) => id),
      hasOwnServers: servers.overrides.length + servers.tokenEndpoints.length > 0,
      kinds: contract.notifications.map(({ name, summary }) => ({
        name,
        about: summary ?? '',
      })),
    },
  });
}
