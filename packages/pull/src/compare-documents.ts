import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { SourceFile } from 'countersign';
import { type Invocation, runCommand } from 'countersign/companion/command';
import { type LoadedConfig, loadConfig } from 'countersign/companion/configuration';
import { isInFolder, toFile } from 'countersign/companion/paths';
import { namedFiles, readContract } from 'countersign/companion/project';
import { toFailure } from 'countersign/companion/terminal';
import type { ReplacedDocuments } from './pull-contract.ts';

type PullFlags = Invocation<{ readonly markdown?: true }>;

/**
 * Compares contracts as they were before a pull with what it has written, and returns the output of `diff` for each, with
 * the flags of the pull. Contracts of the configuration are compared with their overlays, answers and severities, other
 * documents as they are. A contract that cannot be compared has a message in its place: its documents are written.
 * @param folder the folder of the documents, absolute
 */
export async function compareDocuments(
  { entries, documents }: ReplacedDocuments,
  folder: string,
  invocation: PullFlags,
): Promise<readonly string[]> {
  const earlier = await mkdtemp(join(tmpdir(), 'countersign-pull-'));
  try {
    const files = documents.map(({ file }) => join(folder, file));
    const project = await readProject(files, invocation);
    const isNamed = ({ after }: { readonly after: string }): boolean =>
      project?.named.includes(join(folder, after)) === true;
    const outputs: string[] = [];
    if (project !== undefined && entries.some(isNamed)) {
      const before = join(earlier, 'configured');
      for (const { path, text } of project.files) await write(before, path, text);
      for (const { file, content } of documents)
        await write(before, toFile(project.folder, join(folder, file)), content);
      outputs.push(await compare([before], 'The contract', invocation));
    }
    const before = join(earlier, 'pulled');
    for (const { file, content } of documents) await write(before, file, content);
    for (const entry of entries.filter((candidate) => !isNamed(candidate))) {
      const values = [join(before, entry.before), join(folder, entry.after)];
      outputs.push(await compare(values, entry.after, invocation));
    }
    return outputs;
  } finally {
    await rm(earlier, { recursive: true, force: true });
  }
}

/** The contracts of a configuration. */
interface Project {
  /** The absolute folder that their paths are relative to. */
  readonly folder: string;
  /** The absolute paths of the documents that it names. */
  readonly named: readonly string[];
  /** All files of the contracts. */
  readonly files: readonly SourceFile[];
}

/**
 * Reads the contracts of the configuration. Returns `undefined` without a configuration, without one of the given
 * documents in it, and where files outside of its folder belong to them. A configuration that cannot be used is reported:
 * the documents alone can differ in other ways.
 */
async function readProject(
  pulled: readonly string[],
  { flags, terminal }: PullFlags,
): Promise<Project | undefined> {
  try {
    return await readConfigured(pulled, await loadConfig(terminal.folder, flags.config));
  } catch (error) {
    const { code, file, message } = toFailure(error);
    const name = file === undefined ? '' : ` ${toFile(terminal.folder, file)}`;
    if (code !== 'config-not-found' || flags.config !== undefined)
      terminal.error(`The documents are compared without the configuration${name}. ${message}\n`);
    return undefined;
  }
}

async function readConfigured(
  pulled: readonly string[],
  { folder, configs }: LoadedConfig,
): Promise<Project | undefined> {
  const named = configs.flatMap(({ contract }) =>
    namedFiles(contract).map((file) => resolve(folder, file)),
  );
  if (!pulled.some((file) => named.includes(file))) return undefined;
  const contracts = await Promise.all(
    configs.map(async (config) => await readContract(config, folder)),
  );
  const files = contracts.flatMap(({ documents }) => documents.files);
  const paths = [...pulled, ...files.map(({ path }) => resolve(folder, path))];
  return paths.every((path) => isInFolder(folder, path)) ? { folder, named, files } : undefined;
}

async function write(folder: string, file: string, content: string | Buffer): Promise<void> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Runs `diff` with one or two contracts. */
async function compare(
  values: readonly string[],
  name: string,
  invocation: PullFlags,
): Promise<string> {
  const { markdown } = invocation.options;
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
