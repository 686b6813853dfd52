import type { Contract } from '../../contract/contract.ts';
import { createBuiltIn } from '../built-in.ts';
import {
  emitPackageFrame,
  addCommand,
  addsFolders,
  packageName,
  packageRange,
  webLibraries,
} from '../package/package-files.ts';
import { runtimePackage } from '../package/runtime-package.ts';
import { adapterModule, ownLicense, readAdapter } from '../package/runtime-sources.ts';
import { stampModule } from '../package/stamp-module.ts';
import { oneLine } from '../package/prose.ts';
import { emitStubs, stubsFolder } from '../stubs/emit-stubs.ts';
import type { OutputFile, Target, TargetContext } from '../target.ts';
import { receiverForms } from '../printing/option-forms.ts';
import { secretVariable } from '../printing/secret-variables.ts';
import { describeExample } from '../printing/receiver-example.ts';
import { eventsOf } from '../../contract/events.ts';
import { listedTypes, sampleHandlers } from '../printing/sample-handlers.ts';
import { planDecorators } from '../printing/decorators.ts';
import { type Framework, frameworkOf } from '../printing/frameworks.ts';
import { jsdoc } from '../jsdoc.ts';

/**
 * Creates the target of the package that receives notifications with one framework. The package also re-exports the
 * package `webhooks`.
 */
export function createFrameworkTarget(framework: string): Target {
  return createBuiltIn({
    name: `webhooks-${framework}`,
    requires: ['webhooks'],
    templates: ['package', 'frameworks'],
    emit: (contract, context) => emitFramework(framework, contract, context),
  });
}

async function* emitFramework(
  framework: string,
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const row = frameworkOf(framework);
  const { title, maker, stub, adapter: hasAdapter = false, ...others } = row;
  const { applicationTypes = {}, receiver: _, application: __, ...demands } = others;
  const target = `webhooks-${framework}`;
  const name = packageName(context, target);
  const webhooks = packageName(context, 'webhooks');
  const plan = eventsOf(contract);
  const decorators = planDecorators(plan);
  const example = describeExample(contract);
  const shown = example.first?.name ?? plan.kinds[0]?.notification.name;
  const sample = sampleHandlers(contract).find((handler) => handler.name === shown);
  const listed = sample && listedTypes([sample]);
  const contractPackage = packageName(context, 'contract');
  const from = contract.notifications.map(({ pointer }) => pointer);
  yield* emitPackageFrame(contract, context, {
    target,
    description: `A typed receiver of the notifications of ${oneLine(contract.info.title)}, for ${title}.`,
    entries: [...(hasAdapter ? [adapterModule] : []), 'index', 'testing'],
    files: ['src', stubsFolder],
    ...demands,
    dependencies: {
      [webhooks]: packageRange(context, 'webhooks'),
      [packageName(context, runtimePackage)]: packageRange(context, runtimePackage),
    },
    lib: webLibraries,
    references: ['webhooks', runtimePackage],
    include: ['src'],
    partLicense: hasAdapter ? ownLicense : undefined,
    hasAgentsFile: true,
    readme: {
      page: `${framework}.md`,
      addsFolders: addsFolders(context),
      install: addCommand(
        context,
        [target, ...(listed === undefined ? [] : ['contract'])],
        Object.keys(demands.peers ?? {}),
      ),
      versions: Object.entries({ ...demands.peers, ...demands.optionalPeers })
        .filter(([peer]) => peer !== '@types/node')
        .map(([peer, range]) => ({ peer, range: range.replaceAll(' || ', ' or ') })),
      types: Object.keys({ ...applicationTypes, ...demands.devDependencies }),
      sample,
      listed,
      contractPackage,
      webhooks,
      testing: `${name}/testing`,
      ...example,
      secret: example.secrets.find((variable) => variable === secretVariable),
      shown: plan.kinds.find(({ notification }) => notification.name === shown),
      decorator: decorators.find(({ handler }) => handler === shown)?.name,
      maker,
      hasAdapter,
    },
    readmeFrom: from,
  });
  const toFile = (path: string, data: object): OutputFile => ({
    path: `${target}/${path}`,
    text: context.render(path.replace(/^src\//u, ''), data),
    from,
  });
  yield toFile('src/index.ts', {
    ...receiverOf(framework, row),
    webhooks,
    forms: receiverForms,
    decorators,
    hasPathSecret: example.hasPathSecret,
  });
  yield toFile('src/testing.ts', { module: `${webhooks}/testing` });
  if (hasAdapter) {
    const { text, license } = readAdapter(framework, packageName(context, runtimePackage));
    const own = { isFormatted: true, from: [] };
    yield { path: `${target}/src/${adapterModule}.ts`, text: stampModule(text), ...own };
    yield { path: `${target}/src/LICENSE`, text: license, ...own };
  }
  const form = stub === 'providers' ? stub : { ...stub, factory: maker };
  yield* emitStubs(contract, context, target, form);
}

/** Returns the template with the code of a framework, and its data. */
function receiverOf(
  framework: string,
  { adapter: hasAdapter = false, maker, stub, receiver }: Framework,
): object {
  if (receiver === undefined || stub === 'providers') return { module: `${framework}.ts` };
  const { about, convert, type, options } = receiver;
  return {
    module: 'receiver.ts',
    hasAdapter,
    maker,
    comment: jsdoc({ summary: about }),
    convert,
    types: [type, options].filter((name) => name !== undefined),
    options,
    returns: type ?? stub.returns?.type,
    returnsFrom: type === undefined ? stub.returns?.package : undefined,
    isDeferred: stub.options === 'deferred',
  };
}
