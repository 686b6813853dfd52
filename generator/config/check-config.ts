import { isReservedScope } from '../targets/scope.ts';
import { posix } from 'node:path';
import type { Config } from './config.ts';
import { ConfigError } from '../diagnostics/config-error.ts';
import {
  type SettingCheck,
  describe,
  list,
  members,
  oneOf,
  pattern,
  Setting,
  type SettingProblem,
  suggest,
} from '../diagnostics/setting-checks.ts';
import { semanticVersion, versionsOnDisk } from '../contract/semantic-version.ts';
import { isJsonObject, type JsonObject, withoutMembers } from '../json/json.ts';
import { defaultBudgets } from '../load/budgets.ts';
import { namedFiles } from '../load/contract-files.ts';
import { formatEntry, isData, isWithOptions, targetName } from '../targets/target-entry.ts';
import type { Target } from '../targets/target.ts';

/**
 * Validates a configuration or a list of configurations, whose output folders must not overlap.
 * @param file the file that errors name
 * @throws ConfigError `invalid`, with all problems
 */
export async function checkConfig(value: unknown, file: string): Promise<readonly Config[]> {
  const problems: SettingProblem[] = [];
  const all = new Setting('', problems);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length === 0) all.report('the list is empty');
  for (const [index, entry] of entries.entries()) {
    const at = Array.isArray(value) ? all.item(index) : all;
    const before = problems.length;
    if (!isJsonObject(entry)) {
      config(entry, at);
      continue;
    }
    const chosen: readonly unknown[] = Array.isArray(entry['targets']) ? entry['targets'] : [];
    config(await withoutOptionsOfTargets(entry, chosen, at), at);
    for (const [order, part] of chosen.entries())
      await checkOptions(part, at.member('targets').item(order));
    checkLayout(entry, at);
    checkReceivers(entry, at);
    if (problems.length === before && isChecked(entry)) checkOutput(entry, at.member('output'));
    const { lint, formats, layout } = entry;
    if (formats !== undefined) {
      const { checkFormats } = await import('./check-formats.ts');
      checkFormats(formats, at.member('formats'), layout === 'folder');
    }
    if (lint === undefined) continue;
    const { checkLintSettings } = await import('./check-lint-settings.ts');
    checkLintSettings(lint, at.member('lint'));
  }
  if (problems.length === 0 && entries.every(isChecked)) {
    checkOutputs(entries, all);
    if (problems.length === 0) return entries;
  }
  throw new ConfigError('invalid', file, await Promise.all(problems.map(suggest)));
}

const path: SettingCheck = (value, at) => {
  if (typeof value !== 'string' || value === '')
    at.report(`must be a path, not ${describe(value)}`);
  else if (/^[a-z][a-z0-9+.-]+:/iu.test(value))
    at.report('must be a file; nothing is read from the network');
  else if (value.includes('\\')) at.report('paths are written with `/` on every system');
  else if (value.startsWith('/') || /^[a-z]:/iu.test(value))
    at.report('paths are relative to the configuration file');
  else if (value.includes('\0')) at.report('no path holds a NUL character');
};

const contractFiles = members({
  openapi: path,
  asyncapi: path,
  overlays: list(path),
  workflows: list(path),
  folder: path,
});

const contract: SettingCheck = (value, at) => {
  contractFiles(value, at);
  if (isJsonObject(value) && value['openapi'] === undefined && value['asyncapi'] === undefined)
    at.report('must have `openapi`, `asyncapi` or both');
};

const name = pattern(/^[a-z0-9][a-z0-9._-]*$/u, 'a name in lower case, such as `contract`');
const text = pattern(/./u, 'a string');

const entryOfTargets: SettingCheck = (value, at) => {
  if (isWithOptions(value)) target(value.use, at.member('use'));
  else target(value, at);
};

const target: SettingCheck = (value, at) => {
  if (!isJsonObject(value)) return name(value, at);
  const { templates } = value;
  const options: unknown = value['options'] ?? {};
  if (!isChecks(options)) at.member('options').report('must be an object of functions');
  else if (Object.hasOwn(options, 'use'))
    at.member('options').member('use').report('is the name of the member for the target');
  name(value['name'], at.member('name'));
  for (const key of ['requires', 'fingerprint']) list(text)(value[key], at.member(key));
  if (templates !== undefined)
    (Array.isArray(templates) ? list(text) : text)(templates, at.member('templates'));
  if (typeof (value as { readonly emit?: unknown }).emit !== 'function')
    at.member('emit').report('must be a function');
};

const targets: SettingCheck = (value, at) => {
  list(entryOfTargets)(value, at);
  if (!Array.isArray(value)) return;
  if (value.length === 0) at.report('must name at least one target');
  const chosen = value.map(nameOfEntry);
  for (const [index, part] of chosen.entries()) {
    if (typeof part === 'string' && chosen.indexOf(part) !== index)
      at.item(index).report(`"${part}" is listed twice`);
  }
};

/** Returns the name of the target of an entry, which may not be valid. */
function nameOfEntry(entry: unknown): unknown {
  const value = isWithOptions(entry) ? entry.use : entry;
  return isJsonObject(value) ? value['name'] : value;
}

type Checks = Readonly<Record<string, SettingCheck>>;

/** Returns the target of an entry and the checks of its options; `undefined` for an unknown or an invalid target. */
async function declaredBy(
  entry: unknown,
): Promise<{ readonly use: string | Target; readonly checks: Checks } | undefined> {
  const use = isWithOptions(entry) ? entry.use : entry;
  const { findTarget } = await import('../targets/registry.ts');
  const candidate: unknown = typeof use === 'string' ? await findTarget(use) : use;
  if (!isTarget(candidate)) return undefined;
  const checks: unknown = candidate.options ?? {};
  if (!isChecks(checks) || Object.hasOwn(checks, 'use')) return undefined;
  return { use: typeof use === 'string' ? use : candidate, checks };
}

/** Returns whether a value can be a target; `target` reports what it lacks. */
function isTarget(value: unknown): value is Target {
  return isJsonObject(value) && typeof value['name'] === 'string';
}

/** Reports the options that a target does not declare, or that its checks do not accept. */
async function checkOptions(entry: unknown, at: Setting): Promise<void> {
  if (!isWithOptions(entry)) return;
  const declared = await declaredBy(entry);
  // `resolveTargets` reports an unknown target.
  if (declared === undefined) return;
  const ofData = Object.entries(declared.checks).map(([option, check]): [string, SettingCheck] => [
    option,
    (value, member) => {
      if (isData(value)) check(value, member);
      else member.report('must be data: text, numbers, booleans, lists and objects of them');
    },
  ]);
  members({ use: () => undefined, ...Object.fromEntries(ofData) })(entry, at);
}

/** Reports the keys of a configuration that are options of a target, and returns the configuration without them. */
async function withoutOptionsOfTargets(
  entry: JsonObject,
  chosen: readonly unknown[],
  at: Setting,
): Promise<JsonObject> {
  const otherKeys = Object.keys(entry).filter(
    (key) => !Object.hasOwn(settings, key) && entry[key] !== undefined,
  );
  if (otherKeys.length === 0) return entry;
  const { targetNames } = await import('../targets/registry.ts');
  // The page of `reference` reads an option of `client`, which is before it in the list of the toolkit.
  const ofToolkit = targetNames.filter((toolkitName) =>
    chosen.map(nameOfEntry).includes(toolkitName),
  );
  const misplaced: string[] = [];
  for (const candidate of [...ofToolkit, ...chosen, ...targetNames]) {
    const declared = await declaredBy(candidate);
    if (declared === undefined) continue;
    const { use, checks } = declared;
    for (const option of otherKeys) {
      if (misplaced.includes(option) || !Object.hasOwn(checks, option)) continue;
      misplaced.push(option);
      const form = formatEntry({ use, [option]: entry[option] });
      at.member(option).report(
        `is an option of the target "${targetName(use)}"; write \`${form}\` in \`targets\``,
      );
    }
  }
  return withoutMembers(entry, ...misplaced);
}

function isChecks(value: unknown): value is Checks {
  return isJsonObject(value) && Object.values(value).every((check) => typeof check === 'function');
}

const fixedVersion = pattern(
  semanticVersion,
  `a semantic version, such as \`1.0.0\`, or \`${versionsOnDisk}\``,
);

const version: SettingCheck = (value, at) => {
  if (value !== versionsOnDisk) fixedVersion(value, at);
};

const flag: SettingCheck = (value, at) => {
  if (typeof value !== 'boolean')
    at.report(`must be \`true\` or \`false\`, not ${describe(value)}`);
};

const names: SettingCheck = (value, at) => {
  list(pattern(/\S/u, 'a name'))(value, at);
  if (Array.isArray(value) && value.length === 0) at.report('must have at least one name');
};

const selected = members({ paths: names, tags: names, operations: names, events: names });

const selection: SettingCheck = (value, at) => {
  selected(value, at);
  if (isJsonObject(value) && Object.values(value).every((part) => part === undefined))
    at.report('must have `paths`, `tags`, `operations` or `events`');
};

const budget: SettingCheck = (value, at) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return;
  at.report(`must be a positive integer, not ${describe(value)}`);
};

const url = pattern(/^(?:git\+)?(?:https?|ssh|git):\/\/[^\s@]+(?:@[^\s@]+)?$/u, 'a URL');

/**
 * Reports a URL with a password or a token, which everyone who installs the package would read. Over HTTP, a user alone
 * can be a token.
 */
const openUrl: SettingCheck = (value, at) => {
  const isSecret =
    typeof value === 'string' && /^(?:[^/]*\/\/[^/]*:|(?:git\+)?https?:\/\/)[^/]*@/u.test(value);
  // The problem of another URL shows its text.
  if (isSecret) at.report('must not contain a password or token');
  else url(value, at);
};

const line = pattern(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'one line of text');

/** Returns a check for a string, or an object where the value is one. */
function either(ofText: SettingCheck, ofObject: SettingCheck): SettingCheck {
  return (value, at) => (isJsonObject(value) ? ofObject : ofText)(value, at);
}

const packageJson = members({
  repository: either(
    pattern(
      /^(?:(?:github|gitlab|bitbucket):)?[\w.-]+\/[\w.-]+$/u,
      'a repository such as `github:acme/orders`, or an object with its `url`',
    ),
    members({ type: line, url: openUrl, directory: path }, ['url']),
  ),
  author: either(line, members({ name: line, email: line, url: openUrl }, ['name'])),
  homepage: openUrl,
  keywords: list(line),
  publishConfig: members({
    access: oneOf('public', 'restricted'),
    registry: openUrl,
    tag: line,
    provenance: flag,
  }),
});

const settings: Checks = {
  contract,
  scope: pattern(/^@[a-z0-9][a-z0-9._-]*$/u, 'an npm scope, such as `@acme`'),
  output: path,
  targets,
  version,
  license: pattern(/^[A-Za-z0-9][A-Za-z0-9 .+()-]*$/u, 'an SPDX licence, such as `MIT`'),
  packageJson,
  perspective: oneOf('service', 'integrator'),
  layout: oneOf('packages', 'folder'),
  importExtension: oneOf('.js', '.ts'),
  validators: flag,
  include: selection,
  exclude: selection,
  budgets: members(Object.fromEntries(Object.keys(defaultBudgets).map((key) => [key, budget]))),
  diff: members({
    severities: list(
      members(
        {
          code: pattern(
            /^[a-z]+(?:-[a-z]+)*$/u,
            'the code of a change, such as `enum-value-added`',
          ),
          severity: oneOf('breaking', 'compatible'),
          reason: pattern(/\S/u, 'the reason, as text'),
        },
        ['code', 'severity', 'reason'],
      ),
    ),
  }),
  // `checkConfig` checks these. It imports their checks only if they are set.
  formats: () => undefined,
  lint: () => undefined,
};

const config = members(settings, ['contract', 'output', 'targets']);

function checkOutput({ output: outputPath, contract: files }: Config, at: Setting): void {
  const output = posix.normalize(`${outputPath}/`);
  if (output === './') {
    at.report("must be a separate folder in the configuration's folder");
    return;
  }
  if (output.startsWith('../')) at.report(`"${outputPath}" is outside the configuration's folder`);
  if (/(?:^|\/)(?:node_modules|\.git)\//iu.test(output))
    at.report(`"${outputPath}" belongs to another tool`);
  for (const source of namedFiles(files)) {
    if (`${posix.normalize(source)}/`.startsWith(output))
      at.report(`"${outputPath}" contains "${source}", which is not generated`);
  }
}

function checkLayout(
  {
    layout,
    scope,
    version: versions,
    importExtension,
    packageJson: manifest,
  }: { readonly [member: string]: unknown },
  at: Setting,
): void {
  if (layout === 'folder') {
    if (versions === versionsOnDisk)
      at.member('version').report(
        `\`${versionsOnDisk}\` requires packages, which \`layout: 'folder'\` does not have`,
      );
    if (manifest !== undefined)
      at.member('packageJson').report("requires packages, which `layout: 'folder'` does not have");
    return;
  }
  if (scope === undefined) at.member('scope').report('is missing');
  else if (typeof scope === 'string' && isReservedScope(scope))
    at.member('scope').report('is the scope of the packages with types that compilers load');
  if (importExtension !== undefined)
    at.member('importExtension').report("requires `layout: 'folder'`");
}

/**
 * Reports a receiver target in a configuration without validators. A receiver validates every notification before a
 * handler gets it.
 */
function checkReceivers(
  { validators, targets: chosen }: { readonly [member: string]: unknown },
  at: Setting,
): void {
  if (validators !== false || !Array.isArray(chosen)) return;
  const receiver = chosen
    .map(nameOfEntry)
    .find((part): part is string => typeof part === 'string' && /^webhooks(?:-|$)/u.test(part));
  if (receiver === undefined) return;
  at.member('validators').report(
    `"${receiver}" requires validators; remove the target or this setting`,
  );
}

function isChecked(value: unknown): value is Config {
  return (
    isJsonObject(value) && isJsonObject(value['contract']) && typeof value['output'] === 'string'
  );
}

function checkOutputs(configs: readonly Config[], all: Setting): void {
  const outputs = configs.map(({ output }) => posix.normalize(`${output}/`));
  const folded = outputs.map((output) => output.toLowerCase());
  for (const [index, output] of folded.entries()) {
    const other = folded.findIndex(
      (earlier, at) => at < index && (output.startsWith(earlier) || earlier.startsWith(output)),
    );
    if (other < 0) continue;
    const message = `"${configs[index]?.output}" and [${other}].output overlap; use separate folders`;
    all.item(index).member('output').report(message);
  }
  for (const [index, { contract: files }] of configs.entries()) {
    for (const source of namedFiles(files)) {
      const other = outputs.findIndex(
        (output, at) => at !== index && posix.normalize(source).startsWith(output),
      );
      if (other < 0) continue;
      all.item(other).member('output').report(`contains "${source}", which is not generated`);
    }
  }
}
