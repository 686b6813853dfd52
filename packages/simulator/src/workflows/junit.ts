import type { StepState, WorkflowRun } from '../workflow-run.ts';

/** Returns the results of runs in the format of JUnit: a test suite for each run, a test case for each step. */
export function toJunit(runs: readonly WorkflowRun[]): string {
  const suites = runs.map((run) => ({ run, steps: casesOf(run) }));
  const counts = countsOf(suites.flatMap(({ steps }) => steps));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: 'workflows', ...counts })}>`,
    ...suites.flatMap(({ run: { id, workflow }, steps }) => [
      `  <testsuite ${attributes({ name: workflow, id, ...countsOf(steps) })}>`,
      ...steps.flatMap((step) => testCase(workflow, step)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** Returns the steps as the result of the run requires: it alone decides whether the suite passes. */
function casesOf({ state, steps }: WorkflowRun): readonly StepState[] {
  // An action can continue after a failure, so that the run passes.
  if (state === 'passed')
    return steps.map((step) => (step.state === 'failed' ? { ...step, state: 'skipped' } : step));
  if (state === 'running' || steps.some((step) => step.state === 'failed')) return steps;
  const message = 'The run was cancelled.';
  return [...steps, { id: 'run', kind: 'note', state: 'failed', message, outputs: {} }];
}

function testCase(workflow: string, step: StepState): readonly string[] {
  const { id, state, message = '', durationMs = 0 } = step;
  const named = attributes({ name: id, classname: workflow, time: toSeconds(durationMs) });
  const outcome = outcomeOf(state, message);
  return outcome === undefined
    ? [`    <testcase ${named}/>`]
    : [`    <testcase ${named}>`, `      ${outcome}`, '    </testcase>'];
}

function outcomeOf(state: StepState['state'], message: string): string | undefined {
  if (state === 'passed') return undefined;
  if (state === 'failed') return `<failure ${attributes({ message, type: 'step' })}/>`;
  return state === 'skipped'
    ? `<skipped${message === '' ? '' : ` ${attributes({ message })}`}/>`
    : `<error ${attributes({ message: `Not ended. ${message}`.trim(), type: state })}/>`;
}

function countsOf(steps: readonly StepState[]): Readonly<Record<string, string>> {
  const count = (...states: readonly StepState['state'][]): string =>
    String(steps.filter(({ state }) => states.includes(state)).length);
  const durationMs = steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
  return {
    tests: String(steps.length),
    failures: count('failed'),
    errors: count('pending', 'waiting'),
    skipped: count('skipped'),
    time: toSeconds(durationMs),
  };
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(' ');
}

/** Escapes text for XML 1.0, and replaces characters that XML 1.0 cannot contain. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll(/[&<>"'\t\n\r]/gu, (character) => `&#${character.codePointAt(0)};`);
}
