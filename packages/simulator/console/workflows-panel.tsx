import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callApi, messageOf } from '../../console/components/api.ts';
import { CodeText } from '../../console/components/code-text.tsx';
import { durationText } from './time-text.ts';
import type { RunData, ServiceOverview } from './types.ts';
import { visibleText } from '../../console/components/visible-text.ts';

const kinds = {
  call: 'your call',
  receive: 'notification',
  workflow: 'workflow',
  note: 'not described',
} as const;
const marks = { pending: '', waiting: '…', passed: '✓', failed: '✕', skipped: '–' } as const;

/** The workflows of the contract, and their runs as diagrams with the current step. */
export function WorkflowsPanel(props: {
  readonly service: ServiceOverview;
  readonly runs: readonly RunData[];
  readonly onChange: () => Promise<void>;
  readonly onShowRun: (id: string) => void;
}): JSX.Element {
  const { service, runs, onChange, onShowRun } = props;
  const [problem, setProblem] = useState('');
  const [inputs, setInputs] = useState<Readonly<Record<string, string>>>({});
  const act = async (method: string, path: string, body?: unknown): Promise<void> => {
    setProblem('');
    try {
      await callApi(method, path, body);
      await onChange();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const start = (workflow: string): void => {
    let inputValues: unknown;
    try {
      inputValues = JSON.parse(inputs[workflow] ?? '{}');
    } catch {
      setProblem('The inputs are not JSON.');
      return;
    }
    void act('POST', 'runs', { workflow, inputs: inputValues });
  };
  return (
    <div class="controls">
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <section>
        <h2>Workflows</h2>
        {service.workflows.length === 0 && <p class="soft">The contract has no workflows.</p>}
        <div class="workflow-cards">
          {service.workflows.map(({ id, summary, steps, inputs: schema }) => (
            <article key={id} class="workflow-card">
              <h3>{visibleText(id)}</h3>
              {summary !== undefined && <p>{visibleText(summary)}</p>}
              <p class="note">
                {steps.length} {steps.length === 1 ? 'step' : 'steps'}
              </p>
              {schema !== undefined && (
                <label class="field">
                  Inputs, as JSON
                  <textarea
                    rows={3}
                    value={inputs[id] ?? '{}'}
                    onInput={({ currentTarget: { value } }) =>
                      setInputs((now) => ({ ...now, [id]: value }))
                    }
                  />
                </label>
              )}
              <button type="button" class="primary" onClick={() => start(id)}>
                Run {id}
              </button>
            </article>
          ))}
        </div>
      </section>
      <section>
        <h2>Runs</h2>
        {runs.length === 0 && <p class="soft">No workflow has been run.</p>}
        {runs.toReversed().map((run) => (
          <Run
            key={run.id}
            run={run}
            service={service}
            onAct={(action) => void act('POST', `runs/${encodeURIComponent(run.id)}/${action}`)}
            onShow={() => onShowRun(run.id)}
          />
        ))}
      </section>
    </div>
  );
}

function Run(props: {
  readonly run: RunData;
  readonly service: ServiceOverview;
  readonly onAct: (action: 'proceed' | 'cancel') => void;
  readonly onShow: () => void;
}): JSX.Element {
  const { run, service, onAct, onShow } = props;
  const described = service.workflows.find(({ id }) => id === run.workflow);
  const waiting = run.steps.find(({ state }) => state === 'waiting');
  return (
    <article class={`run ${run.state}`}>
      <header>
        <h3>
          {visibleText(run.workflow)} <span class="soft">{visibleText(run.id)}</span>
        </h3>
        <span class={`tag ${run.state}`}>{run.state}</span>
        <div class="actions">
          <button type="button" class="download" onClick={onShow}>
            Show in the timeline
          </button>
          {run.state === 'running' && waiting?.kind === 'note' && (
            <button type="button" class="primary" onClick={() => onAct('proceed')}>
              Proceed
            </button>
          )}
          {run.state === 'running' && (
            <button type="button" class="download" onClick={() => onAct('cancel')}>
              Cancel
            </button>
          )}
        </div>
      </header>
      <ol class="run-steps">
        {run.steps.map((step) => {
          const data = described?.steps.find(({ id }) => id === step.id);
          const text = step.message ?? data?.description;
          return (
            <li
              key={step.id}
              class={`run-step ${step.state} kind-${step.kind}`}
              aria-current={step.state === 'waiting' ? 'step' : undefined}
            >
              <span class="dot" role="img" aria-label={step.state}>
                {marks[step.state]}
              </span>
              <div>
                <p>
                  <b>{visibleText(step.id)}</b> <span class="step-kind">{kinds[step.kind]}</span>{' '}
                  {data !== undefined && data.names.length > 0 && (
                    <code>{visibleText(data.names.join(' or '))}</code>
                  )}{' '}
                  {step.durationMs !== undefined && (
                    <span class="soft">{durationText(step.durationMs)}</span>
                  )}
                </p>
                {text !== undefined && (
                  <p class="soft">
                    <CodeText text={text} />
                  </p>
                )}
                {Object.keys(step.outputs).length > 0 && (
                  <p class="outputs">
                    <code>{visibleText(JSON.stringify(step.outputs))}</code>
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </article>
  );
}
