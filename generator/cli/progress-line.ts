import type { Progress } from '../generate.ts';
import { count } from './describe-generation.ts';
import type { Terminal } from './terminal.ts';

/** Shows what a run is doing, and removes it again. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Removes the line. To be called before any other text is written, and at the end. */
  clear(): void;
}

const verbs: Readonly<Record<Progress['stage'], string>> = {
  load: 'reading the contract',
  lower: 'making the model',
  emit: 'generating',
  format: 'formatting',
  compare: 'comparing',
  write: 'writing',
};

/** Milliseconds between two updates of the count: more could not be read, and writing to a terminal takes time. */
const updateMs = 100;

/**
 * Shows one line with a count and the elapsed seconds on a terminal, removed when the run is done. Elsewhere, such as in
 * CI, writes a line for each step without them. Writes nothing where `quiet`.
 * @param now the milliseconds since some point in time
 */
export function createProgressLine(
  terminal: Terminal,
  quiet: boolean,
  now: () => number = () => performance.now(),
): ProgressLine {
  const { environment, errorIsTerminal, columns } = terminal;
  const ci = (environment['CI'] ?? '') !== '' && environment['CI'] !== 'false';
  const live = errorIsTerminal && !ci && environment['TERM'] !== 'dumb';
  const start = now();
  let step = '';
  let line: { readonly progress: Progress; readonly at: number } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const draw = (progress: Progress): void => {
    const seconds = Math.floor((now() - start) / 1000);
    const details = [toCount(progress), seconds > 0 ? `${seconds} s` : ''].filter(Boolean);
    const text = `${toStep(progress)} … ${details.join(', ')}`.trimEnd();
    // A line that wraps could not be removed.
    terminal.error(`\r\u001b[2K${text.slice(0, columns - 1)}`);
    line = { progress, at: now() };
  };
  return {
    show(progress) {
      if (quiet) return;
      const isNew = toStep(progress) !== step;
      step = toStep(progress);
      if (!live) {
        if (isNew) terminal.error(`${step}\n`);
        return;
      }
      if (!isNew && line !== undefined && now() - line.at < updateMs) return;
      draw(progress);
      timer ??= setInterval(() => line && draw(line.progress), 1000).unref();
    },
    clear() {
      clearInterval(timer);
      timer = undefined;
      if (line !== undefined) terminal.error('\r\u001b[2K');
      line = undefined;
      step = '';
    },
  };
}

function toStep({ stage, target }: Progress): string {
  return target === undefined ? verbs[stage] : `${verbs[stage]} ${target}`;
}

function toCount({ done, of }: Progress): string {
  if (done === undefined) return '';
  return of === undefined ? count(done, 'file') : `${done} of ${count(of, 'file')}`;
}
