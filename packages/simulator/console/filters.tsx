import type { JSX } from 'preact';
import { everything, isFiltered, type Selection } from './entry-feed.ts';
import type { RunData, ServiceOverview } from './types.ts';

/** Selects which entries the timeline shows. */
export function Filters(props: {
  readonly service: ServiceOverview;
  readonly runs: readonly RunData[];
  readonly selection: Selection;
  readonly onChange: (selection: Selection) => void;
}): JSX.Element {
  const { service, runs, selection, onChange } = props;
  const select = (
    member: keyof Selection,
    label: string,
    options: readonly (readonly [value: string, text: string])[],
  ): JSX.Element => (
    <select
      aria-label={label}
      value={selection[member]}
      onChange={({ currentTarget: { value } }) => onChange({ ...selection, [member]: value })}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  const names = [
    ...service.operations.map(({ name }) => name),
    ...service.kinds.map(({ kind }) => kind),
    ...service.workflows.map(({ id }) => id),
  ];
  return (
    <div class="filters" role="search" aria-label="Filters">
      <input
        id="search"
        type="search"
        placeholder="Text in URL or body"
        aria-label="Text in URL or body"
        value={selection.text}
        onInput={({ currentTarget: { value } }) => onChange({ ...selection, text: value })}
      />
      {select('type', 'Type', [
        ['', 'all types'],
        ['call', 'calls'],
        ['delivery', 'deliveries'],
        ['step', 'steps'],
      ])}
      {select('outcome', 'Outcome', [
        ['', 'any outcome'],
        ['ok', 'succeeded'],
        ['failed', 'failed'],
      ])}
      {select('name', 'Name', [
        ['', 'all names'],
        ...[...new Set(names)].map((name) => [name, name] as const),
      ])}
      {(runs.length > 0 || selection.run !== '') &&
        select('run', 'Run', [
          ['', 'all runs'],
          ...runs.map(({ id, workflow }) => [id, `${workflow} ${id}`] as const),
        ])}
      {isFiltered(selection) && (
        <button type="button" class="download" onClick={() => onChange(everything)}>
          All
        </button>
      )}
    </div>
  );
}
