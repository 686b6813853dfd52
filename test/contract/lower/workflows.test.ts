import { describe, expect, it } from 'vitest';
import type { WorkflowStep } from '../../../generator/contract/contract.ts';
import { lowerFiles } from './lower-files.ts';

const openapi = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
paths:
  /orders:
    post: { operationId: order, responses: { 2XX: { description: Done. } } }
webhooks:
  paid:
    post: { operationId: onPaid, requestBody: { content: { application/json: { schema: { type: object } } } }, responses: {} }
x-unstated:
  cancelling: { source: '2', question: How is an order cancelled? }
`;

const asyncapi = `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0 }
channels:
  orders:
    address: /orders
    messages:
      shipped: { payload: { type: object } }
      returned: { payload: { type: string } }
  questions:
    address: /questions
    messages:
      asked: { payload: { type: string } }
operations:
  sendOrders: { action: send, channel: { $ref: '#/channels/orders' } }
  takeQuestions: { action: receive, channel: { $ref: '#/channels/questions' } }
`;

const workflows = `arazzo: 1.1.0
info: { title: Flows, version: 1.0.0, x-countersign: 1 }
sourceDescriptions:
  - { name: service, type: openapi, url: openapi.yaml }
  - { name: notifications, type: asyncapi, url: ./asyncapi.yaml }
workflows:
  - workflowId: buy
    summary: Buy something.
    x-source: '1'
    x-undescribed:
      - { after: order, description: It is cancelled., unstated: cancelling, x-source: ['2', '3'] }
      - { before: order, description: It is chosen., unstated: cancelling }
      - { before: order, description: It is measured., unstated: cancelling }
    steps:
      - { stepId: order, operationId: order, description: Order it., x-source: '4' }
      - { stepId: any, channelPath: '{$sourceDescriptions.notifications.url}#/channels/orders', action: receive }
      - { stepId: one, channelPath: '{$sourceDescriptions.notifications.url}#/channels/orders', action: receive, x-messages: [returned] }
      - { stepId: ask, channelPath: '{$sourceDescriptions.notifications.url}#/channels/questions', action: send }
      - { stepId: paid, operationId: $sourceDescriptions.service.onPaid }
      - { stepId: again, workflowId: other }
  - workflowId: other
    steps: [{ stepId: order, operationPath: '{$sourceDescriptions.service.url}#/paths/~1orders/post' }]
`;

const { contract, diagnostics } = await lowerFiles({
  'openapi.yaml': openapi,
  'asyncapi.yaml': asyncapi,
  'workflows.yaml': workflows,
});
const [buy, other] = contract.workflows;
const orders = 'asyncapi#/channels/orders/messages';

const summaryOf = (step: WorkflowStep): readonly unknown[] =>
  step.kind === 'note'
    ? [step.kind, step.description, step.unstated]
    : [step.kind, step.id, ...step.targets];

describe('a workflow', () => {
  it('has its steps in order, with notes before and after the steps that they name', () => {
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(buy?.steps.map(summaryOf)).toEqual([
      ['note', 'It is chosen.', 'cancelling'],
      ['note', 'It is measured.', 'cancelling'],
      ['call', 'order', 'openapi#/paths/~1orders/post'],
      ['note', 'It is cancelled.', 'cancelling'],
      ['receive', 'any', `${orders}/shipped`, `${orders}/returned`],
      ['receive', 'one', `${orders}/returned`],
      ['send', 'ask', 'asyncapi#/channels/questions/messages/asked'],
      ['receive', 'paid', 'openapi#/webhooks/paid/post'],
      ['workflow', 'again', 'workflows#/workflows/workflows/1'],
    ]);
    expect(other?.steps.map(summaryOf)).toEqual([
      ['call', 'order', 'openapi#/paths/~1orders/post'],
    ]);
  });

  it('keeps its texts, sections and places', () => {
    expect(buy).toMatchObject({
      kind: 'workflow',
      id: 'buy',
      summary: 'Buy something.',
      source: ['1'],
      pointer: 'workflows#/workflows/workflows/0',
    });
    expect(buy?.steps[2]).toMatchObject({
      description: 'Order it.',
      source: ['4'],
      pointer: 'workflows#/workflows/workflows/0/steps/0',
    });
    expect(buy?.steps[3]).toMatchObject({
      source: ['2', '3'],
      pointer: 'workflows#/workflows/workflows/0/x-undescribed/0',
    });
  });

  it('names only what exists in the model', () => {
    const modelPointers = [
      contract.operations,
      contract.notifications,
      contract.messages,
      contract.workflows,
    ].flatMap((nodes) => nodes.map(({ pointer }) => pointer));
    const targets = contract.workflows.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'note' ? [] : step.targets)),
    );
    expect(modelPointers).toEqual(expect.arrayContaining([...targets]));
  });

  it('is read from the side of the integrator where the documents are', async () => {
    const read = await lowerFiles(
      {
        'openapi.yaml': openapi.replace(/webhooks:[^]*(?=x-unstated)/u, ''),
        'asyncapi.yaml': asyncapi,
        'workflows.yaml': workflows
          .replace(/.*onPaid.*\n/u, '')
          .replaceAll(/action: (receive|send)/gu, (_, action) =>
            action === 'send' ? 'action: receive' : 'action: send',
          ),
      },
      'integrator',
    );
    expect(read.contract.workflows[0]?.steps.map(summaryOf).slice(2)).toEqual([
      ['receive', 'order', 'openapi#/paths/~1orders/post'],
      ['note', 'It is cancelled.', 'cancelling'],
      ['send', 'any', `${orders}/shipped`, `${orders}/returned`],
      ['send', 'one', `${orders}/returned`],
      ['receive', 'ask', 'asyncapi#/channels/questions/messages/asked'],
      ['workflow', 'again', 'workflows#/workflows/workflows/1'],
    ]);
  });

  it('is published with the URLs of the published documents and otherwise unchanged', () => {
    const { workflows: published } = contract.documents;
    expect(published).toMatchObject({
      workflows: {
        sourceDescriptions: [
          { name: 'service', type: 'openapi', url: '../openapi.json' },
          { name: 'notifications', type: 'asyncapi', url: '../asyncapi.json' },
        ],
        workflows: [{ workflowId: 'buy', 'x-source': '1' }, { workflowId: 'other' }],
      },
    });
  });
});
