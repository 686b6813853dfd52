import type { Contract } from '../../contract/contract.ts';
import { createBuiltIn } from '../built-in.ts';
import { MissingPackageError } from '../missing-package-error.ts';
import { emitPackageFrame } from '../package/package-files.ts';
import { oneLine } from '../package/prose.ts';
import type { OutputFile, Target, TargetContext } from '../target.ts';
import { printOpenapiTypes, startPrintThread } from './print-types.ts';
import { findPrinterPackages } from './printer-packages.ts';

/**
 * The target of the package of types for openapi-fetch, openapi-msw and related libraries: `paths`, `webhooks`,
 * `components` and `operations`, as `openapi-typescript` prints them. The package has types only and no dependencies.
 * Projects with this target install `openapi-typescript` themselves.
 */
export const openapiTypesTarget: Target = {
  ...createBuiltIn({
    name: 'openapi-types',
    requires: [],
    templates: ['package', 'openapi-types'],
    prepare() {
      if (!(findPrinterPackages() instanceof MissingPackageError)) startPrintThread();
    },
    emit: emitOpenapiTypes,
  }),
  // The toolkit does not pin the versions of these packages.
  fingerprint: printerManifests(),
};

function printerManifests(): readonly string[] {
  const packages = findPrinterPackages();
  return packages instanceof MissingPackageError ? [] : packages.manifests;
}

const folder = 'openapi-types';

async function* emitOpenapiTypes(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const types = printOpenapiTypes(contract);
  // It is awaited below, unless the frame fails.
  types.catch(() => undefined);
  yield* emitPackageFrame(contract, context, {
    target: folder,
    description: `The OpenAPI types of ${oneLine(contract.info.title)}, for openapi-fetch and its family.`,
    entries: ['index'],
    files: ['src'],
    lib: ['es2023'],
    include: ['src'],
    readme: {},
  });
  yield {
    path: `${folder}/src/index.ts`,
    text: context.render('index.ts', { types: await types }),
    from: ['openapi#'],
  };
}
