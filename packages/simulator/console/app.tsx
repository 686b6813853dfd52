import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { callApi, messageOf } from '../../console/components/api.ts';
import { ConfirmButton } from '../../console/components/confirm-button.tsx';
import { Chart } from './chart.tsx';
import { ControlsPanel } from './controls-panel.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { everything, isFiltered, useEntryFeed } from './entry-feed.ts';
import { Filters } from './filters.tsx';
import { ShortcutList } from './shortcuts.tsx';
import { ThemeButton } from '../../console/components/theme-button.tsx';
import { useDetailFocus } from '../../console/components/use-detail-focus.ts';
import { Timeline } from './timeline.tsx';
import { TriggerForm } from './trigger-form.tsx';
import type { ControlState, DeliveryEntry, Entry, RunData, ServiceOverview } from './types.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { views, type View } from './views.ts';
import { visibleText } from '../../console/components/visible-text.ts';
import { WorkflowsPanel } from './workflows-panel.tsx';

const titles = {
  timeline: 'Timeline',
  send: 'Send',
  controls: 'Controls',
  workflows: 'Workflows',
  chart: 'Chart',
} as const;
const states = { loading: 'loading', live: 'live', interrupted: 'interrupted' } as const;

/** The console of a service. */
export function App(props: { readonly service: ServiceOverview }): JSX.Element {
  const { service } = props;
  const [view, setView] = useState<View>('timeline');
  const [selection, setSelection] = useState(everything);
  const feed = useEntryFeed(selection);
  const [selected, setSelected] = useState<number>();
  const detail = useDetailFocus();
  const [edited, setEdited] = useState<DeliveryEntry>();
  const [state, setState] = useState<ControlState>();
  const [runs, setRuns] = useState<readonly RunData[]>([]);
  const [hasShortcuts, setHasShortcuts] = useState(false);
  const [problem, setProblem] = useState('');

  const refresh = useCallback(async (): Promise<void> => {
    try {
      const [control, { runs: latestRuns }] = await Promise.all([
        callApi<ControlState>('GET', 'state'),
        callApi<{ runs: readonly RunData[] }>('GET', 'runs'),
      ]);
      setState(control);
      setRuns(latestRuns);
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, []);
  const newest = feed.entries[0]?.id;
  const isRunning = runs.some((run) => run.state === 'running');
  useEffect(() => void refresh(), [view]);
  // Entries report the progress of a run. Several of them lead to one request.
  useEffect(() => {
    if (!isRunning && view !== 'workflows') return undefined;
    const timer = setTimeout(() => void refresh(), 150);
    return () => clearTimeout(timer);
  }, [newest, isRunning, view]);

  const show = (id: number): void => {
    setView('timeline');
    setSelection(everything);
    setSelected(id);
    detail.open();
  };
  const edit = (entry: DeliveryEntry): void => {
    setEdited(entry);
    setView('send');
  };
  const withSelected = async (action: (entry: DeliveryEntry) => unknown): Promise<void> => {
    if (selected === undefined) return;
    try {
      const entry = await callApi<Entry>('GET', `entries/${selected}`);
      if (entry.type === 'delivery') await action(entry);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useShortcuts({
    onView: setView,
    onSearch: () => setView('timeline'),
    onBack: detail.close,
    onAgain: () =>
      void withSelected(async ({ id }) => await callApi('POST', `entries/${id}/send-again`)),
    onEdit: () => void withSelected(edit),
    onList: () => setHasShortcuts(true),
  });

  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="bar">
        <h1 class="brand">
          {visibleText(service.title)} <span class="soft">simulator</span>
        </h1>
        <code class="service-url">{service.url}</code>
        <span class={`connection ${feed.state}`} role="status">
          {states[feed.state]}
        </span>
        <button type="button" aria-label="Keys" title="Keys" onClick={() => setHasShortcuts(true)}>
          <span aria-hidden="true">?</span>
        </button>
        <ThemeButton />
      </header>
      <nav class="views" aria-label="Views">
        {views.map((viewName) => (
          <button
            key={viewName}
            type="button"
            aria-current={viewName === view ? 'page' : undefined}
            onClick={() => {
              if (viewName === 'send') setEdited(undefined);
              setView(viewName);
            }}
          >
            {titles[viewName]}
          </button>
        ))}
      </nav>
      <main id="main" class={`view-${view}`} tabIndex={-1}>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {view === 'timeline' && (
          <div class={`panes${detail.isOpen ? ' open' : ''}`}>
            <section class="list" aria-label="Timeline">
              <Filters
                service={service}
                runs={runs}
                selection={selection}
                onChange={setSelection}
              />
              <div class="list-bar">
                <span class="count" role="status">
                  {countOf(feed.entries)}
                </span>
                <a class="download" href="/api/export.har" download>
                  HAR
                </a>
                <a class="download" href="/api/export.jsonl" download>
                  JSON lines
                </a>
                <ConfirmButton
                  name="Clear"
                  question={
                    isFiltered(selection)
                      ? 'Clear all entries now? Also those that the filters hide.'
                      : `Clear ${countOf(feed.entries)} now?`
                  }
                  subject=""
                  onConfirm={() => {
                    setSelected(undefined);
                    callApi('DELETE', 'entries').catch((error: unknown) =>
                      setProblem(messageOf(error)),
                    );
                  }}
                />
              </div>
              {feed.entries.length === 0 && feed.state !== 'loading' ? (
                <div class="empty">
                  {isFiltered(selection) ? (
                    <p>No entry has what was selected.</p>
                  ) : (
                    <>
                      <p>Nothing has happened yet.</p>
                      <p class="soft">
                        Call <code>{service.url}</code>, or{' '}
                        <button type="button" class="link" onClick={() => setView('send')}>
                          send a notification
                        </button>
                        .
                      </p>
                    </>
                  )}
                </div>
              ) : (
                <Timeline
                  entries={feed.entries}
                  selected={selected}
                  onSelect={setSelected}
                  onOpen={detail.open}
                />
              )}
            </section>
            {selected === undefined ? (
              <div class="detail empty">
                <p class="soft">Select an entry to see its request, answer and verification.</p>
              </div>
            ) : (
              <EntryDetail id={selected} onEdit={edit} onClose={detail.close} onSent={show} />
            )}
          </div>
        )}
        {view === 'send' && (
          <TriggerForm
            key={edited?.id ?? 'new'}
            service={service}
            edited={edited}
            hasReceiver={state?.to !== undefined}
            onSent={show}
          />
        )}
        {view === 'controls' && state !== undefined && (
          <ControlsPanel service={service} state={state} onChange={refresh} />
        )}
        {view === 'workflows' && (
          <WorkflowsPanel
            service={service}
            runs={runs}
            onChange={refresh}
            onShowRun={(run) => {
              setSelection({ ...everything, run });
              setView('timeline');
            }}
          />
        )}
        {view === 'chart' && <Chart entries={feed.entries} />}
      </main>
      {hasShortcuts && <ShortcutList onClose={() => setHasShortcuts(false)} />}
    </>
  );
}

function countOf({ length }: readonly unknown[]): string {
  return `${length.toLocaleString('en')} ${length === 1 ? 'entry' : 'entries'}`;
}
