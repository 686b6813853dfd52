import { posix } from 'node:path';
import type { Config } from './config/config.ts';
import type { Contract } from './contract/contract.ts';
import type { CheckOptions } from './rules/lower-and-check.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from './diagnostics/diagnostic.ts';
import type { Documents } from './load/documents.ts';

/** A contract with the documents it was read from, and all diagnostics. */
export interface ReadContract {
  readonly documents: Documents;
  /** Absent if the contract has errors. */
  readonly contract?: Contract;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * With `judgesLater`, the diagnostics of the examples; absent if the contract has other errors. Without it,
   * `diagnostics` includes them.
   */
  readonly judged?: Promise<readonly Diagnostic[]>;
}

/**
 * Loads a contract and lowers it to the model. Lowering runs even if loading finds errors, so that all errors are
 * reported at once. It is skipped if a document could not be loaded at all.
 * @param folder the folder that the paths of the configuration are relative to, absolute
 * @param judging the compiler that the caller continues to use, and whether `judged` reports on the examples later
 */
export async function readContract(
  config: Config,
  folder: string,
  report: (progress: { readonly stage: 'load' | 'lower' }) => void = () => undefined,
  judging: Pick<CheckOptions, 'compiler' | 'judgesLater' | 'verdicts'> = {},
): Promise<ReadContract> {
  report({ stage: 'load' });
  const { load } = await import('./load/load.ts');
  const { withoutDerived } = await import('./select/without-derived.ts');
  const loaded = withoutDerived(
    await load(config.contract, {
      folder,
      ...(config.budgets === undefined ? {} : { budgets: config.budgets }),
    }),
  );
  // Most diagnostics of an incomplete contract would be about the document that is missing.
  const whole = (['openapi', 'asyncapi'] as const).every(
    (name) => config.contract[name] === undefined || loaded[name] !== undefined,
  );
  if (!whole) return { documents: loaded, diagnostics: sortDiagnostics(loaded.diagnostics) };
  report({ stage: 'lower' });
  const { perspective = 'service' } = config;
  const documents = await selectPart(loaded, config);
  const { lowerAndCheck } = await import('./rules/lower-and-check.ts');
  const lowered = await lowerAndCheck(documents, { perspective, ...judging });
  const { diagnoseVersion } = await import('./contract/lower/diagnose-version.ts');
  const diagnostics = sortDiagnostics([
    ...documents.diagnostics,
    ...lowered.diagnostics,
    ...(config.version === undefined ? diagnoseVersion(documents, lowered.contract) : []),
  ]);
  const { judged } = lowered;
  const later = judged === undefined ? {} : { judged };
  const fail = async (found: readonly Diagnostic[]): Promise<ReadContract> => ({
    documents,
    diagnostics: sortDiagnostics([...found, ...((await judged) ?? [])]),
  });
  if (hasErrors(diagnostics)) return await fail(diagnostics);
  if (config.formats === undefined) {
    return { documents, diagnostics, contract: lowered.contract, ...later };
  }
  const { giveFormatsTypes } = await import('./contract/lower/format-types.ts');
  const formatted = giveFormatsTypes(lowered.contract, documents, config.formats, (from) =>
    toFormatModule(config, from),
  );
  const all = sortDiagnostics([...diagnostics, ...formatted.diagnostics]);
  if (hasErrors(all)) return await fail(all);
  return { documents, diagnostics: all, contract: formatted.contract, ...later };
}

/** Returns the part of the documents that `include` and `exclude` select, or all of them. */
async function selectPart(documents: Documents, config: Config): Promise<Documents> {
  const { include, exclude, perspective = 'service' } = config;
  if (include === undefined && exclude === undefined) return documents;
  const { select } = await import('./select/select.ts');
  return select(documents, { include, exclude, perspective });
}

/** Returns the specifier by which code in the `contract` folder imports a module that the configuration names. */
function toFormatModule({ output, importExtension = '.js' }: Config, from: string): string {
  if (!from.startsWith('.')) return from;
  const path = posix.relative(posix.join(output, 'contract'), from);
  return (path.startsWith('.') ? path : `./${path}`).replace(/\.ts$/u, importExtension);
}
