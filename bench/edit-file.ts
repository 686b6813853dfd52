import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.ts';

/** The cost of editing a file in an editor. */
export interface EditCost {
  /** The time from opening the file until its errors are known. */
  readonly openMilliseconds: number;
  /** The time from one edit until the errors of the file are known, the median. */
  readonly editMilliseconds: number;
  readonly peakMegabytes: number;
}

interface Message {
  readonly event?: string;
  readonly body?: {
    readonly request_seq?: number;
    readonly diagnostics?: readonly { readonly code?: number }[];
  };
}

const server = fileURLToPath(
  new URL('../node_modules/typescript/lib/tsserver.js', import.meta.url),
);
const usageHook = fileURLToPath(new URL('./report-usage.ts', import.meta.url));

/** The error of the line that is edited: a number is not a string. */
const wrongType = 2322;

/**
 * Opens a file with `tsserver`, whose project is the nearest `tsconfig.json`, and edits it `times` times. Each time, one
 * line has a wrong type, which the server has to report.
 */
export async function editFile(file: string, program: string, times: number): Promise<EditCost> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const report = join(folder, 'usage.json');
  const line = program.split('\n').length;
  const statement = (value: number): string => `export const edited: string = ${value};`;
  const content = `${program}${statement(0)}\n`;
  writeFileSync(file, content);
  const child = spawn(
    process.execPath,
    ['--import', usageHook, server, '--disableAutomaticTypingAcquisition'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, COUNTERSIGN_BENCH_REPORT: report },
    },
  );
  const closed = once(child, 'close');
  try {
    const messages = readMessages(child.stdout);
    let sequence = 0;
    const send = (command: string, words: object): void => {
      sequence += 1;
      const request = { seq: sequence, type: 'request', command, arguments: words };
      child.stdin.write(`${JSON.stringify(request)}\n`);
    };
    /** Asks for the errors of the file, and returns the time since `start` when they are complete. */
    const untilChecked = async (start: number): Promise<number> => {
      send('geterr', { files: [file], delay: 0 });
      const codes: (number | undefined)[] = [];
      for (let message = await messages.next(); ; message = await messages.next()) {
        if (message.done === true) throw new Error('tsserver ended too soon.');
        const { event, body } = message.value;
        if (event === 'semanticDiag')
          codes.push(...(body?.diagnostics ?? []).map(({ code }) => code));
        if (event === 'requestCompleted' && body?.request_seq === sequence) break;
      }
      if (codes.length !== 1 || codes[0] !== wrongType)
        throw new Error(`tsserver reports ${codes.join(', ')} in ${file}.`);
      return performance.now() - start;
    };
    const start = performance.now();
    send('open', { file, fileContent: content });
    const openMilliseconds = await untilChecked(start);
    const edits: number[] = [];
    for (let edit = 1; edit <= times; edit += 1) {
      const changed = performance.now();
      send('change', {
        file,
        line,
        offset: 1,
        endLine: line,
        endOffset: statement(edit - 1).length + 1,
        insertString: statement(edit),
      });
      edits.push(await untilChecked(changed));
    }
    send('exit', {});
    await closed;
    const { maxRSS } = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.ResourceUsage;
    return { openMilliseconds, editMilliseconds: median(edits), peakMegabytes: maxRSS / 1024 };
  } finally {
    child.kill();
    await closed;
    rmSync(folder, { recursive: true });
  }
}

/** Yields the messages of `tsserver`: each is a line of JSON after its headers. */
async function* readMessages(stream: AsyncIterable<unknown>): AsyncGenerator<Message, undefined> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) yield JSON.parse(line) as Message;
  }
  return undefined;
}
