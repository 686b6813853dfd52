#!/usr/bin/env node
import { once } from 'node:events';
import module from 'node:module';
import type { AskedChoice, Terminal } from './cli/terminal.ts';

// Enabled before every other import, so that Node caches their compiled code for the next run.
module.enableCompileCache?.();

// EPIPE means that the reader, such as `head`, closed the pipe. That is not an error of this process.
let outIsClosed = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    outIsClosed ||= stream === process.stdout;
  });
}

const terminal: Terminal = {
  folder: process.cwd(),
  environment: process.env,
  outIsTerminal: process.stdout.isTTY,
  errorIsTerminal: process.stderr.isTTY,
  columns: process.stderr.columns ?? 80,
  untilInterrupted: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    }),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask, choose } : {}),
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  async outIsReady() {
    if (process.stdout.writableNeedDrain)
      await once(process.stdout, 'drain').catch(() => undefined);
    return !outIsClosed;
  },
};

process.on('uncaughtException', (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  terminal.error(`countersign: internal error: ${message.replaceAll(/\p{Cc}[^]*/gu, '')}\n`);
  process.exit(70);
});

const { run } = await import('./cli/run.ts');
process.exitCode = await run(process.argv.slice(2), terminal);

async function ask(prompt: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return await new Promise((resolve) => {
    lines.on('close', () => resolve(undefined));
    lines.question(prompt, (line) => {
      resolve(line);
      lines.close();
    });
  });
}

async function choose(choice: AskedChoice): Promise<string | undefined> {
  return await (await import('./cli/choose.ts')).choose(choice, process.stderr);
}
