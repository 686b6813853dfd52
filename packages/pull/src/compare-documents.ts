import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Invocation, runCommand } from 'countersign/companion/command';
import { toFailure } from 'countersign/companion/terminal';
import type { ReplacedDocuments } from './pull-contract.ts';

/**
 * Compares contracts as they were before a pull with what it has written, and returns the output of `diff` for each, with
 * the flags of the pull. A contract that cannot be compared has a message in its place: its documents are written.
 * @param folder the folder of the documents, absolute
 */
export async function compareDocuments(
  { entries, documents }: ReplacedDocuments,
  folder: string,
  invocation: Invocation<{ readonly markdown?: true }>,
): Promise<readonly string[]> {
  const earlier = await mkdtemp(join(tmpdir(), 'countersign-pull-'));
  try {
    for (const { file, content } of documents) {
      const path = join(earlier, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    const outputs: string[] = [];
    for (const { before, after } of entries)
      outputs.push(await compare(join(earlier, before), join(folder, after), after, invocation));
    return outputs;
  } finally {
    await rm(earlier, { recursive: true, force: true });
  }
}

async function compare(
  before: string,
  after: string,
  name: string,
  invocation: Invocation<{ readonly markdown?: true }>,
): Promise<string> {
  const { markdown } = invocation.options;
  const values = [before, after];
  const options = markdown === undefined ? {} : { markdown };
  let output = '';
  const out = (text: string): void => {
    output += text;
  };
  const terminal = { ...invocation.terminal, out };
  try {
    await runCommand('diff', { ...invocation, values, options, terminal });
  } catch (error) {
    const { code, message } = toFailure(error);
    if (invocation.flags.json) return JSON.stringify({ results: [{ error: { code, message } }] });
    return `${name} is not compared: ${message}\n`;
  }
  return output;
}
