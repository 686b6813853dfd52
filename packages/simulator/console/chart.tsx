import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { chartData, type ChartData } from './chart-data.ts';
import { durationText, timeOfDay } from './time-text.ts';
import type { EntrySummary } from './types.ts';

/** Outcomes and latencies over time, of the entries that the timeline shows. */
export function Chart(props: { readonly entries: readonly EntrySummary[] }): JSX.Element {
  const data = chartData(props.entries);
  const ok = data.ok.reduce((sum, count) => sum + count, 0);
  const failed = data.failed.reduce((sum, count) => sum + count, 0);
  return (
    <div class="controls">
      <section>
        <h2>Outcomes</h2>
        <p class="hint">Calls and deliveries of the timeline, with its filters.</p>
        <p>
          <b>{ok}</b> succeeded, <b>{failed}</b> failed.
        </p>
        <Plot
          data={data}
          label={`Outcomes over time: ${ok} succeeded, ${failed} failed`}
          columns={[data.ok, data.failed]}
          series={[
            { label: 'succeeded', color: '--good' },
            { label: 'failed', color: '--bad' },
          ]}
          areBars
        />
      </section>
      <section>
        <h2>Latencies</h2>
        <p class="hint">
          Milliseconds: the median, and what 95 of 100 stay below, in each interval.
        </p>
        <Plot
          data={data}
          label={`Latencies over time; the latest median is ${durationText(data.median.findLast((latency) => latency !== null) ?? 0)}`}
          columns={[data.median, data.slow]}
          series={[
            { label: 'median', color: '--call' },
            { label: '95 of 100', color: '--open' },
          ]}
        />
      </section>
      <Table data={data} />
    </div>
  );
}

/** What the charts show, for those who read it otherwise. */
function Table({ data }: { readonly data: ChartData }): JSX.Element {
  const latency = (milliseconds: number | null | undefined): string =>
    milliseconds === null || milliseconds === undefined ? '' : durationText(milliseconds);
  return (
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            {['Time', 'Succeeded', 'Failed', 'Median', '95 of 100'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.at.map((at, index) => {
            const [ok = 0, failed = 0] = [data.ok[index], data.failed[index]];
            if (ok + failed === 0) return undefined;
            return (
              <tr key={at}>
                <th scope="row">{clockTime(at)}</th>
                <td>{ok}</td>
                <td>{failed}</td>
                <td>{latency(data.median[index])}</td>
                <td>{latency(data.slow[index])}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}

function Plot(props: {
  readonly data: ChartData;
  readonly label: string;
  readonly columns: readonly (readonly (number | null)[])[];
  readonly series: readonly { readonly label: string; readonly color: string }[];
  readonly areBars?: boolean;
}): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [scheme, setScheme] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    // The colours are read from the style sheet, which has others in the other theme.
    const redraw = (): void => setScheme((now) => now + 1);
    const themes = new MutationObserver(redraw);
    themes.observe(document.documentElement, { attributes: true });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      themes.disconnect();
      system.removeEventListener('change', redraw);
    };
  }, []);
  useEffect(() => {
    const element = host.current;
    if (element === null || width === 0) return undefined;
    const color = (name: string): string => resolveColor(element, name);
    const axis = {
      stroke: color('--soft'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { stroke: color('--line'), width: 1 },
      font: '12px sans-serif',
    };
    const bars = uPlot.paths.bars;
    const interval = (props.data.at[1] ?? 1) - (props.data.at[0] ?? 0);
    const plot = new uPlot(
      {
        width,
        height: 220,
        cursor: { y: false },
        legend: {
          live: true,
          markers: {
            dash: (_, index) => (index > 1 && props.areBars !== true ? 'dashed' : 'solid'),
          },
        },
        axes: [
          { ...axis, space: 90, values: (_, splits) => splits.map(clockTime) },
          { ...axis, size: 56 },
        ],
        scales: {
          // An interval on both sides, so that the outer bars are complete.
          x: { range: (_, min, max) => [min - interval, max + interval] },
          y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
        },
        series: [
          { label: 'Time', value: (_, at) => (at === null ? '' : clockTime(at)) },
          ...props.series.map(({ label, color: name }, index) => ({
            label,
            stroke: color(name),
            width: 2,
            points: { show: props.data.at.length < 3 },
            spanGaps: true,
            // The series differ without their colours as well: the second has empty bars, or a dashed line.
            ...(index > 0 && props.areBars !== true && { dash: [6, 4] }),
            ...(props.areBars === true &&
              bars !== undefined && {
                ...(index === 0 && { fill: color(name) }),
                points: { show: false },
                paths: bars({ size: [0.4, 40], align: index === 0 ? -1 : 1 }),
              }),
          })),
        ],
      },
      [[...props.data.at], ...props.columns.map((column) => [...column])],
      element,
    );
    return () => plot.destroy();
  }, [width, scheme, props.data]);
  return <div class="plot" ref={host} role="img" aria-label={props.label} />;
}

function clockTime(at: number): string {
  return timeOfDay(at * 1000).slice(0, 8);
}

/** Returns a colour of the style sheet in a form that a canvas knows. */
function resolveColor(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
