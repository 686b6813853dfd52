import type { Progress } from '../execution/progress.ts';
import type { Flags } from './command.ts';
import { count } from '../diagnostics/list-texts.ts';
import type { Terminal } from './terminal.ts';

/** The progress of a run on the terminal. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Removes the line. The caller calls this before it writes any other text, and at the end. */
  clear(): void;
}

const verbs: Readonly<Record<Progress['stage'], string>> = {
  load: 'reading the contract',
  lower: 'lowering the contract',
  emit: 'generating',
  compare: 'comparing',
  write: 'writing',
};

/**
 * Milliseconds between two updates of the count. Faster updates are unreadable, and writing to a terminal takes time.
 */
const updateMs = 100;

/**
 * Creates a progress line. On a terminal it is one line with a count and the elapsed seconds, removed when the run
 * ends. On a terminal that cannot remove it, and elsewhere with `--verbose`, it writes one line for each step, once and
 * without count and time. With `--quiet` or `--json`, it writes nothing.
 * @param now returns milliseconds since a fixed point in time
 */
export function createProgressLine(
  terminal: Terminal,
  { quiet, json, verbose }: Pick<Flags, 'quiet' | 'json' | 'verbose'>,
  now: () => number = () => performance.now(),
): ProgressLine {
  const { environment, errorIsTerminal, columns } = terminal;
  const isSilent = quiet || json || !(errorIsTerminal || verbose);
  const ci = (environment['CI'] ?? '') !== '' && environment['CI'] !== 'false';
  const live = errorIsTerminal && !ci && environment['TERM'] !== 'dumb';
  const start = now();
  const plainSteps = new Set<string>();
  let step = '';
  let line: { readonly progress: Progress; readonly at: number } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const draw = (progress: Progress): void => {
    const seconds = Math.floor((now() - start) / 1000);
    const details = [toCount(progress), seconds > 0 ? `${seconds} s` : ''].filter(Boolean);
    const text = `${verbs[progress.stage]} … ${details.join(', ')}`.trimEnd();
    // A line that wraps could not be removed.
    terminal.error(`\r\u001b[2K${text.slice(0, columns - 1)}`);
    line = { progress, at: now() };
  };
  return {
    show(progress) {
      if (isSilent) return;
      const isNew = verbs[progress.stage] !== step;
      step = verbs[progress.stage];
      if (!live) {
        if (!plainSteps.has(step)) terminal.error(`${step}\n`);
        plainSteps.add(step);
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

function toCount({ done }: Progress): string {
  return done === undefined ? '' : count(done, 'file');
}
