import { resolve } from 'node:path';
import { CommandError } from '../tools/command-error.ts';
import { isDocument, toDocument } from '../tools/diff/sides/resolve-side.ts';
import { findParts } from '../tools/inspect/find-parts.ts';
import { createUnknownNameError } from '../tools/unknown-name-error.ts';
import type { Invocation } from './command.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { readOneContract, readWithoutErrors } from './one-contract.ts';
import { toVisibleJson } from './terminal.ts';

/** Prints the model of a contract, or a part of it, as JSON. */
export async function runInspect(invocation: Invocation): Promise<ExitCode> {
  const { values, options } = invocation;
  const [part = ''] = values;
  const { document } = options;
  const { contract, loaded } =
    typeof document === 'string'
      ? { ...(await readDocument(document, invocation)), loaded: undefined }
      : await readOneContract(invocation);
  const parts = findParts(contract, part);
  const [only, ...others] = parts;
  if (only === undefined) {
    const { operations, notifications, schemas } = contract;
    const names = [...operations, ...notifications, ...schemas].map(({ name }) => name);
    throw createUnknownNameError('part of the contract', part, names);
  }
  const value =
    others.length === 0
      ? only.value
      : Object.fromEntries(parts.map((one) => [one.path, one.value] as const));
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { part, paths: parts.map(({ path }) => path), value },
    describe: () => `${toVisibleJson(value)}\n`,
  };
  return await showResults([result], invocation, loaded?.file);
}

async function readDocument(
  document: string,
  invocation: Invocation,
): ReturnType<typeof readWithoutErrors> {
  const path = resolve(invocation.terminal.folder, document);
  if (!(await isDocument(path)))
    throw new CommandError('not-found', `There is no file ${JSON.stringify(document)}.`);
  const { contract, folder } = await toDocument(path);
  return await readWithoutErrors({ contract, targets: [], output: '' }, folder, invocation);
}
