import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { run } from '../../generator/cli/run.ts';
import { repository } from '../targets/emit-project.ts';

/** Milliseconds at the least that something is waited for. */
const patience = 30_000;

/** A `generate --watch` that runs. */
export interface Watching {
  /** Waits until it has said a text, and forgets what it said until then; answers with that. */
  says(text: string): Promise<string>;
  /** Asks it to end; answers with what it ended with. */
  end(): Promise<unknown>;
  /** What it ends with by itself. */
  readonly ended: Promise<unknown>;
}

/** Starts it in this process, which it loads its libraries in only once. */
export function watch(folder: string): Watching {
  let interrupt: (() => void) | undefined;
  const said = createTranscript();
  const ended = run(['generate', '--watch'], {
    folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    out: said.add,
    error: said.add,
  });
  const end = async (): Promise<unknown> => {
    interrupt?.();
    return await ended;
  };
  onTestFinished(async () => void (await end()));
  return { says: said.until, end, ended };
}

/** Starts it as a process of its own, which ends by a signal. */
export function watchAsProcess(folder: string, signal: 'SIGINT' | 'SIGTERM'): Watching {
  const said = createTranscript();
  const child = spawn(
    process.execPath,
    [join(repository, 'generator/cli.ts'), 'generate', '--watch'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', said.add);
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const end = async (): Promise<unknown> => {
    child.kill(signal);
    return await ended;
  };
  return { says: said.until, end, ended };
}

/** Collects what a command says, and waits for a text in it. */
export function createTranscript(): {
  readonly add: (text: string) => void;
  readonly until: (text: string) => Promise<string>;
} {
  let said = '';
  return {
    add: (text) => void (said += text),
    async until(text) {
      for (let left = patience; !said.includes(text); left -= 10) {
        if (left < 0) throw new Error(`It did not say "${text}", but:\n${said}`);
        await delay(10);
      }
      const length = said.indexOf(text) + text.length;
      const until = said.slice(0, length);
      said = said.slice(length);
      return until;
    },
  };
}
