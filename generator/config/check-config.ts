import { posix } from 'node:path';
import type { Config } from './config.ts';
import { ConfigError } from '../diagnostics/config-error.ts';
import {
  type SettingCheck,
  describe,
  list,
  members,
  pattern,
  type SettingProblem,
  suggest,
} from './setting-checks.ts';
import { isJsonObject } from '../json/json.ts';
import { defaultBudgets } from '../load/budgets.ts';
import { namedFiles } from '../load/contract-files.ts';

/**
 * Validates a configuration or a list of configurations, whose output folders must not overlap.
 * @param file the file that errors name
 * @throws ConfigError `invalid`, with all problems
 */
export async function checkConfig(value: unknown, file: string): Promise<readonly Config[]> {
  const problems: SettingProblem[] = [];
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length === 0) problems.push({ member: '', message: 'the list is empty' });
  for (const [index, entry] of entries.entries()) {
    const member = Array.isArray(value) ? `[${index}]` : '';
    checkOne(entry, member, problems);
    if (!isJsonObject(entry)) continue;
    const { lint, formats, layout } = entry;
    const at = (name: string): string => (member === '' ? name : `${member}.${name}`);
    if (formats !== undefined) {
      const { checkFormats } = await import('./check-formats.ts');
      checkFormats(formats, at('formats'), problems, layout === 'folder');
    }
    if (lint === undefined) continue;
    const { checkLintSettings } = await import('./check-lint-settings.ts');
    checkLintSettings(lint, at('lint'), problems);
  }
  if (problems.length === 0 && entries.every(isChecked)) {
    checkOutputs(entries, problems);
    if (problems.length === 0) return entries;
  }
  throw new ConfigError('invalid', file, await Promise.all(problems.map(suggest)));
}

const path: SettingCheck = (value, member, problems) => {
  if (typeof value !== 'string' || value === '') {
    problems.push({ member, message: `must be a path, not ${describe(value)}` });
  } else if (/^[a-z][a-z0-9+.-]+:/iu.test(value)) {
    problems.push({ member, message: 'must be a file; nothing is read from the network' });
  } else if (value.includes('\\')) {
    problems.push({ member, message: 'paths are written with `/` on every system' });
  } else if (value.startsWith('/') || /^[a-z]:/iu.test(value)) {
    problems.push({ member, message: 'paths are relative to the configuration file' });
  } else if (value.includes('\0')) {
    problems.push({ member, message: 'no path holds a NUL character' });
  }
};

const contract: SettingCheck = (value, member, problems) => {
  const files = { openapi: path, asyncapi: path, overlays: list(path), workflows: list(path) };
  members({ ...files, folder: path }, [])(value, member, problems);
  if (isJsonObject(value) && value['openapi'] === undefined && value['asyncapi'] === undefined) {
    problems.push({ member, message: 'must have `openapi`, `asyncapi` or both' });
  }
};

const name = pattern(/^[a-z0-9][a-z0-9._-]*$/u, 'a name in lower case, such as `contract`');

const target: SettingCheck = (value, member, problems) => {
  if (!isJsonObject(value)) return name(value, member, problems);
  name(value['name'], `${member}.name`, problems);
  for (const key of ['requires', 'fingerprint']) {
    list(pattern(/./u, 'a string'))(value[key], `${member}.${key}`, problems);
  }
  if (value['templates'] !== undefined) {
    const isList = Array.isArray(value['templates']);
    const text = pattern(/./u, 'a string');
    (isList ? list(text) : text)(value['templates'], `${member}.templates`, problems);
  }
  if (typeof (value as { readonly emit?: unknown }).emit !== 'function') {
    problems.push({ member: `${member}.emit`, message: 'must be a function' });
  }
};

const targets: SettingCheck = (value, member, problems) => {
  list(target)(value, member, problems);
  if (!Array.isArray(value)) return;
  if (value.length === 0) problems.push({ member, message: 'must name at least one target' });
  const names = value.map((part: unknown) => (isJsonObject(part) ? part['name'] : part));
  for (const [index, part] of names.entries()) {
    if (typeof part !== 'string' || names.indexOf(part) === index) continue;
    problems.push({ member: `${member}[${index}]`, message: `"${part}" is listed twice` });
  }
};

const oneOf = (...choices: readonly [string, ...string[]]): SettingCheck => {
  return (value, member, problems) => {
    if (choices.some((choice) => choice === value)) return;
    const message = `must be \`${choices.join('` or `')}\`, not ${describe(value)}`;
    const isName = typeof value === 'string';
    const unknownName = isName
      ? { unknownName: { name: value, of: choices, areListed: true } }
      : {};
    problems.push({ member, message, ...unknownName });
  };
};

const flag: SettingCheck = (value, member, problems) => {
  if (typeof value === 'boolean') return;
  problems.push({ member, message: `must be \`true\` or \`false\`, not ${describe(value)}` });
};

const names: SettingCheck = (value, member, problems) => {
  list(pattern(/\S/u, 'a name'))(value, member, problems);
  if (Array.isArray(value) && value.length === 0) {
    problems.push({ member, message: 'must have at least one name' });
  }
};

const selection: SettingCheck = (value, member, problems) => {
  members({ paths: names, tags: names, operations: names, events: names }, [])(
    value,
    member,
    problems,
  );
  if (isJsonObject(value) && Object.values(value).every((part) => part === undefined)) {
    const message = 'must have `paths`, `tags`, `operations` or `events`';
    problems.push({ member, message });
  }
};

const budget: SettingCheck = (value, member, problems) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return;
  problems.push({ member, message: `must be a positive integer, not ${describe(value)}` });
};

const config = members(
  {
    contract,
    scope: pattern(/^@[a-z0-9][a-z0-9._-]*$/u, 'an npm scope, such as `@acme`'),
    output: path,
    targets,
    version: pattern(
      /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/u,
      'a semantic version, such as `1.0.0`',
    ),
    license: pattern(/^[A-Za-z0-9][A-Za-z0-9 .+()-]*$/u, 'an SPDX licence, such as `MIT`'),
    perspective: oneOf('service', 'integrator'),
    layout: oneOf('packages', 'folder'),
    importExtension: oneOf('.js', '.ts'),
    validators: flag,
    nestedArrays: oneOf('indices', 'brackets', 'repeat'),
    include: selection,
    exclude: selection,
    budgets: members(
      Object.fromEntries(Object.keys(defaultBudgets).map((key) => [key, budget])),
      [],
    ),
    // `checkConfig` checks these. It imports their checks only if they are set.
    formats: () => undefined,
    lint: () => undefined,
  },
  ['contract', 'output', 'targets'],
);

function checkOne(value: unknown, member: string, problems: SettingProblem[]): void {
  const before = problems.length;
  config(value, member, problems);
  if (isJsonObject(value)) {
    checkLayout(value, member, problems);
    checkReceivers(value, member, problems);
  }
  if (problems.length > before || !isChecked(value)) return;
  const at = member === '' ? 'output' : `${member}.output`;
  const output = posix.normalize(`${value.output}/`);
  if (output === './') {
    problems.push({
      member: at,
      message: "must be a folder of its own in the configuration's folder",
    });
    return;
  }
  if (output.startsWith('../')) {
    problems.push({
      member: at,
      message: `"${value.output}" is outside the configuration's folder`,
    });
  }
  if (/(?:^|\/)(?:node_modules|\.git)\//iu.test(output)) {
    problems.push({ member: at, message: `"${value.output}" belongs to another tool` });
  }
  for (const source of namedFiles(value.contract)) {
    if (!`${posix.normalize(source)}/`.startsWith(output)) continue;
    problems.push({
      member: at,
      message: `"${value.output}" contains "${source}", which is not generated`,
    });
  }
}

function checkLayout(
  { layout, scope, importExtension }: { readonly [member: string]: unknown },
  member: string,
  problems: SettingProblem[],
): void {
  const at = (name: string): string => (member === '' ? name : `${member}.${name}`);
  if (layout !== 'folder' && scope === undefined) {
    problems.push({ member: at('scope'), message: 'is missing' });
  }
  if (layout !== 'folder' && importExtension !== undefined) {
    problems.push({ member: at('importExtension'), message: "requires `layout: 'folder'`" });
  }
}

/**
 * Reports a receiver target in a configuration without validators. A receiver validates every notification before a
 * handler gets it.
 */
function checkReceivers(
  { validators, targets: chosen }: { readonly [member: string]: unknown },
  member: string,
  problems: SettingProblem[],
): void {
  if (validators !== false || !Array.isArray(chosen)) return;
  const receiver = chosen.find(
    (part: unknown) => typeof part === 'string' && /^webhooks(?:-|$)/u.test(part),
  );
  if (receiver === undefined) return;
  problems.push({
    member: member === '' ? 'validators' : `${member}.validators`,
    message: `"${String(receiver)}" requires validators; remove the target or this setting`,
  });
}

function isChecked(value: unknown): value is Config {
  return (
    isJsonObject(value) && isJsonObject(value['contract']) && typeof value['output'] === 'string'
  );
}

function checkOutputs(configs: readonly Config[], problems: SettingProblem[]): void {
  const outputs = configs.map(({ output }) => posix.normalize(`${output}/`));
  const folded = outputs.map((output) => output.toLowerCase());
  for (const [index, output] of folded.entries()) {
    const other = folded.findIndex(
      (earlier, at) => at < index && (output.startsWith(earlier) || earlier.startsWith(output)),
    );
    if (other < 0) continue;
    const message = `"${configs[index]?.output}" and [${other}].output overlap; use separate folders`;
    problems.push({ member: `[${index}].output`, message });
  }
  for (const [index, { contract: files }] of configs.entries()) {
    for (const source of namedFiles(files)) {
      const other = outputs.findIndex(
        (output, at) => at !== index && posix.normalize(source).startsWith(output),
      );
      if (other < 0) continue;
      problems.push({
        member: `[${other}].output`,
        message: `contains "${source}", which is not generated`,
      });
    }
  }
}
