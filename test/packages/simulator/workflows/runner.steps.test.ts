import { describe, expect, it } from 'vitest';
import type { Json } from 'countersign/kit';
import type { Check } from '../../../../packages/simulator/src/service.ts';
import { SimulatorError } from '../../../../packages/simulator/src/sending/simulator-error.ts';
import type { WorkflowRun } from '../../../../packages/simulator/src/workflow-run.ts';
import { createWorld, settle, workflow } from './world.ts';

const loan = {
  kind: 'lent',
  examples: [
    { name: 'open', value: { id: 'LOAN-000001', state: 1, title: 'Emma' } },
    { name: 'closed', value: { id: 'LOAN-000002', state: 2, title: 'Emma' } },
  ],
};

const states = (run: WorkflowRun): readonly string[] =>
  run.steps.map(({ id, state }) => `${id} ${state}`);

describe('a call step', () => {
  const call = (members: { readonly [member: string]: Json }, source = {}) =>
    createWorld([workflow('one', [{ stepId: 'ask', call: 'listBooks', ...members }], source)]);

  it('takes any of its operations, and evaluates outputs of the call', async () => {
    const world = call({
      call: ['listBooks', 'findBooks'],
      outputs: {
        code: '$statusCode',
        method: '$method',
        url: '$url',
        accept: '$request.header.Accept',
        page: '$request.query.page',
        id: '$request.path.id',
        total: '$response.header.X-Total',
        first: { context: '$response.body', selector: '$[0]', type: 'jsonpath' },
      },
    });
    const run = world.runner.start('one');
    world.call('addBook');
    world.call('findBooks', {
      query: { page: 2 },
      path: { id: 'b' },
      header: { accept: 'a/b' },
      status: 206,
      responseBody: ['x'],
      responseHeaders: [['x-TOTAL', '9']],
    });
    await run.done;
    expect(run.steps[0]?.outputs).toEqual({
      code: 206,
      method: 'POST',
      url: 'http://127.0.0.1/findBooks',
      accept: 'a/b',
      page: 2,
      id: 'b',
      total: '9',
      first: 'x',
    });
  });

  it.each<[string, { readonly [member: string]: Json }, object, object]>([
    [
      'query',
      { parameters: [{ name: 'page', in: 'query', value: '$inputs.page' }] },
      { query: { page: 2 } },
      { query: { page: 3 } },
    ],
    [
      'query with an object, whatever the order of its members',
      { parameters: [{ name: 'page', in: 'query', value: { size: 5, number: 2 } }] },
      { query: { page: { number: 2, size: 5 } } },
      { query: { page: { number: 2 } } },
    ],
    [
      'header, whose name is not case-sensitive',
      { parameters: [{ name: 'X-Page', in: 'header', value: 2 }] },
      { header: { 'x-page': '2' } },
      {},
    ],
    [
      'header that the contract does not declare',
      { parameters: [{ name: 'X-Page', in: 'header', value: 'a' }] },
      { recordedHeaders: [['x-page', 'a']] },
      { recordedHeaders: [['x-page', 'b']] },
    ],
    [
      'path',
      { parameters: [{ name: 'id', in: 'path', value: 'b{$inputs.page}' }] },
      { path: { id: 'b2' } },
      { path: { id: 'b3' } },
    ],
    [
      'body',
      { requestBody: { payload: { list: [{ id: '$inputs.page' }] } } },
      { body: { list: [{ id: 2, more: true }] } },
      { body: { list: [{ id: 3 }] } },
    ],
    [
      'body as text',
      { requestBody: { payload: '{ "id": "{$inputs.page}" }' } },
      { body: { id: '2' } },
      { body: { id: '3' } },
    ],
    [
      'form as text',
      {
        requestBody: {
          contentType: 'application/x-www-form-urlencoded',
          payload: 'id={$inputs.page}&x=y',
        },
      },
      { body: { id: '2', x: 'y' } },
      { body: { id: '2', x: 'z' } },
    ],
    [
      'replacement',
      {
        requestBody: {
          payload: { list: [{ id: 1 }] },
          replacements: [{ target: '/list/0/id', value: '$inputs.page' }],
        },
      },
      { body: { list: [{ id: 2 }] } },
      { body: { list: [{ id: 1 }] } },
    ],
    [
      'replacement by JSONPath',
      {
        requestBody: {
          payload: { list: [{ id: 1 }] },
          replacements: [
            { target: '$.list[*].id', targetSelectorType: 'jsonpath', value: '$inputs.page' },
          ],
        },
      },
      { body: { list: [{ id: 2 }] } },
      { body: { list: [{ id: 1 }] } },
    ],
    [
      'correlation id',
      { correlationId: '$inputs.page' },
      { body: { any: { id: '2' } } },
      { body: {} },
    ],
  ])('waits for the %s that it states', (_, members, right, wrong) => {
    const world = call(members);
    const run = world.runner.start('one', { inputs: { page: 2 } });
    world.call('listBooks', wrong);
    expect(run.steps[0]).toMatchObject({
      state: 'waiting',
      message: expect.stringContaining('differs at'),
    });
    world.call('listBooks', right);
    expect(run.state).toBe('passed');
  });

  it('compares neither values that the run does not know nor credentials', () => {
    const world = call({
      parameters: [
        { name: 'q', in: 'query', value: '$inputs.none' },
        { name: 'Authorization', in: 'header', value: 'Bearer abc' },
      ],
    });
    const run = world.runner.start('one');
    world.call('listBooks', { recordedHeaders: [['authorization', 'Bearer [redacted]']] });
    expect(run.state).toBe('passed');
  });

  it('states parameters of the workflow, which the step can replace', () => {
    const world = call(
      { parameters: [{ name: 'a', in: 'query', value: 2 }] },
      {
        parameters: [
          { name: 'a', in: 'query', value: 1 },
          { name: 'b', in: 'query', value: 1 },
        ],
      },
    );
    const run = world.runner.start('one');
    world.call('listBooks', { query: { a: 1, b: 1 } });
    world.call('listBooks', { query: { a: 2, b: 2 } });
    expect(run.state).toBe('running');
    world.call('listBooks', { query: { a: 2, b: 1 } });
    expect(run.state).toBe('passed');
  });

  it.each([
    ['fails for an error status', {}, 404, 'failed'],
    [
      'passes for an error status that its criteria expect',
      { successCriteria: [{ condition: '$statusCode == 404' }] },
      404,
      'passed',
    ],
    [
      'fails for a criterion that is not met',
      { successCriteria: [{ condition: '$statusCode == 201' }] },
      200,
      'failed',
    ],
  ])('%s', (_, members, status, expected) => {
    const world = call(members);
    const run = world.runner.start('one');
    world.call('listBooks', { status });
    expect(run.state).toBe(expected);
  });

  it.each([
    ['after a minute', {}, {}, 60_000],
    ['after its timeout', { timeout: 500 }, {}, 500],
    ['after the timeout of the run', { timeout: 500 }, { callTimeoutMs: 700 }, 700],
  ])('expires %s', async (_, members, options, after) => {
    const world = call(members);
    const run = world.runner.start('one', options);
    await world.context.clock.advance(after - 1);
    expect(run.state).toBe('running');
    await world.context.clock.advance(1);
    expect(run.steps[0]).toMatchObject({
      state: 'failed',
      message: `The step did not end within ${after} ms.`,
      durationMs: after,
    });
    expect(run.state).toBe('failed');
    world.call('listBooks');
    expect(run.state).toBe('failed');
  });
});

describe('a receive step', () => {
  const receive = (
    members: { readonly [member: string]: Json },
    options: Parameters<typeof createWorld>[1] = {},
  ) =>
    createWorld([workflow('one', [{ stepId: 'get', receive: 'lent', ...members }])], {
      notifications: [loan],
      ...options,
    });

  it('delivers the example that meets its criteria', async () => {
    const world = receive({ successCriteria: [{ condition: '$message.payload#/state == 2' }] });
    await world.runner.start('one').done;
    expect(world.triggered[0]?.payload).toMatchObject({ id: 'LOAN-000002' });
  });

  it('replaces members, and sends stated headers and parameters of the path', async () => {
    const world = receive({
      parameters: [
        { name: 'x-a', in: 'header', value: '$inputs.a' },
        { name: 'id', in: 'path', value: 7 },
      ],
      requestBody: {
        payload: { title: '$inputs.a' },
        replacements: [{ target: '/state', value: 5 }],
      },
    });
    await world.runner.start('one', { inputs: { a: 'A' } }).done;
    expect(world.triggered[0]).toMatchObject({
      payload: { id: 'LOAN-000001', title: 'A', state: 5 },
      options: { headers: { 'x-a': 'A' }, parameters: { id: '7' } },
    });
  });

  it('uses samples where a notification has no example', async () => {
    const world = receive(
      {},
      {
        notifications: [{ name: 'lent' }],
        samples: { lent: [{ made: true }] },
      },
    );
    await world.runner.start('one').done;
    expect(world.triggered[0]?.payload).toEqual({ made: true });
  });

  it('leaves out inferred values that the contract does not allow', async () => {
    const check: Check = {
      accepts: (value) => JSON.stringify(value).includes('"LOAN-000001"'),
      violations: () => [],
    };
    const steps = [
      { stepId: 'get', receive: 'lent', outputs: { id: '$message.payload#/id' } },
      { stepId: 'ask', call: 'see', requestBody: { payload: '$steps.get.outputs.id' } },
    ];
    const world = createWorld([workflow('one', steps)], {
      notifications: [{ ...loan, wire: 'Loan' }],
      checks: new Map([['Loan', check]]),
    });
    world.runner.start('one');
    await settle();
    expect(world.triggered[0]?.payload).toMatchObject({ id: 'LOAN-000001' });
  });

  it('passes when a later attempt is acknowledged, and fails when none is', async () => {
    for (const isAcknowledged of [true, false]) {
      const world = receive({});
      world.outcomes.push('pending');
      const run = world.runner.start('one');
      await settle();
      expect(run.steps[0]?.message).toContain('sent again');
      world.endDelivery('delivery-1', isAcknowledged);
      expect(run.state).toBe(isAcknowledged ? 'passed' : 'failed');
    }
  });

  it('fails with the error of the delivery, and when it takes too long', async () => {
    const world = receive({ timeout: 100 });
    world.outcomes.push(new SimulatorError('no-receiver', 'There is no receiver.'), 'pending');
    const failed = world.runner.start('one');
    await failed.done;
    expect(failed.steps[0]).toMatchObject({ state: 'failed', message: 'There is no receiver.' });
    const late = world.runner.start('one');
    await settle();
    await world.context.clock.advance(100);
    expect(late.state).toBe('failed');
    world.endDelivery('delivery-2', true);
    expect(late.state).toBe('failed');
  });

  it.each([
    ['at the stated place', { lent: '$message.payload#/ref/a' }, { ref: { a: '', b: '' } }, 'a'],
    ['at the only member of the name', undefined, { ref: { id: '' } }, 'id'],
  ])('has the correlation id %s', async (_, correlation, value, name) => {
    const base = workflow('one', [{ stepId: 'get', receive: 'lent', correlationId: '$inputs.id' }]);
    const steps = base.steps.map((step) => ({ ...step, ...(correlation && { correlation }) }));
    const world = createWorld([{ ...base, steps }], {
      notifications: [{ name: 'lent', examples: [{ name: 'one', value }] }],
    });
    await world.runner.start('one', { inputs: { id: 'X' } }).done;
    expect(world.triggered[0]?.payload).toMatchObject({ ref: { [name]: 'X' } });
  });
});

describe('steps', () => {
  it('start as soon as those that they depend on have ended', async () => {
    const world = createWorld([
      workflow('one', [
        { stepId: 'a', call: 'a' },
        { stepId: 'b', call: 'b', dependsOn: ['a'] },
        { stepId: 'c', call: 'c', dependsOn: ['a'] },
        { stepId: 'hint', note: true },
        { stepId: 'd', call: 'd', dependsOn: ['b'] },
      ]),
    ]);
    const run = world.runner.start('one');
    expect(states(run)).toEqual([
      'a waiting',
      'b pending',
      'c pending',
      'hint pending',
      'd pending',
    ]);
    world.call('a');
    expect(states(run)).toEqual([
      'a passed',
      'b waiting',
      'c waiting',
      'hint pending',
      'd pending',
    ]);
    world.call('b');
    run.proceed();
    world.call('c');
    expect(states(run).slice(3)).toEqual(['hint waiting', 'd pending']);
    run.proceed();
    world.call('d');
    await run.done;
    expect(run.state).toBe('passed');
  });

  it('take calls that came while a notification was handled', async () => {
    const world = createWorld(
      [
        workflow('one', [
          { stepId: 'get', receive: 'lent', outputs: { id: '$message.payload#/id' } },
          {
            stepId: 'confirm',
            call: 'see',
            requestBody: { payload: { id: '$steps.get.outputs.id' } },
          },
        ]),
      ],
      { notifications: [loan] },
    );
    world.call('see', { body: { id: 'before the run' } });
    world.onTrigger = ({ payload }) => world.call('see', { body: payload });
    const run = world.runner.start('one');
    await run.done;
    expect(run.state).toBe('passed');
  });
});
