import { join } from 'node:path';
import { isJsonObject } from '../json/json.ts';
import { type Disk, ifPresent } from './disk.ts';
import { OutputError } from '../emit/output-error.ts';
import { assertOutputPaths, manifestPath } from '../emit/output-path.ts';

/**
 * The paths that a commit changes, written to the staging folder before the commit begins. While a journal exists, the
 * output folder can mix old and new files. The staging folder then has everything needed to undo the commit.
 */
export interface Journal {
  readonly removes: readonly string[];
  /** In the order in which the files are moved into place; the manifest is the last. */
  readonly writes: readonly string[];
}

const journalName = 'journal.json';
const format = 2;

/** Writes a journal atomically: it is complete or absent. */
export function writeJournal(staging: string, journal: Journal, disk: Disk): void {
  const draft = join(staging, `${journalName}.draft`);
  disk.writeFile(draft, JSON.stringify({ format, ...journal }), { flush: true });
  disk.rename(draft, join(staging, journalName));
}

/**
 * Reads the journal of a staging folder; `undefined` if its run did not begin to commit.
 * @throws OutputError `interrupted` if this version cannot read the journal
 */
export function readJournal(staging: string, disk: Disk): Journal | undefined {
  const content = ifPresent(() => disk.readFile(join(staging, journalName)));
  if (content === undefined) return undefined;
  const journal = toJournal(content.toString('utf8'));
  if (journal !== undefined) return journal;
  throw new OutputError(
    'interrupted',
    `The journal in ${staging} is damaged or of another version. Restore the output folder from version control, ` +
      `or delete it, and run \`generate\` again.`,
  );
}

/** Removes the journal. From then on, the output folder counts as complete. */
export function removeJournal(staging: string, disk: Disk): void {
  disk.unlink(join(staging, journalName));
}

function toJournal(text: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || value['format'] !== format) return undefined;
    const { removes, writes } = value;
    if (!isTexts(removes) || !isTexts(writes)) return undefined;
    // Recovery follows a journal without further checks, so its paths obey the same rules as those of a target.
    assertOutputPaths(removes);
    assertOutputPaths(writes.filter((path) => path !== manifestPath));
    return { removes, writes };
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item: unknown) => typeof item === 'string');
}
