import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callApi, messageOf } from '../../console/components/api.ts';
import type { ControlState, ServiceOverview } from './types.ts';
import { visibleText } from '../../console/components/visible-text.ts';

/** Faults, clock, tokens, receiver, and the answers to open questions. */
export function ControlsPanel(props: {
  readonly service: ServiceOverview;
  readonly state: ControlState;
  readonly onChange: () => Promise<void>;
}): JSX.Element {
  const { service, state, onChange } = props;
  const [notice, setNotice] = useState('');
  const [problem, setProblem] = useState('');
  const act = async (action: () => Promise<unknown>, done: string): Promise<void> => {
    setProblem('');
    try {
      await action();
      setNotice(done);
      await onChange();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  // The switches show at once what the reader chose.
  const [rates, setRates] = useState<Readonly<Record<string, number>>>({ ...state.faults });
  useEffect(() => setRates({ ...state.faults }), [JSON.stringify(state.faults)]);
  const setRate = (fault: string, rate: number): void => {
    const { [fault]: _, ...otherRates } = rates;
    const faults = rate === 0 ? otherRates : { ...otherRates, [fault]: rate };
    setRates(faults);
    void act(() => callApi('PUT', 'faults', faults), `${fault}: ${Math.round(rate * 100)} %`);
  };
  const group = (title: string, names: readonly string[]): JSX.Element => (
    <fieldset class="rates">
      <legend>{title}</legend>
      {names.map((fault) => {
        const rate = rates[fault] ?? 0;
        return (
          <div key={fault} class={`rate${rate > 0 ? ' on' : ''}`}>
            <label class="tick">
              <input
                type="checkbox"
                role="switch"
                checked={rate > 0}
                onChange={({ currentTarget }) => setRate(fault, currentTarget.checked ? 0.1 : 0)}
              />
              {fault}
            </label>
            <input
              type="range"
              min="0"
              max="100"
              value={Math.round(rate * 100)}
              aria-label={`Rate of ${fault} in percent`}
              onChange={({ currentTarget }) => setRate(fault, Number(currentTarget.value) / 100)}
            />
            <output>{Math.round(rate * 100)} %</output>
          </div>
        );
      })}
    </fieldset>
  );
  return (
    <div class="controls">
      <p class="hidden" role="status">
        {notice}
      </p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <section>
        <h2>Faults</h2>
        <p class="hint">The share of deliveries and calls that have a fault.</p>
        <div class="rate-groups">
          {group('Deliveries', service.faults.delivery)}
          {group('Calls', service.faults.call)}
        </div>
        <button
          type="button"
          class="download"
          disabled={Object.keys(rates).length === 0}
          onClick={() => {
            setRates({});
            void act(() => callApi('PUT', 'faults', {}), 'No faults.');
          }}
        >
          No faults
        </button>
      </section>
      <section>
        <h2>Clock</h2>
        <p class="hint">
          Advances the clock of schedules, and sends what is due on the way. It is{' '}
          <time dateTime={new Date(state.now).toISOString()}>
            {new Date(state.now).toISOString().replace('T', ' ').slice(0, 19)} UTC
          </time>
          .
        </p>
        <div class="actions">
          {['1s', '1m', '10m', '1h', '1d'].map((by) => (
            <button
              key={by}
              type="button"
              class="download"
              onClick={() =>
                void act(() => callApi('POST', 'clock/advance', { by }), `Advanced by ${by}.`)
              }
            >
              + {by}
            </button>
          ))}
        </div>
      </section>
      <section>
        <h2>Access tokens</h2>
        <p class="hint">Ends all access tokens that were issued, before their lifetime ends.</p>
        <button
          type="button"
          class="download"
          onClick={() => void act(() => callApi('POST', 'tokens/revoke'), 'Tokens revoked.')}
        >
          Revoke all tokens
        </button>
      </section>
      <section>
        <h2>Receiver</h2>
        <p class="hint">Only receivers that were given at the start can be chosen.</p>
        {state.targets.length === 0 ? (
          <p class="soft">None was given. Start the simulator with --to.</p>
        ) : (
          <label class="field">
            Base address
            <select
              value={state.to ?? ''}
              onChange={({ currentTarget: { value } }) =>
                void act(() => callApi('PUT', 'receiver', { to: value }), `Receiver: ${value}`)
              }
            >
              {state.targets.map((target) => (
                <option key={target} value={target}>
                  {target}
                </option>
              ))}
            </select>
          </label>
        )}
      </section>
      {service.questions.length > 0 && (
        <section>
          <h2>Open questions</h2>
          <p class="hint">
            What the contract leaves open, and the answer that holds. Start the simulator with{' '}
            <code>--answer</code> to choose another.
          </p>
          <ul class="open-questions">
            {service.questions.map(({ id, question, choices, current }) => (
              <li key={id}>
                <p>
                  <b>{visibleText(question)}</b> <code class="check-code">{id}</code>
                </p>
                <ul class="choices-list">
                  {choices.map(({ name, meaning }) => (
                    <li key={name} class={name === current ? 'holds' : ''}>
                      <code>{name}</code> {visibleText(meaning)}
                      {name === current && <span class="tag">holds</span>}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
