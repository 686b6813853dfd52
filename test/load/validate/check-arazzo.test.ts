import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { completeContract } from '../../../generator/contract/complete.ts';
import { lowerWorkflows } from '../../../generator/contract/lower/workflows.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../generator/json/json.ts';
import type { Documents } from '../../../generator/documents/documents.ts';
import { checkArazzo } from '../../../generator/load/validate/check-arazzo.ts';
import { workflows } from '../../../generator/rules/workflows.ts';
import { ValidatorCompiler } from '../../../generator/validators/validator-compiler.ts';
import { buildContract } from '../../targets/contract/contract-builder.ts';

const path = fileURLToPath(new URL('../../../spec/workflows/flows.yaml', import.meta.url));
const text = await readFile(path, 'utf8');
const { workflows: all, ...rest } = parse(text) as { workflows: readonly Json[] };
// A workflow of an operation, and one of notifications.
const workflowDocument: JsonObject = {
  ...rest,
  workflows: [all.at(0) ?? null, all.at(-2) ?? null],
};

/** Every copy of a value in which one place has the replacement. */
function* mutants(value: Json, replacement: Json): Generator<Json> {
  yield replacement;
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries())
      for (const inner of mutants(item, replacement)) yield value.with(index, inner);
  } else if (isJsonObject(value)) {
    for (const [member, item] of Object.entries(value))
      for (const inner of mutants(item ?? null, replacement)) yield { ...value, [member]: inner };
  }
}

const replacements: readonly Json[] = [null, 5, '$', [], {}, [null], { reference: 'a', $ref: 1 }];

test.each(replacements.map((replacement) => ({ replacement })))(
  'every document with $replacement in one place is refused or becomes a model',
  async ({ replacement }) => {
    let refused = 0;
    let accepted = 0;
    for (const root of mutants(workflowDocument, replacement)) {
      if (!isJsonObject(root)) continue;
      if ((await checkArazzo({ path, text }, root, 'arazzo1_1')).length > 0) {
        refused += 1;
        continue;
      }
      accepted += 1;
      const documents: Documents = {
        workflows: { root: { flows: root }, sources: new Map() },
        files: [],
        diagnostics: [],
        locate: () => ({ file: path, line: 1, column: 1 }),
        cite: () => path,
      };
      const built = buildContract([]);
      const contract = completeContract({
        ...built,
        workflows: lowerWorkflows(documents, built),
      });
      for (const workflow of contract.workflows) expect(workflow.id).toBeTypeOf('string');
      const findings = workflows.check({ documents, contract, compiler: new ValidatorCompiler() });
      for (const { code = 'undeclared-name' } of await findings)
        expect(code).toBe('undeclared-name');
    }
    expect(refused).toBeGreaterThan(10);
    expect(accepted).toBeGreaterThan(0);
  },
);
