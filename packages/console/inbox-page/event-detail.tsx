import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { callApi, messageOf } from '../components/api.ts';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Facts } from '../components/facts.tsx';
import { BodyView, HeaderTable, ViolationList } from '../components/message-view.tsx';
import { visibleText } from '../components/visible-text.ts';
import { dateText } from './date-text.ts';
import { actionNames, isPossible, type Action } from './actions.ts';
import { kindText, waitText } from './event-text.ts';
import type { EventRejection, OperatedEvent, RevealedEventData } from './types.ts';

/** One event, its payload if it is revealed, and what can be done with it. */
export function EventDetail(props: {
  readonly id: string;
  /** The state that the list shows. The event is read again when it changes. */
  readonly listedState: string | undefined;
  readonly onChange: () => Promise<void>;
  readonly onClose: () => void;
  readonly onShow: (id: string) => void;
}): JSX.Element {
  const { id, listedState, onChange, onClose, onShow } = props;
  const [event, setEvent] = useState<OperatedEvent>();
  const [revealed, setRevealed] = useState<RevealedEventData>();
  const [problem, setProblem] = useState('');
  const payload = useRef<HTMLHeadingElement>(null);
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
  useEffect(() => void attempt(load), [id, listedState]);

  const act = async (action: Action): Promise<void> =>
    await attempt(async () => {
      const { changed } = await callApi<{ changed: number }>('POST', action, { ids: [id] });
      await load();
      await onChange();
      if (changed === 0) throw new Error('Nothing was changed: the event has another state now.');
    });
  const reveal = async (): Promise<void> =>
    await attempt(async () => {
      setRevealed(await callApi<RevealedEventData>('POST', `${path}/reveal`));
      payload.current?.focus();
    });

  return (
    <section
      class="detail"
      aria-label="Event"
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <div class="detail-bar">
        <button type="button" class="back download" onClick={onClose}>
          ← Events
        </button>
        {event !== undefined &&
          (['retry', 'replay', 'discard'] as const)
            .filter((action) => isPossible(action, event))
            .map((action) => (
              <ConfirmButton
                key={action}
                name={actionNames[action]}
                question={`${actionNames[action]} ${event.state} event now?${action === 'replay' ? ' Its effects are repeated.' : ''}`}
                subject={event.state}
                onConfirm={() => void act(action)}
              />
            ))}
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {event !== undefined && <EventFacts event={event} onShow={onShow} />}
      <h3 ref={payload} tabIndex={-1}>
        Payload
      </h3>
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

function EventFacts(props: {
  readonly event: OperatedEvent;
  readonly onShow: (id: string) => void;
}): JSX.Element {
  const { event, onShow } = props;
  const { retryAt, failedAt, finishedAt, leaseUntil, waitsFor } = event;
  return (
    <>
      <h2>{visibleText(kindText(event))}</h2>
      <p class="address">
        <code>{visibleText(event.id)}</code>
      </p>
      <Facts
        facts={[
          ['State', event.state],
          ['Failed attempts', String(event.attempts)],
          ['Interruptions', String(event.interruptions)],
          ['Last error', event.error],
          ['Last failure', failedAt === undefined ? undefined : dateText(failedAt)],
          [
            'Waits for',
            waitsFor && (
              <>
                {visibleText(waitText(waitsFor))}{' '}
                <button type="button" class="link" onClick={() => onShow(waitsFor.id)}>
                  Show it
                </button>
              </>
            ),
          ],
          ['Lease until', leaseUntil === undefined ? undefined : dateText(leaseUntil)],
          ['Next attempt', retryAt === undefined ? undefined : dateText(retryAt)],
          ['Received', dateText(event.receivedAt)],
          ['Finished', finishedAt === undefined ? undefined : dateText(finishedAt)],
          ['Key', event.orderKey],
          ['Identity', event.identity],
          ['Verdict', event.verdict],
        ]}
      />
      {event.rejection !== undefined && <Violations rejection={event.rejection} />}
    </>
  );
}

/** How the delivery violates the contract. It has no values. */
function Violations({ rejection }: { readonly rejection: EventRejection }): JSX.Element {
  const { reason, violations, omitted } = rejection;
  return (
    <>
      <h3>Violates the contract: {visibleText(reason)}</h3>
      <ViolationList violations={violations} omitted={omitted} />
    </>
  );
}
