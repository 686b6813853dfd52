import type { Progress } from '../generate.ts';
import type { Terminal } from './terminal.ts';

/** Shows what a run is busy with, and takes it away again. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** To be called ahead of any other text, and at the end. */
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

/** One line on a terminal, gone when done; a line for each step elsewhere, such as in CI; nothing where `quiet`. */
export function createProgressLine(terminal: Terminal, quiet: boolean): ProgressLine {
  const { environment, errorIsTerminal, columns } = terminal;
  const ci = (environment['CI'] ?? '') !== '' && environment['CI'] !== 'false';
  const live = errorIsTerminal && !ci && environment['TERM'] !== 'dumb';
  let shown = false;
  return {
    show({ stage, target }) {
      if (quiet) return;
      const text = target === undefined ? verbs[stage] : `${verbs[stage]} ${target}`;
      if (!live) return terminal.error(`${text}\n`);
      // A line that wraps could not be taken away.
      terminal.error(`\r\u001b[2K${`${text} …`.slice(0, columns - 1)}`);
      shown = true;
    },
    clear() {
      if (shown) terminal.error('\r\u001b[2K');
      shown = false;
    },
  };
}
