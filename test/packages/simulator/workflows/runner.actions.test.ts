import { describe, expect, it } from 'vitest';
import type { Json } from 'countersign/kit';
import { toJunit } from '../../../../packages/simulator/src/workflows/junit.ts';
import { createWorld, settle, workflow } from './world.ts';

const loan = { kind: 'lent', examples: [{ name: 'one', value: { id: 'LOAN-000001', state: 1 } }] };

describe('an action', () => {
  const steps = (first: { readonly [member: string]: Json }) => [
    { stepId: 'a', call: 'a', ...first },
    { stepId: 'b', call: 'b' },
    { stepId: 'c', call: 'c' },
  ];

  it('ends the workflow after a success', () => {
    const world = createWorld([
      workflow('one', steps({ onSuccess: [{ name: 'x', type: 'end' }] })),
    ]);
    const run = world.runner.start('one');
    world.call('a');
    expect(run.state).toBe('passed');
    expect(run.steps.map(({ state }) => state)).toEqual(['passed', 'skipped', 'skipped']);
  });

  it('is the first whose criteria are met; that of the step replaces that of the workflow', () => {
    const actions = [
      { name: 'no', type: 'end', criteria: [{ condition: '$statusCode == 500' }] },
      { name: 'yes', type: 'goto', stepId: 'c', criteria: [{ condition: '$statusCode == 200' }] },
    ];
    const world = createWorld([
      workflow('one', steps({ onSuccess: actions }), {
        successActions: [
          { name: 'yes', type: 'end', criteria: [{ condition: '$statusCode == 200' }] },
        ],
      }),
    ]);
    const run = world.runner.start('one');
    world.call('a');
    expect(run.steps.map(({ state }) => state)).toEqual(['passed', 'skipped', 'waiting']);
    world.call('c', { status: 201 });
    expect(run.state).toBe('passed');
  });

  it('goes back to a step, and a loop ends', () => {
    const world = createWorld([
      workflow('one', [
        { stepId: 'a', call: 'a' },
        { stepId: 'b', call: 'b', onSuccess: [{ name: 'again', type: 'goto', stepId: 'a' }] },
      ]),
    ]);
    const run = world.runner.start('one');
    world.call('a');
    world.call('b');
    expect(run.steps.map(({ state }) => state)).toEqual(['waiting', 'pending']);
    for (let turn = 0; turn < 600; turn += 1) {
      world.call('a');
      world.call('b');
    }
    expect(run.state).toBe('failed');
    expect(world.entries().at(-1)).toBe('failed');
  });

  it('continues after a failure with another step or workflow', async () => {
    const onFailure = [{ name: 'x', type: 'goto', stepId: 'c' }];
    const world = createWorld([
      workflow('one', steps({ onFailure })),
      workflow(
        'two',
        steps({
          onFailure: [
            {
              name: 'x',
              type: 'goto',
              workflowId: 'last',
              parameters: [{ name: 'n', value: '$inputs.n' }],
            },
          ],
        }),
      ),
      workflow(
        'last',
        [{ stepId: 'z', call: 'z', parameters: [{ name: 'n', in: 'query', value: '$inputs.n' }] }],
        {
          outputs: { n: '$inputs.n' },
        },
      ),
    ]);
    const run = world.runner.start('one');
    world.call('a', { status: 500 });
    world.call('c');
    expect(run.state).toBe('passed');
    expect(run.steps.map(({ state }) => state)).toEqual(['failed', 'skipped', 'passed']);
    const other = world.runner.start('two', { inputs: { n: 4 } });
    world.call('a', { status: 500 });
    world.call('z', { query: { n: 3 } });
    expect(other.state).toBe('running');
    world.call('z', { query: { n: 4 } });
    await other.done;
    expect(other).toMatchObject({ state: 'passed', outputs: { n: 4 } });
    expect(other.steps.at(-1)?.id).toBe('last/z');
  });

  it('repeats a delivery after a delay, up to its limit, and then is exhausted', async () => {
    const world = createWorld(
      [
        workflow('one', [
          {
            stepId: 'get',
            receive: 'lent',
            onFailure: [{ name: 'again', type: 'retry', retryAfter: 2, retryLimit: 2 }],
          },
        ]),
      ],
      { notifications: [loan] },
    );
    world.outcomes.push('failed', 'failed', 'failed');
    const run = world.runner.start('one');
    await settle();
    expect(world.triggered).toHaveLength(1);
    await world.context.clock.advance(1999);
    expect(world.triggered).toHaveLength(1);
    await world.context.clock.advance(1);
    expect(world.triggered).toHaveLength(2);
    await world.context.clock.advance('2s');
    expect(world.triggered).toHaveLength(3);
    expect(run.state).toBe('failed');
    expect(world.entries().filter((entry) => entry === 'get retried')).toHaveLength(2);
  });

  it('repeats a call at once, and once by default', () => {
    const onFailure = [{ name: 'again', type: 'retry', retryAfter: 5 }];
    const world = createWorld([workflow('one', [{ stepId: 'a', call: 'a', onFailure }])]);
    const run = world.runner.start('one');
    world.call('a', { status: 503 });
    world.call('a');
    expect(run.state).toBe('passed');
    const other = world.runner.start('one');
    world.call('a', { status: 503 });
    world.call('a', { status: 503 });
    expect(other.state).toBe('failed');
  });

  it('runs a step or a workflow before it repeats', () => {
    const retry = (more: object) => [{ name: 'again', type: 'retry', ...more }];
    const world = createWorld([
      workflow('one', [
        { stepId: 'login', call: 'login' },
        { stepId: 'a', call: 'a', onFailure: retry({ stepId: 'login' }) },
      ]),
      workflow('two', [{ stepId: 'a', call: 'a', onFailure: retry({ workflowId: 'sub' }) }]),
      workflow('sub', [{ stepId: 'login', call: 'login' }]),
    ]);
    for (const name of ['one', 'two']) {
      const run = world.runner.start(name);
      if (name === 'one') world.call('login');
      world.call('a', { status: 401 });
      expect(run.state).toBe('running');
      world.call('login');
      world.call('a');
      expect(run.state, name).toBe('passed');
    }
  });
});

describe('a workflow', () => {
  it('runs another, with inputs and outputs', async () => {
    const world = createWorld([
      workflow(
        'outer',
        [
          {
            stepId: 'inner',
            workflow: 'inner',
            parameters: [{ name: 'n', value: '$inputs.n' }],
            outputs: { id: '$outputs.id', same: '$workflows.inner.outputs.id' },
          },
        ],
        { outputs: { id: '$steps.inner.outputs.id', same: '$steps.inner.outputs.same' } },
      ),
      workflow('inner', [{ stepId: 'a', call: 'a', outputs: { id: '$response.body#/id' } }], {
        inputs: { properties: { n: { type: 'integer' } }, required: ['n'] },
        outputs: { id: '$steps.a.outputs.id' },
      }),
    ]);
    const run = world.runner.start('outer', { inputs: { n: 1 } });
    expect(run.steps.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'inner workflow',
      'inner/a call',
    ]);
    world.call('a', { responseBody: { id: 'X' } });
    await run.done;
    expect(run).toMatchObject({ state: 'passed', outputs: { id: 'X', same: 'X' } });
    const wrong = world.runner.start('outer', { inputs: { n: 'text' } });
    expect(wrong.state).toBe('running');
    await settle();
    expect(wrong.steps[0]).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('integer'),
    });
  });

  it('runs those that it depends on first, unless they have passed', async () => {
    const world = createWorld([
      workflow('token', [{ stepId: 't', call: 'token', outputs: { v: '$response.body#/v' } }], {
        outputs: { v: '$steps.t.outputs.v' },
      }),
      workflow('one', [{ stepId: 'a', call: 'a' }], {
        dependsOn: ['token'],
        outputs: { v: '$workflows.token.outputs.v' },
      }),
    ]);
    const first = world.runner.start('one');
    expect(first.steps.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'pending']);
    world.call('token', { responseBody: { v: 1 } });
    world.call('a');
    expect(first).toMatchObject({ state: 'passed', outputs: { v: 1 } });
    const token = world.runner.start('token');
    world.call('token', { responseBody: { v: 2 } });
    expect(token.state).toBe('passed');
    const second = world.runner.start('one');
    world.call('a');
    expect(second).toMatchObject({ state: 'passed', outputs: { v: 2 } });
  });

  it('does not run itself without end', async () => {
    const world = createWorld([workflow('one', [{ stepId: 'a', workflow: 'one' }])]);
    const run = world.runner.start('one');
    await settle();
    await run.done;
    expect(run.state).toBe('failed');
  });

  it.each<[string, Json, { readonly [name: string]: Json }, string | undefined]>([
    ['a default', { properties: { a: { default: 1 } }, required: ['a'] }, {}, undefined],
    [
      'a credential',
      { properties: { clientId: { type: 'string' } }, required: ['clientId'] },
      {},
      undefined,
    ],
    ['a missing input', { properties: { a: {} }, required: ['a'] }, {}, 'needs the input "a"'],
    ['an unknown input', { properties: { a: {} } }, { b: 1 }, 'has no input "b"'],
    ['a wrong type', { properties: { a: { type: 'integer' } } }, { a: 1.5 }, 'the type integer'],
    [
      'a value with its members in another order',
      { properties: { a: { enum: [{ b: 1, c: [2] }] } } },
      { a: { c: [2], b: 1 } },
      undefined,
    ],
    [
      'a value with a further member',
      { properties: { a: { const: { b: 1 } } } },
      { a: { b: 1, c: 2 } },
      'does not allow',
    ],
    ['a wrong value', { properties: { a: { enum: [1, 2] } } }, { a: 3 }, 'does not allow'],
    ['any input without a schema', {}, { a: 1 }, undefined],
  ])('accepts or refuses %s', (_, inputs, inputValue, problem) => {
    const world = createWorld([workflow('one', [{ stepId: 'n', note: true }], { inputs })]);
    const start = () => world.runner.start('one', { inputs: inputValue });
    if (problem === undefined) expect(start().state).toBe('running');
    else
      expect(start).toThrow(
        expect.objectContaining({
          code: 'invalid-option',
          message: expect.stringContaining(problem),
        }),
      );
  });

  it('is refused if there is none of that name, or it is not supported', () => {
    const world = createWorld([
      workflow('one', [{ stepId: 'a', call: 'a', successCriteria: [{ condition: 'what' }] }]),
    ]);
    expect(() => world.runner.start('none')).toThrow(
      expect.objectContaining({ code: 'unknown-name' }),
    );
    expect(() => world.runner.start('one')).toThrow(
      expect.objectContaining({ code: 'unsupported-workflow' }),
    );
  });
});

describe('two runs at the same time', () => {
  const lend = workflow('lend', [
    { stepId: 'ask', call: 'ask', outputs: { id: '$request.body#/id' } },
    {
      stepId: 'get',
      receive: 'lent',
      correlationId: '$steps.ask.outputs.id',
      outputs: { key: '$message.payload#/key' },
    },
    {
      stepId: 'confirm',
      call: 'confirm',
      requestBody: { payload: { key: '$steps.get.outputs.key' } },
    },
  ]);
  const value = { id: 'LOAN-000001', key: 'key-of-example-7' };
  const options = { notifications: [{ kind: 'lent', examples: [{ name: 'one', value }] }] };

  it('are distinguished by the identifiers in the calls', async () => {
    const world = createWorld([lend], options);
    const [firstRun, secondRun] = [world.runner.start('lend'), world.runner.start('lend')];
    world.call('ask', { body: { id: 'A' } });
    world.call('ask', { body: { id: 'B' } });
    await settle();
    const keys = world.triggered.map(({ payload }) => payload as typeof value);
    expect(keys.map(({ id }) => id)).toEqual(['A', 'B']);
    expect(keys[0]?.key).not.toBe(keys[1]?.key);
    world.call('confirm', { body: { key: keys[1]?.key ?? '' } });
    expect([firstRun.state, secondRun.state]).toEqual(['running', 'passed']);
    world.call('confirm', { body: { key: keys[0]?.key ?? '' } });
    expect([firstRun.state, secondRun.state]).toEqual(['passed', 'passed']);
    expect(firstRun.id).not.toBe(secondRun.id);
  });

  it('deliver the same payloads for the same seed', async () => {
    const payloads = [];
    for (const seed of [7, 7, 8]) {
      const world = createWorld([lend], { ...options, seed });
      world.runner.start('lend');
      world.call('ask', { body: { id: 'A' } });
      await settle();
      payloads.push(JSON.stringify(world.triggered[0]?.payload));
    }
    expect(payloads[0]).toBe(payloads[1]);
    expect(payloads[0]).not.toBe(payloads[2]);
  });

  it('end when they are cancelled or the runner closes', async () => {
    const world = createWorld([lend], options);
    const [firstRun, secondRun] = [world.runner.start('lend'), world.runner.start('lend')];
    firstRun.cancel();
    world.call('ask', { body: { id: 'A' } });
    await settle();
    expect(secondRun.steps[0]?.state).toBe('passed');
    world.runner.close();
    await Promise.all([firstRun.done, secondRun.done]);
    expect([firstRun.state, secondRun.state]).toEqual(['failed', 'failed']);
  });
});

describe('the JUnit report', () => {
  it('has a suite for each run and a case for each step, escaped', () => {
    const world = createWorld([
      workflow('a<b', [
        { stepId: 'x"&', call: 'a', successCriteria: [{ condition: "$statusCode == '\u0001<'" }] },
        { stepId: 'y', call: 'b' },
      ]),
    ]);
    world.runner.start('a<b');
    world.call('a');
    world.runner.start('a<b');
    world.runner.start('a<b').cancel();
    const report = toJunit(world.runner.runs);
    expect(report).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="workflows" tests="7" failures="2" errors="2" skipped="3" time="0.000">
        <testsuite name="a&#60;b" id="a&#60;b-1" tests="2" failures="1" errors="0" skipped="1" time="0.000">
          <testcase name="x&#34;&#38;" classname="a&#60;b" time="0.000">
            <failure message="The criterion &#34;$statusCode == &#39;�&#60;&#39;&#34; is not met." type="step"/>
          </testcase>
          <testcase name="y" classname="a&#60;b" time="0.000">
            <skipped/>
          </testcase>
        </testsuite>
        <testsuite name="a&#60;b" id="a&#60;b-2" tests="2" failures="0" errors="2" skipped="0" time="0.000">
          <testcase name="x&#34;&#38;" classname="a&#60;b" time="0.000">
            <error message="Not ended. Waits for a call of &#34;a&#34;." type="waiting"/>
          </testcase>
          <testcase name="y" classname="a&#60;b" time="0.000">
            <error message="Not ended." type="pending"/>
          </testcase>
        </testsuite>
        <testsuite name="a&#60;b" id="a&#60;b-3" tests="3" failures="1" errors="0" skipped="2" time="0.000">
          <testcase name="x&#34;&#38;" classname="a&#60;b" time="0.000">
            <skipped message="Waits for a call of &#34;a&#34;."/>
          </testcase>
          <testcase name="y" classname="a&#60;b" time="0.000">
            <skipped/>
          </testcase>
          <testcase name="run" classname="a&#60;b" time="0.000">
            <failure message="The run was cancelled." type="step"/>
          </testcase>
        </testsuite>
      </testsuites>
      "
    `);
  });
});
