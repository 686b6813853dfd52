import { expect, test } from 'vitest';
import { load } from '../../generator/load/load.ts';
import { brokenContracts } from './broken-contracts.ts';
import { writeContract } from './write-contract.ts';

test.each(brokenContracts)('$name', async ({ files, contract, budgets, expected, says }) => {
  const folder = await writeContract(files);
  const documents = await load(
    contract ??
      Object.fromEntries(
        ['openapi', 'asyncapi'].flatMap((name) =>
          `${name}.yaml` in files ? [[name, `${name}.yaml`]] : [],
        ),
      ),
    { folder, ...(budgets === undefined ? {} : { budgets }) },
  );
  expect(
    documents.diagnostics.map(
      ({ code, file, line, column }) => `${code} ${file}:${line}:${column}`,
    ),
    documents.diagnostics.map(({ message }) => message).join('\n'),
  ).toEqual(expected);
  if (says !== undefined) {
    expect(
      documents.diagnostics.map(({ message, help }) => `${message} ${help}`).join('\n'),
    ).toMatch(says);
  }
});
