import type { ChildProcess } from 'node:child_process';

/** Resolves to the next message of a process. Rejects if the process ends without one. */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  return await new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('close', onClose);
      resolve(message as T);
    };
    const onClose = (): void => {
      child.off('message', onMessage);
      reject(endedTooSoon(child));
    };
    child.once('message', onMessage).once('close', onClose);
  });
}

/** Resolves to the first line that a process prints. Rejects if the process ends without one. */
export async function firstLine(child: ChildProcess): Promise<string> {
  return (await outputUntil(child, '\n')).split('\n')[0] ?? '';
}

/**
 * Resolves to what a process prints until a text occurs. Rejects if the process ends without it. Later output is read
 * and dropped, so that it never blocks.
 */
export async function outputUntil(child: ChildProcess, end: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes(end)) resolve(text);
    });
    child.once('close', () => reject(endedTooSoon(child)));
  });
}

/** Ends a process, and resolves when it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

function endedTooSoon({ spawnargs, exitCode, signalCode }: ChildProcess): Error {
  return new Error(`${spawnargs.join(' ')} ended with ${exitCode ?? signalCode ?? 'nothing'}`);
}
