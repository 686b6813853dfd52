import { expect, it } from 'vitest';
import { createWorld, settle, workflow } from './world.ts';

const states = (run: { readonly steps: readonly { id: string; state: string }[] }): string[] =>
  run.steps.map(({ id, state }) => `${id} ${state}`);

it('passes at once without steps, with outputs of its inputs', () => {
  const world = createWorld([workflow('one', [], { outputs: { n: '$inputs.n' } })]);
  const run = world.runner.start('one', { inputs: { n: 1 } });
  expect(run).toMatchObject({ state: 'passed', outputs: { n: 1 }, steps: [] });
});

it('proceeds after the note that has waited longest, in a workflow of a step too', async () => {
  const world = createWorld([
    workflow('one', [
      { stepId: 'sub', workflow: 'two' },
      { stepId: 'last', note: 'Wait.' },
    ]),
    workflow('two', [{ stepId: 'first', note: 'Wait.' }]),
  ]);
  const run = world.runner.start('one');
  expect(states(run)).toEqual(['sub waiting', 'sub/first waiting', 'last pending']);
  run.proceed();
  expect(states(run)).toEqual(['sub passed', 'sub/first passed', 'last waiting']);
  run.proceed();
  await run.done;
  expect(run.state).toBe('passed');
  run.proceed();
  expect(states(run)).toEqual(['sub passed', 'sub/first passed', 'last passed']);
});

it('proceeds in the workflow that continues it', async () => {
  const world = createWorld([
    workflow('one', [
      { stepId: 'a', call: 'a', onSuccess: [{ name: 'x', type: 'goto', workflowId: 'two' }] },
      { stepId: 'b', call: 'b' },
    ]),
    workflow('two', [{ stepId: 'n', note: 'Wait.' }], { outputs: { from: '$inputs.from' } }),
  ]);
  const run = world.runner.start('one');
  world.call('a');
  expect(states(run)).toEqual(['a passed', 'b pending', 'two/n waiting']);
  world.call('b');
  expect(run.state).toBe('running');
  run.proceed();
  await run.done;
  expect(run.state).toBe('passed');
  expect(states(run)).toEqual(['a passed', 'b skipped', 'two/n passed']);
});

it('cancels the workflows of its steps and the one that continues it, once', () => {
  const world = createWorld([
    workflow('one', [{ stepId: 'sub', workflow: 'two' }]),
    workflow('two', [
      { stepId: 'a', call: 'a', onSuccess: [{ name: 'x', type: 'goto', workflowId: 'three' }] },
    ]),
    workflow('three', [{ stepId: 'b', call: 'b' }]),
  ]);
  const run = world.runner.start('one');
  world.call('a');
  run.cancel();
  const ended = ['sub skipped', 'sub/a passed', 'sub/three/b skipped'];
  expect([run.state, ...states(run)]).toEqual(['failed', ...ended]);
  const entries = world.entries().length;
  run.cancel();
  run.proceed();
  world.call('b');
  expect([run.state, ...states(run)]).toEqual(['failed', ...ended]);
  expect(world.entries()).toHaveLength(entries);
});

it('ignores an event of an earlier start of a step', async () => {
  const world = createWorld(
    [
      workflow('one', [
        { stepId: 'a', receive: 'lent', timeout: 1000, onFailure: [{ name: 'x', type: 'retry' }] },
      ]),
    ],
    { notifications: [{ name: 'lent', examples: [{ name: 'one', value: { id: 1 } }] }] },
  );
  world.outcomes.push('pending', 'pending');
  const run = world.runner.start('one');
  await settle();
  await world.context.clock.advance(1000);
  await settle();
  expect(states(run)).toEqual(['a waiting']);
  world.endDelivery('delivery-1', true);
  expect(states(run)).toEqual(['a waiting']);
  world.endDelivery('delivery-2', true);
  await run.done;
  expect(states(run)).toEqual(['a passed']);
  expect(world.entries().filter((entry) => entry.startsWith('a '))).toEqual([
    'a waiting',
    'a retried',
    'a waiting',
    'a passed',
  ]);
});

it('fails when the step that precedes a repetition fails', () => {
  const world = createWorld([
    workflow('one', [
      { stepId: 'login', call: 'login', onFailure: [{ name: 'never', type: 'retry' }] },
      {
        stepId: 'a',
        call: 'a',
        onFailure: [{ name: 'again', type: 'retry', stepId: 'login', retryLimit: 3 }],
      },
    ]),
  ]);
  const run = world.runner.start('one');
  world.call('login');
  world.call('a', { status: 401 });
  world.call('login', { status: 500 });
  expect(run.state).toBe('failed');
  expect(run.steps[0]).toMatchObject({ id: 'login', state: 'failed' });
});

it.each(['goto', 'retry'])(
  'fails where the action %s runs a workflow without its inputs',
  async (type) => {
    const world = createWorld([
      workflow('one', [
        { stepId: 'a', call: 'a', onFailure: [{ name: 'x', type, workflowId: 'two' }] },
      ]),
      workflow('two', [], { inputs: { required: ['n'], properties: { n: {} } } }),
    ]);
    const run = world.runner.start('one');
    world.call('a', { status: 500 });
    await settle();
    expect(run.state).toBe('failed');
  },
);

it('runs workflows ten deep, and no deeper', async () => {
  const world = createWorld(
    Array.from({ length: 12 }, (_, index) =>
      workflow(`w${index}`, index === 11 ? [] : [{ stepId: 's', workflow: `w${index + 1}` }]),
    ),
  );
  const depths = Array.from({ length: 12 }, (_, index) => world.runner.start(`w${index}`));
  await settle();
  await Promise.all(depths.map(({ done }) => done));
  expect(depths.map(({ state }) => state)).toEqual([
    'failed',
    'failed',
    ...Array.from({ length: 10 }, () => 'passed'),
  ]);
});

it('fails by a criterion, which the message states', () => {
  const world = createWorld([
    workflow('one', [
      { stepId: 'a', call: 'a', successCriteria: [{ condition: '$statusCode == 201' }] },
    ]),
  ]);
  const run = world.runner.start('one');
  world.call('a', { status: 200 });
  expect(run).toMatchObject({
    state: 'failed',
    steps: [{ message: 'The criterion "$statusCode == 201" is not met.' }],
  });
});

it('passes by the action that ends it, and keeps the time that steps took', async () => {
  const world = createWorld([
    workflow('one', [
      { stepId: 'a', call: 'a', onSuccess: [{ name: 'x', type: 'end' }] },
      { stepId: 'b', call: 'b' },
    ]),
  ]);
  const run = world.runner.start('one');
  await world.context.clock.advance(250);
  world.call('a');
  expect(run.state).toBe('passed');
  expect(run.steps).toMatchObject([{ state: 'passed', durationMs: 250 }, { state: 'skipped' }]);
});
