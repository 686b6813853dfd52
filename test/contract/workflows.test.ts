import { beforeAll, describe, expect, it } from 'vitest';
import type { Workflow } from '../../generator/contract/contract.ts';
import type { ContractFiles } from '../../generator/load/contract-files.ts';
import { readContract, type ReadContract } from '../../generator/generate.ts';
import { checkWorkflows } from '../../packages/simulator/src/simulate/check-workflows.ts';
import { openapiWith, writeContract } from '../load/write-contract.ts';
import { valueAt } from '../../packages/simulator/src/sending/json-path.ts';
import { createWorld, settle } from '../packages/simulator/workflows/world.ts';
import { repository } from '../targets/emit-project.ts';

const read = async (contract: ContractFiles, folder: string): Promise<ReadContract> =>
  await readContract({ contract, output: 'generated', targets: [], scope: '@trade' }, folder);

const ours = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };

const describeFiles = async (files: ContractFiles): Promise<readonly Workflow[]> => {
  const { contract } = await read(files, repository);
  return contract?.workflows ?? [];
};

describe("this repository's workflows", () => {
  let workflows: readonly Workflow[] = [];
  beforeAll(async () => {
    workflows = await describeFiles({ ...ours, workflows: ['spec/workflows/flows.yaml'] });
  });

  it('name operations and kinds, and keep undescribed steps in their place', () => {
    const cashout = workflows.find(({ id }) => id === 'cashout');
    expect(
      cashout?.steps.map((step) => [step.id, step.kind, ...('names' in step ? step.names : [])]),
    ).toEqual([
      ['note-1', 'note'],
      ['receiveStageOne', 'receive', 'cashoutStageOne'],
      ['note-2', 'note'],
      ['receiveStageTwo', 'receive', 'cashoutStageTwo'],
    ]);
    const token = workflows.find(({ id }) => id === 'token');
    expect(token?.steps).toMatchObject([{ kind: 'call', names: ['issueToken'] }]);
    expect(token?.definition['inputs']).toMatchObject({ required: ['clientId', 'clientSecret'] });
    expect(token?.definition).not.toHaveProperty('steps');
    expect(token?.steps[0]).toHaveProperty('definition.requestBody.payload.client_id');
  });

  it('use nothing that the simulator does not run', async () => {
    const files = { ...ours, workflows: ['spec/workflows/flows.yaml'] };
    const { documents, contract } = await read(files, repository);
    expect(contract && checkWorkflows(documents, contract)).toEqual([]);
  });

  it('run from the request to the second stage with the example of invented calls', async () => {
    const files = {
      ...ours,
      overlays: ['spec/overlays/example-cashout.yaml'],
      workflows: ['spec/workflows/flows.yaml', 'spec/workflows/example-cashout.yaml'],
    };
    const { documents, contract, diagnostics } = await read(files, repository);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    if (contract === undefined) return;
    expect(checkWorkflows(documents, contract)).toEqual([]);
    const notifications = contract.notifications.map(({ name, examples }) => ({ name, examples }));
    const world = createWorld(contract.workflows, { notifications });
    const run = world.runner.start('cashoutExample');
    world.call('requestCashout', { body: { txid: 'T1', amount: 12.5 }, status: 202 });
    await settle();
    const [first] = world.triggered;
    expect(first).toMatchObject({ payload: { Pix: { txid: 'T1', amount: 12.5, Status: 99 } } });
    const confirmationKey = valueAt(first?.payload, ['Pix', 'confirmationKey']) ?? null;
    world.call('confirmCashout', { body: { confirmationKey: 'another' }, status: 202 });
    expect(world.triggered).toHaveLength(1);
    world.call('confirmCashout', { body: { confirmationKey }, status: 202 });
    await run.done;
    expect(world.triggered[1]).toMatchObject({
      kind: 'cashoutStageTwo',
      payload: { Pix: { txid: 'T1', confirmationKey, amount: 12.5, Status: 1 } },
    });
    expect(run).toMatchObject({ state: 'passed', outputs: { txid: 'T1' } });
  });
});

const flow = (steps: string, more = ''): string => `arazzo: 1.1.0
info: { title: Flows, version: 1.0.0 }
sourceDescriptions:
  - { name: api, type: openapi, url: openapi.yaml }
  - { name: more, type: arazzo, url: b.yaml }
workflows:
  - workflowId: list
    dependsOn: [$sourceDescriptions.more.list]
    inputs: { $ref: '#/components/inputs/page' }
    outputs: { a: $steps.list.outputs.x }
    steps:
${steps}
components:
  inputs: { page: { type: object, properties: { page: { type: integer } } } }
  parameters: { page: { name: page, in: query, value: 1 } }
  successActions:
    stop: { name: stop, type: goto, workflowId: list }
${more}`;

const other = `arazzo: 1.1.0
info: { title: More, version: 1.0.0 }
sourceDescriptions: [{ name: api, type: openapi, url: openapi.yaml }]
workflows:
  - workflowId: list
    steps: [{ stepId: list, operationId: listBooks }]
`;

describe('workflows of several documents', () => {
  it('have qualified ids where they are equal, and resolved references', async () => {
    const steps = `      - stepId: list
        operationId: $sourceDescriptions.api.listBooks
        parameters: [{ reference: $components.parameters.page, value: 2 }]
        onSuccess: [{ reference: $components.successActions.stop }]
        outputs: { x: $statusCode }
      - { stepId: again, workflowId: $sourceDescriptions.more.list, outputs: { a: $workflows.list.outputs.a } }`;
    const folder = await writeContract({
      'openapi.yaml': openapiWith('type: string'),
      'a.yaml': flow(steps),
      'b.yaml': other,
    });
    const { contract, diagnostics } = await read(
      { openapi: 'openapi.yaml', workflows: ['a.yaml', 'b.yaml'] },
      folder,
    );
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(contract?.workflows).toMatchObject([
      {
        id: 'a.list',
        definition: {
          inputs: { properties: { page: { type: 'integer' } } },
          dependsOn: ['b.list'],
        },
        steps: [
          {
            kind: 'call',
            names: ['listBooks'],
            definition: {
              parameters: [{ name: 'page', in: 'query', value: 2 }],
              onSuccess: [{ name: 'stop', type: 'goto', workflowId: 'a.list' }],
            },
          },
          {
            kind: 'workflow',
            names: ['b.list'],
            definition: { outputs: { a: '$workflows.a.list.outputs.a' } },
          },
        ],
      },
      { id: 'b.list', steps: [{ names: ['listBooks'] }] },
    ]);
  });

  it('are located where they use what the simulator does not run', async () => {
    const steps = `      - stepId: list
        operationId: $sourceDescriptions.api.listBooks
        outputs: { x: $statusCode }
        successCriteria:
          - { context: $response.body, type: xpath, condition: /a }`;
    const folder = await writeContract({
      'openapi.yaml': openapiWith('type: string'),
      'a.yaml': flow(steps),
      'b.yaml': other,
    });
    const { documents, contract } = await read(
      { openapi: 'openapi.yaml', workflows: ['a.yaml', 'b.yaml'] },
      folder,
    );
    expect(contract && checkWorkflows(documents, contract)).toMatchObject([
      {
        code: 'unsupported-workflow',
        severity: 'warning',
        message: 'The simulator does not support conditions of the type "xpath".',
        help: 'Use a simple condition, a regular expression or a JSONPath of RFC 9535.',
        file: 'a.yaml',
        line: 16,
        column: 40,
      },
    ]);
  });
});
