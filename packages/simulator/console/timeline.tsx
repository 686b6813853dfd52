import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { durationText, timeOfDay } from './time-text.ts';
import type { EntrySummary } from './types.ts';
import { visibleText } from '../../console/components/visible-text.ts';

/** The height of a row in pixels; `style.css` has the same. */
const rowHeight = 52;
/** Rows that are rendered above and below what is visible. */
const margin = 8;

/** The entries as a list of which only the visible rows exist. One row has the focus; arrow keys move it. */
export function Timeline(props: {
  readonly entries: readonly EntrySummary[];
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
  readonly onOpen: () => void;
}): JSX.Element {
  const { entries, selected, onSelect, onOpen } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const newest = useRef<number | undefined>(undefined);
  const wantsFocus = useRef(false);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void =>
      setView({ top: element.scrollTop, height: element.clientHeight || 600 });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  // New entries come above. What the reader sees stays where it is, unless that is the newest.
  useLayoutEffect(() => {
    const element = box.current;
    const before = newest.current;
    newest.current = entries[0]?.id;
    if (element === null || before === undefined || element.scrollTop === 0) return;
    const added = entries.findIndex(({ id }) => id === before);
    if (added > 0) element.scrollTop += added * rowHeight;
  }, [entries]);

  const selectedIndex = entries.findIndex(({ id }) => id === selected);
  const active = selectedIndex === -1 ? 0 : selectedIndex;
  // Before the next key: after the paint, a key that follows at once would find the focus on the row before.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [selected]);

  const move = (to: number): void => {
    const index = Math.max(0, Math.min(entries.length - 1, to));
    const entry = entries[index];
    const element = box.current;
    if (entry === undefined || element === null) return;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
    wantsFocus.current = true;
    onSelect(entry.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: entries.length - 1,
    };
    const to = selectedIndex === -1 && event.key === 'ArrowDown' ? 0 : steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === 'Enter' || event.key === ' ') {
      move(active);
      onOpen();
    } else return;
    event.preventDefault();
  };

  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const last = Math.min(entries.length, Math.ceil((view.top + view.height) / rowHeight) + margin);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  // The row with the focus exists even where it is not visible, so that the keyboard does not lose its place.
  if (active < first || active >= last) shown.push(active);
  return (
    <div
      class="timeline"
      ref={box}
      onScroll={({ currentTarget }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <div
        class="rows"
        role="listbox"
        aria-label="Calls, deliveries and steps, the newest first"
        style={{ height: `${entries.length * rowHeight}px` }}
        onKeyDown={onKeyDown}
      >
        {shown.map((index) => {
          const entry = entries[index];
          if (entry === undefined) return undefined;
          return (
            <Row
              key={entry.id}
              entry={entry}
              index={index}
              count={entries.length}
              isSelected={entry.id === selected}
              isActive={index === active}
              onClick={() => {
                onSelect(entry.id);
                onOpen();
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

const typeNames = { call: 'call', delivery: 'delivery', step: 'step' } as const;

function Row(props: {
  readonly entry: EntrySummary;
  readonly index: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly onClick: () => void;
}): JSX.Element {
  const { entry, index, count, isSelected, isActive, onClick } = props;
  const { type, name, method, detail, status, durationMs, attempt = 1, faults, isFailed } = entry;
  return (
    <div
      class={`timeline-row ${type}${isFailed ? ' failed' : ''}`}
      role="option"
      tabIndex={isActive ? 0 : -1}
      aria-selected={isSelected}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${index * rowHeight}px)` }}
      onClick={onClick}
    >
      <span class="row-name">
        <span class="row-type">{typeNames[type]}</span>
        <b>{visibleText(name ?? 'unknown path')}</b>
        {attempt > 1 && <span class="tag">attempt {attempt}</span>}
        {faults.length > 0 && <span class="tag fault">{faults.join(', ')}</span>}
      </span>
      <span class="row-status">
        {isFailed && (
          <>
            <span role="img" aria-label="failed">
              ✕
            </span>{' '}
          </>
        )}
        {visibleText(String(status ?? 'no response'))}
      </span>
      <span class="row-detail">
        {method !== undefined && `${visibleText(method)} `}
        {visibleText(detail)}
      </span>
      <span class="row-time">
        {durationMs !== undefined && `${durationText(durationMs)} · `}
        {timeOfDay(entry.at)}
      </span>
    </div>
  );
}
