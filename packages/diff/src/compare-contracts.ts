import { existsSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import type { Config, Diagnostic, ReadContract, SourceFile } from 'countersign';
import { scopeOf, targetName, withDiagnostics } from 'countersign/companion/configuration';
import { packageVersions } from 'countersign/companion/contract';
import {
  isDanglingCode,
  type PackageVersions,
  readContract,
  readPackageVersions,
} from 'countersign/companion/project';
import { CommandError, printable } from 'countersign/companion/terminal';
import type { Contract } from 'countersign/kit';
import {
  createReport,
  type DiffReport,
  type SeverityOverride,
  type TargetDescription,
} from './report/report.ts';
import { linkAdvice, type Side } from './sides/resolve-side.ts';
import { verdicts } from './verdicts/verdicts.ts';

/** The number of links that a message lists. */
const maxShownLinks = 5;

/** The files of one of the two contracts. */
export type ContractSide = Pick<Side, 'contract' | 'folder' | 'links'>;

/** Why two contracts cannot be compared. */
export interface Refusal {
  readonly code: 'invalid-contract' | 'unknown-package-version';
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The files of the diagnostics. */
  readonly files: readonly SourceFile[];
}

/**
 * Reads two contracts and compares them.
 * @param config the configuration, whose packages the report is about
 * @param folder the folder that the paths of the configuration are relative to, absolute
 * @throws OutputError if a target fails
 */
export async function compareContracts(
  sides: { readonly base: ContractSide; readonly head: ContractSide },
  config: Config,
  folder: string,
): Promise<DiffReport | Refusal> {
  const base = await read(sides.base, config);
  const head = await read(sides.head, config);
  if (base.contract === undefined) return refused('base', base, sides.base.links);
  if (head.contract === undefined) return refused('head', head, sides.head.links);
  // What a missing target costs in one version only would be reported as a change of the contract.
  const missing = { base: missingTargets(base), head: missingTargets(head) };
  if (hasFurther(missing.base, missing.head)) return refused('base', base, sides.base.links);
  if (hasFurther(missing.head, missing.base)) return refused('head', head, sides.head.links);
  const onDisk = readPackageVersions(config, resolve(folder, config.output));
  if (onDisk !== undefined && onDisk.diagnostics.length > 0) {
    const { diagnostics, files } = onDisk;
    const message = 'A package has no version to compare with.';
    return { code: 'unknown-package-version', message, diagnostics, files };
  }
  const targets = await describeTargets(config, folder, head.contract, onDisk).catch(
    (error: unknown) => {
      throw withDiagnostics(error, [], head.documents);
    },
  );
  return createReport(
    { base: base.contract, head: head.contract },
    { base: base.documents, head: head.documents },
    targets,
    severitiesOf(config),
  );
}

/**
 * Returns the severities of the configuration by the codes of changes.
 * @throws CommandError `usage` for a code that no change has
 */
function severitiesOf({ diff }: Config): Readonly<Record<string, SeverityOverride>> {
  const severities = diff?.severities ?? [];
  const unknown = severities.find(({ code }) => !Object.hasOwn(verdicts, code));
  if (unknown !== undefined)
    throw new CommandError(
      'usage',
      `\`diff.severities\` names \`${printable(unknown.code)}\`, which is the code of no change. \`countersign diff\` prints the code of each change.`,
    );
  return Object.fromEntries(severities.map(({ code, ...stated }) => [code, stated]));
}

/**
 * Returns the targets of a configuration, with the npm package that each generates, if any. A target whose output is
 * not on disk is emitted to find out.
 */
async function describeTargets(
  config: Config,
  folder: string,
  contract: Contract,
  onDisk: PackageVersions | undefined,
): Promise<readonly TargetDescription[]> {
  const names = config.targets.map(targetName);
  const output = resolve(folder, config.output);
  const manifests = names.every((name) => existsSync(join(output, name)))
    ? names.filter((name) => existsSync(join(output, name, 'package.json')))
    : await emittedPackages(config, contract);
  const starts = packageVersions(names, config.version, contract);
  return names.map((target) => {
    if (!manifests.includes(target)) return { target };
    const name = `${scopeOf(config)}/${target}`;
    if (onDisk === undefined) return { target, package: name };
    const current = onDisk.versions.get(target);
    const version = current === undefined ? { start: starts[target] ?? '' } : { current };
    return { target, package: name, version };
  });
}

/** Returns the folders of the packages that a configuration generates. */
async function emittedPackages(config: Config, contract: Contract): Promise<readonly string[]> {
  const { emitFiles } = await import('countersign/companion/generation');
  return (await emitFiles(contract, config)).flatMap(({ path }) =>
    posix.basename(path) === 'package.json' ? posix.dirname(path) : [],
  );
}

/** Returns the diagnostics about references without a target, which are warnings in contracts of others. */
function missingTargets({ diagnostics }: ReadContract): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => isDanglingCode(code));
}

function hasFurther(diagnostics: readonly Diagnostic[], baseline: readonly Diagnostic[]): boolean {
  const baselineTexts = new Set(baseline.map(({ code, message }) => `${code} ${message}`));
  return diagnostics.some(({ code, message }) => !baselineTexts.has(`${code} ${message}`));
}

function refused(side: string, read: ReadContract, links: readonly string[] = []): Refusal {
  const { diagnostics, documents } = read;
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' || isDanglingCode(code),
  );
  const message = `The ${side} has errors and cannot be compared.${describeLinks(links)}`;
  return { code: 'invalid-contract', message, diagnostics: errors, files: documents.files };
}

/** Describes the links of a revision, which are not followed and can cause its errors. */
function describeLinks(links: readonly string[]): string {
  if (links.length === 0) return '';
  const shown = links.slice(0, maxShownLinks).map((link) => `\`${printable(link)}\``);
  const more = links.length > maxShownLinks ? ` and ${links.length - maxShownLinks} more` : '';
  return ` The revision has links: ${shown.join(', ')}${more}. ${linkAdvice}`;
}

async function read({ contract, folder }: ContractSide, config: Config): Promise<ReadContract> {
  return await readContract({ ...config, contract }, folder, { isOtherRevision: true });
}
