import { describe, expect, it } from 'vitest';
import type { SelectOptions } from '../../generator/select/select.ts';
import { asyncapi, openapi } from './library.ts';
import { type Selected, selectFiles } from './select-files.ts';

const lent =
  "'{$sourceDescriptions.messages.url}#/channels/loans', action: receive, x-messages: [lent]";

const workflows = `arazzo: 1.1.0
info: { title: Flows, version: 1.0.0, x-countersign: 1 }
sourceDescriptions:
  - { name: api, type: openapi, url: openapi.yaml }
  - { name: messages, type: asyncapi, url: asyncapi.yaml }
workflows:
  - workflowId: add
    steps: [{ stepId: add, operationId: addBook }]
  - workflowId: fines
    x-undescribed: [{ after: list, description: It is paid., unstated: paying }]
    steps: [{ stepId: list, operationId: listFines }]
  - workflowId: lend
    steps:
      - { stepId: list, operationId: listBooks }
      - { stepId: lent, channelPath: ${lent} }
      - { stepId: any, channelPath: '{$sourceDescriptions.messages.url}#/channels/loans' }
  - workflowId: day
    dependsOn: [add]
    steps: [{ stepId: lend, workflowId: lend }]
  - workflowId: night
    steps: [{ stepId: list, operationId: listFines, onSuccess: [{ name: a, type: goto, workflowId: day }] }]
`;

const withQuestion = openapi.replace(
  'operationId: addBook\n',
  "operationId: addBook\n      x-unstated: { paying: { source: '1', question: How is it paid? } }\n",
);

const selected = async (options: Partial<SelectOptions>, flows = workflows): Promise<Selected> =>
  await selectFiles({ openapi: withQuestion, asyncapi }, options, { 'workflows.yaml': flows });

describe('a selection', () => {
  it.each<[string, Partial<SelectOptions>, readonly string[]]>([
    ['of everything', {}, ['add', 'fines', 'lend', 'day', 'night']],
    ['without an operation', { exclude: { operations: ['listFines'] } }, ['add', 'lend', 'day']],
    ['without a notification', { exclude: { events: ['lent'] } }, ['add', 'fines']],
    [
      'without one of the messages of a channel',
      { exclude: { events: ['returned'] } },
      ['add', 'fines', 'lend', 'day', 'night'],
    ],
    [
      'without what a workflow depends on',
      { exclude: { operations: ['addBook'] } },
      ['fines', 'lend'],
    ],
    ['of one operation', { include: { operations: ['listFines'] } }, ['fines']],
    ['that no workflow is about', { include: { events: ['closed'] } }, []],
  ])('%s leaves out the workflows that need more', async (_, options, expected) => {
    const { contract, diagnostics } = await selected(options);
    expect(contract.workflows.map(({ id }) => id)).toEqual(expected);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (expected.length === 0) expect(contract.documents).not.toHaveProperty('workflows');
    else
      expect(contract.documents.workflows).toMatchObject({
        workflows: { workflows: expected.map((workflowId) => ({ workflowId })) },
      });
  });

  it('keeps the places of what is left, and the questions that it names', async () => {
    const { documents, contract } = await selected({ include: { operations: ['listFines'] } });
    expect(documents.locate('workflows#/workflows/workflows/0/steps/0')).toMatchObject({
      file: 'workflows.yaml',
      line: 11,
    });
    expect(contract.unstated.map(({ id }) => id)).toContain('paying');
  });

  it('reports a reference that names nothing in the whole contract', async () => {
    const flows = workflows.replace(
      'operationId: listFines }]\n  - workflowId: lend',
      'operationId: listFine }]\n  - workflowId: lend',
    );
    const { diagnostics } = await selected({ exclude: { events: ['lent'] } }, flows);
    expect(
      diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ code, file, line }) => `${code} ${file}:${line}`),
    ).toEqual(['undeclared-name workflows.yaml:11']);
  });
});
