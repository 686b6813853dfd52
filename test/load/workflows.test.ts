import { expect, test } from 'vitest';
import { load } from '../../generator/load/load.ts';
import { openapiWith, writeContract } from './write-contract.ts';

const flow = (sources: string, steps = 'stepId: list, operationId: listBooks'): string =>
  `arazzo: 1.0.1
info: { title: Flows, version: 1.0.0 }
sourceDescriptions:
${sources}workflows:
  - workflowId: list
    steps: [{ ${steps} }]
`;

const api = (url: string): string => `  - { name: api, type: openapi, url: ${url} }\n`;

test('reads several documents, which can refer to one another, and names them after their files', async () => {
  const files = {
    'openapi.yaml': openapiWith('type: string'),
    'a/flows.yaml': flow(
      `${api('../openapi.yaml')}  - { name: more, type: arazzo, url: '../b/Flows.json' }\n`,
      'stepId: again, workflowId: $sourceDescriptions.more.list',
    ),
    'b/Flows.json': JSON.stringify({
      arazzo: '1.1.0',
      info: { title: 'More', version: '1.0.0' },
      sourceDescriptions: [{ name: 'api', type: 'openapi', url: '../openapi.yaml' }],
      workflows: [{ workflowId: 'list', steps: [{ stepId: 'list', operationId: 'listBooks' }] }],
    }),
    'my flows.v2.yaml': flow(api('openapi.yaml')),
  };
  const documents = await load(
    {
      openapi: 'openapi.yaml',
      workflows: ['a/flows.yaml', 'b/Flows.json', 'my flows.v2.yaml', 'a/flows.yaml'],
    },
    { folder: await writeContract(files) },
  );
  expect(documents.diagnostics).toEqual([]);
  expect(Object.keys(documents.workflows?.root ?? {})).toEqual(['flows', 'Flows-2', 'my-flows-v2']);
  expect(documents.workflows?.sources.get('flows')).toEqual(
    new Map([
      ['api', 'openapi#'],
      ['more', 'workflows#/Flows-2'],
    ]),
  );
  expect(documents.files.map(({ path }) => path)).toContain('my flows.v2.yaml');
  expect(documents.locate('workflows#/my-flows-v2/workflows/0/steps/0/operationId')).toEqual({
    file: 'my flows.v2.yaml',
    line: 7,
    column: 29,
  });
});
