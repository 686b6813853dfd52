import { expect, test } from 'vitest';
import { valueAt } from '../../../../packages/simulator/src/sending/json-path.ts';
import { createWorld, settle, workflow } from './world.ts';

const loan = {
  kind: 'lent',
  examples: [{ name: 'one', value: { loan: { id: 'LOAN-000001', title: 'Emma', state: 1 } } }],
};

test('mirrors a workflow: waits for calls, delivers notifications, and hands identifiers on', async () => {
  const world = createWorld(
    [
      workflow(
        'lend',
        [
          {
            stepId: 'request',
            call: 'requestLoan',
            outputs: { title: '$request.body#/title', place: '$response.body#/place' },
          },
          {
            stepId: 'lent',
            receive: 'lent',
            outputs: { id: '$message.payload#/loan/id', trace: '$message.header.X-Trace' },
          },
          { stepId: 'wait', note: true },
          {
            stepId: 'confirm',
            call: 'confirmLoan',
            requestBody: { payload: { id: '$steps.lent.outputs.id' } },
          },
        ],
        { outputs: { id: '$steps.lent.outputs.id', trace: '$steps.lent.outputs.trace' } },
      ),
    ],
    { notifications: [loan] },
  );
  const run = world.runner.start('lend');
  expect(run.steps[0]).toMatchObject({
    id: 'request',
    state: 'waiting',
    message: 'Waits for a call of "requestLoan".',
  });
  world.call('requestLoan', { body: { title: 'Persuasion' }, responseBody: { place: 3 } });
  await settle();
  const [sent] = world.triggered;
  expect(sent).toMatchObject({
    kind: 'lent',
    payload: {
      loan: { id: expect.stringMatching(/^LOAN-\d{6}$/u), title: 'Persuasion', state: 1 },
    },
    options: { run: run.id },
  });
  const id = valueAt(sent?.payload, ['loan', 'id']) ?? null;
  expect(run.steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'waiting', 'pending']);
  run.proceed();
  world.call('confirmLoan', { body: { id: 'another' } });
  expect(run.steps[3]?.message).toContain('differs at body /id');
  world.call('confirmLoan', { body: { id } });
  await run.done;
  expect(run).toMatchObject({ state: 'passed', outputs: { id, trace: 'abc' } });
  expect(world.entries()).toEqual([
    'started',
    'request waiting',
    'request passed',
    'lent waiting',
    'lent passed',
    'wait waiting',
    'wait passed',
    'confirm waiting',
    'confirm passed',
    'passed',
  ]);
});
