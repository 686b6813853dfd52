import { posix } from 'node:path';
import type { Config } from './config/config.ts';
import type { Contract } from './contract/contract.ts';
import type { CheckOptions } from './rules/lower-and-check.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from './diagnostics/diagnostic.ts';
import type { Documents } from './load/documents.ts';

/** A contract as it was read, and everything that is wrong with it. */
export interface ReadContract {
  readonly documents: Documents;
  /** Left out where the contract has errors. */
  readonly contract?: Contract;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of the examples, with `judgesLater`; they are among the others without it. */
  readonly judged?: Promise<readonly Diagnostic[]>;
}

/**
 * Loads and lowers a contract. Both stages run even if the first finds errors, so that all are shown at once.
 * @param judging the compiler that the caller goes on with, and whether examples are judged beside its work
 */
export async function readContract(
  config: Config,
  folder: string,
  report: (progress: { readonly stage: 'load' | 'lower' }) => void = () => undefined,
  judging: Pick<CheckOptions, 'compiler' | 'judgesLater'> = {},
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
  // What is said of half a contract is mostly about the half that is missing.
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

/** The part of a contract that is chosen, or all of it. */
async function selectPart(documents: Documents, config: Config): Promise<Documents> {
  const { include, exclude, perspective = 'service' } = config;
  if (include === undefined && exclude === undefined) return documents;
  const { select } = await import('./select/select.ts');
  return select(documents, { include, exclude, perspective });
}

/** A path of the configuration as the module of the formats imports it, which lies in the contract's folder. */
function toFormatModule({ output, importExtension = '.js' }: Config, from: string): string {
  if (!from.startsWith('.')) return from;
  const path = posix.relative(posix.join(output, 'contract'), from);
  return (path.startsWith('.') ? path : `./${path}`).replace(/\.ts$/u, importExtension);
}
