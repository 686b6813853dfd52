import { expect, test } from 'vitest';
import { readContract } from '../../../../generator/generate.ts';
import { lint } from '../../../../generator/tools/lint/lint.ts';
import { openapiWith, writeContract } from '../../../load/write-contract.ts';
import { toLine } from '../lint-case.ts';

test('the recommended rules of Redocly check workflows too', async () => {
  const folder = await writeContract({
    'openapi.yaml': openapiWith('type: string'),
    'flows.yaml': `arazzo: 1.0.0
info: { title: Flows, version: 1.0.0 }
sourceDescriptions: [{ name: api, type: openapi, url: openapi.yaml }]
workflows:
  - workflowId: list
    description: <script>alert(1)</script>
    inputs: { type: string, enum: [a, a] }
    steps: [{ stepId: list, operationId: listBooks }]
`,
  });
  const contract = { openapi: 'openapi.yaml', workflows: ['flows.yaml'] };
  const config = { contract, scope: '@a', output: 'out', targets: ['contract'] };
  const read = await readContract(config, folder);
  const { diagnostics } = await lint(read, {}, { path: 'countersign.config.ts', text: '' });
  expect(diagnostics.filter(({ file }) => file === 'flows.yaml').map(toLine)).toEqual([
    'redocly/no-unsafe-markdown flows.yaml:6:5',
    'redocly/no-duplicated-enum-values flows.yaml:7:39',
  ]);
});
