import { expect, test } from 'vitest';
import { readContract } from '../../../../generator/generate.ts';
import { lint } from '../../../../generator/tools/lint/lint.ts';
import { openapiWith, writeContract } from '../../../load/write-contract.ts';
import { lintFiles, toLine } from '../lint-case.ts';

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

test('only a document with paths needs a server', async () => {
  const webhook = `{ post: { summary: A., responses: { '200': { description: Done. } } } }`;
  const linted = async (places: string): Promise<readonly string[]> => {
    const { diagnostics } = await lintFiles({
      'openapi.yaml': `openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n${places}`,
    });
    return diagnostics.map(({ code }) => code);
  };
  const code = 'redocly/no-empty-servers';
  expect(await linted(`webhooks: { sent: ${webhook} }\n`)).not.toContain(code);
  expect(await linted(`servers: []\npaths: {}\nwebhooks: { sent: ${webhook} }\n`)).not.toContain(
    code,
  );
  expect(await linted(`paths: { /sent: ${webhook} }\n`)).toContain(code);
});
