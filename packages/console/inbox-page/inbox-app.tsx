import type { JSX } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { callApi, messageOf } from '../components/api.ts';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Facts } from '../components/facts.tsx';
import { ThemeButton } from '../components/theme-button.tsx';
import { useDetailFocus } from '../components/use-detail-focus.ts';
import { visibleText } from '../components/visible-text.ts';
import { AuditList } from './audit-list.tsx';
import { ageText, dateText } from './date-text.ts';
import { actionNames, changedTogether, countEvents, type Action } from './actions.ts';
import { EventDetail } from './event-detail.tsx';
import { kindText, reasonText } from './event-text.ts';
import type { InboxDescription, OperatedEvent, OperatedStats } from './types.ts';

interface EventPage {
  readonly events: readonly OperatedEvent[];
  readonly next?: string;
}

interface Selection {
  readonly state: string;
  readonly kind: string;
  readonly key: string;
}

const everything: Selection = { state: '', kind: '', key: '' };

/** Milliseconds between two reads of the inbox. */
const refreshMs = 5000;

/** The console of an inbox. */
export function InboxApp({ inbox }: { readonly inbox: InboxDescription }): JSX.Element {
  const [view, setView] = useState<'events' | 'audit'>('events');
  const [selection, setSelection] = useState(everything);
  const [stats, setStats] = useState<OperatedStats>();
  const [page, setPage] = useState<EventPage>();
  const [after, setAfter] = useState<string>();
  const [selected, setSelected] = useState<string>();
  const detail = useDetailFocus();
  const [problem, setProblem] = useState('');
  /** Counts requests: an answer to an earlier selection can be the last to arrive. */
  const turn = useRef(0);

  const refresh = useCallback(async (): Promise<void> => {
    turn.current += 1;
    const requestTurn = turn.current;
    const query = new URLSearchParams(
      Object.entries({ ...selection, after: after ?? '' }).filter(([, value]) => value !== ''),
    );
    try {
      const [counted, eventPage] = await Promise.all([
        callApi<OperatedStats>('GET', 'stats'),
        callApi<EventPage>('GET', `events?${query}`),
      ]);
      if (requestTurn !== turn.current) return;
      setStats(counted);
      setPage(eventPage);
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [selection, after]);
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), refreshMs);
    return () => clearInterval(timer);
  }, [refresh]);

  const show = (id: string): void => {
    setSelected(id);
    detail.open();
  };
  const select = (change: Partial<Selection>): void => {
    setAfter(undefined);
    setSelection({ ...selection, ...change });
  };
  const input = (member: 'kind' | 'key', label: string): JSX.Element => (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      value={selection[member]}
      onInput={({ currentTarget: { value } }) => select({ [member]: value })}
    />
  );

  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="bar">
        <h1 class="brand">
          {visibleText(inbox.name)} <span class="soft">inbox</span>
        </h1>
        <span class="soft">as {visibleText(inbox.by)}</span>
        <ThemeButton />
      </header>
      <nav class="views" aria-label="Views">
        {(['events', 'audit'] as const).map((viewName) => (
          <button
            key={viewName}
            type="button"
            aria-current={viewName === view ? 'page' : undefined}
            onClick={() => setView(viewName)}
          >
            {viewName === 'events' ? 'Events' : 'Audit'}
          </button>
        ))}
      </nav>
      <main id="main" class={view === 'events' ? 'view-timeline' : ''} tabIndex={-1}>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {view === 'audit' && <AuditList />}
        {view === 'events' && (
          <>
            {stats !== undefined && <Overview stats={stats} />}
            <div class={`panes${detail.isOpen ? ' open' : ''}`}>
              <section class="list" aria-label="Events">
                <div class="filters" role="search" aria-label="Filters">
                  <select
                    aria-label="State"
                    value={selection.state}
                    onChange={({ currentTarget: { value } }) => select({ state: value })}
                  >
                    <option value="">all states</option>
                    {Object.keys(stats?.byState ?? {}).map((state) => (
                      <option key={state} value={state}>
                        {state}
                      </option>
                    ))}
                  </select>
                  {input('kind', 'Kind')}
                  {input('key', 'Key')}
                </div>
                <div class="list-bar">
                  <span class="count" role="status">
                    {page === undefined ? 'loading' : `${page.events.length} shown`}
                  </span>
                  {after !== undefined && (
                    <button type="button" class="download" onClick={() => setAfter(undefined)}>
                      First
                    </button>
                  )}
                  {page?.next !== undefined && (
                    <button type="button" class="download" onClick={() => setAfter(page.next)}>
                      Next
                    </button>
                  )}
                  {page !== undefined && <PageActions events={page.events} onChange={refresh} />}
                </div>
                {page?.events.length === 0 ? (
                  <p class="empty soft">
                    {Object.values(selection).every((value) => value === '')
                      ? 'The inbox has no events.'
                      : 'No event has what was selected.'}
                  </p>
                ) : (
                  <ol class="events">
                    {page?.events.map((event) => (
                      <EventRow
                        key={event.id}
                        event={event}
                        isSelected={event.id === selected}
                        onSelect={() => show(event.id)}
                      />
                    ))}
                  </ol>
                )}
              </section>
              {selected === undefined ? (
                <div class="detail empty">
                  <p class="soft">Select an event.</p>
                </div>
              ) : (
                <EventDetail
                  key={selected}
                  id={selected}
                  listedState={page?.events.find(({ id }) => id === selected)?.state}
                  onChange={refresh}
                  onClose={detail.close}
                  onShow={show}
                />
              )}
            </div>
          </>
        )}
      </main>
    </>
  );
}

/** Retries or discards what the list shows. The first click states how many events that are, of which kinds and states. */
function PageActions(props: {
  readonly events: readonly OperatedEvent[];
  readonly onChange: () => Promise<void>;
}): JSX.Element {
  const { events, onChange } = props;
  const [problem, setProblem] = useState('');
  const act = async (action: Action, ids: readonly string[]): Promise<void> => {
    try {
      const { changed } = await callApi<{ changed: number }>('POST', action, { ids });
      setProblem(
        changed === ids.length
          ? ''
          : `${changed} of ${ids.length} events were changed: the others have another state now.`,
      );
      await onChange();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <>
      {(['retry', 'discard'] as const).map((action) => {
        const chosen = changedTogether(action, events);
        if (chosen.length < 2) return null;
        const name = `${actionNames[action]} ${chosen.length} shown`;
        const ids = chosen.map(({ id }) => id);
        return (
          <ConfirmButton
            key={action}
            name={name}
            question={`${name} now? ${countEvents(chosen)}`}
            subject={chosen.map(({ id, state }) => `${id} ${state}`).join()}
            onConfirm={() => void act(action, ids)}
          />
        );
      })}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function Overview({ stats }: { readonly stats: OperatedStats }): JSX.Element {
  const { depth, oldestAgeMs, failed, duplicates, byState } = stats;
  return (
    <section class="overview" aria-label="Overview">
      <Facts
        facts={[
          ['Not finished', String(depth)],
          ['Oldest', oldestAgeMs === undefined ? 'none' : ageText(oldestAgeMs)],
          ['Failed', String(failed)],
          ['Dead', String(byState['dead'] ?? 0)],
          ['Done', String(byState['done'] ?? 0)],
          ['Duplicates', String(duplicates)],
        ]}
      />
    </section>
  );
}

function EventRow(props: {
  readonly event: OperatedEvent;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}): JSX.Element {
  const { state, receivedAt, orderKey } = props.event;
  const detail = [orderKey === undefined ? '' : `key ${orderKey}`, reasonText(props.event)];
  return (
    <li>
      <button
        type="button"
        class={`event-row ${state}`}
        aria-current={props.isSelected ? 'true' : undefined}
        onClick={props.onSelect}
      >
        <span class="row-name">
          <b>{visibleText(kindText(props.event))}</b>
        </span>
        <span class="row-status">{state}</span>
        <span class="row-detail">{visibleText(detail.filter(Boolean).join('  '))}</span>
        <span class="row-time">{dateText(receivedAt)}</span>
      </button>
    </li>
  );
}
