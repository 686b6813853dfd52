import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callApi, messageOf } from '../api.ts';
import { Facts } from '../facts.tsx';
import { BodyView, HeaderTable } from '../message-view.tsx';
import { visibleText } from '../visible-text.ts';
import { dateText } from './date-text.ts';
import type { OperatedEvent, RevealedEventData } from './types.ts';

type Action = 'retry' | 'replay' | 'discard';

const names: Readonly<Record<Action, string>> = {
  retry: 'Retry',
  replay: 'Replay',
  discard: 'Discard',
};

/** The states from which each action takes an event. */
const possible: Readonly<Record<Action, readonly string[]>> = {
  retry: ['retry', 'dead', 'discarded'],
  replay: ['done'],
  discard: ['ready', 'waiting', 'retry', 'dead'],
};

/** One event, its payload if it is revealed, and what can be done with it. */
export function EventDetail(props: {
  readonly id: string;
  readonly onChange: () => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const { id, onChange, onClose } = props;
  const [event, setEvent] = useState<OperatedEvent>();
  const [revealed, setRevealed] = useState<RevealedEventData>();
  const [asked, setAsked] = useState<Action>();
  const [problem, setProblem] = useState('');
  const path = `events/${encodeURIComponent(id)}`;

  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const load = async (): Promise<void> => setEvent(await callApi<OperatedEvent>('GET', path));
  useEffect(() => void attempt(load), [id]);

  const act = async (action: Action): Promise<void> => {
    setAsked(undefined);
    await attempt(async () => {
      const { changed } = await callApi<{ changed: number }>('POST', action, { ids: [id] });
      await load();
      await onChange();
      if (changed === 0) throw new Error('Nothing was changed: the event has another state now.');
    });
  };
  const reveal = async (): Promise<void> =>
    await attempt(async () =>
      setRevealed(await callApi<RevealedEventData>('POST', `${path}/reveal`)),
    );

  return (
    <section class="detail" aria-label="Event">
      <div class="detail-bar">
        <button type="button" class="back download" onClick={onClose}>
          Back
        </button>
        {(['retry', 'replay', 'discard'] as const)
          .filter((action) => event !== undefined && possible[action].includes(event.state))
          .map((action) => (
            <button
              key={action}
              type="button"
              class="download"
              onClick={() => (asked === action ? void act(action) : setAsked(action))}
            >
              {asked === action ? `${names[action]} now?` : names[action]}
            </button>
          ))}
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {event !== undefined && <EventFacts event={event} />}
      <h3>Payload</h3>
      {revealed === undefined ? (
        <>
          <p class="note">Hidden. The inbox records who reveals it.</p>
          <button type="button" class="primary" onClick={() => void reveal()}>
            Reveal
          </button>
        </>
      ) : (
        <>
          <p class="address">
            <span class="method">{visibleText(revealed.method)}</span>
            <code>{visibleText(revealed.target)}</code>
          </p>
          <HeaderTable headers={revealed.headers} />
          <BodyView caption="Body" body={revealed.body} />
        </>
      )}
    </section>
  );
}

function EventFacts({ event }: { readonly event: OperatedEvent }): JSX.Element {
  const { retryAt, finishedAt } = event;
  return (
    <>
      <h2>{visibleText(event.kind ?? 'Unknown kind')}</h2>
      <p class="address">
        <code>{visibleText(event.id)}</code>
      </p>
      <Facts
        facts={[
          ['State', event.state],
          ['Failed attempts', String(event.attempts)],
          ['Interruptions', String(event.interruptions)],
          ['Last error', event.error],
          ['Next attempt', retryAt === undefined ? undefined : dateText(retryAt)],
          ['Received', dateText(event.receivedAt)],
          ['Finished', finishedAt === undefined ? undefined : dateText(finishedAt)],
          ['Key', event.orderKey],
          ['Identity', event.identity],
          ['Verdict', event.verdict],
        ]}
      />
    </>
  );
}
