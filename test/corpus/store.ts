import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../targets/emit-project.ts';
import type { FoundDocument } from './find-documents.ts';
import type { CorpusRecord } from './record.ts';

/** A record, and the toolkit that it was made with. */
interface Kept {
  readonly toolkit: string;
  readonly record: CorpusRecord;
}

/** Records of documents, kept on disk so that an interrupted run can resume. */
export interface Store {
  /** The record of a document as it is now; `current` where it was made with this toolkit. */
  find(
    document: FoundDocument,
  ): Promise<{ readonly record: CorpusRecord; readonly current: boolean } | undefined>;
  keep(document: FoundDocument, record: CorpusRecord): Promise<void>;
}

/** Opens the store in a folder, which is made where it does not exist. */
export async function openStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true });
  const toolkit = await fingerprint();
  const pathOf = async ({ path, name }: FoundDocument): Promise<string> => {
    const hash = createHash('sha256')
      .update(name)
      .update(await readFile(path));
    return join(folder, `${hash.digest('hex').slice(0, 32)}.json`);
  };
  return {
    async find(document) {
      try {
        const kept = JSON.parse(await readFile(await pathOf(document), 'utf8')) as Kept;
        return { record: kept.record, current: kept.toolkit === toolkit };
      } catch {
        return undefined;
      }
    },
    async keep(document, record) {
      const kept: Kept = { toolkit, record };
      await writeFile(await pathOf(document), JSON.stringify(kept));
    },
  };
}

/** A hash of everything that decides what is generated and what it imports. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['generator', 'templates', 'packages']) {
    const names = await readdir(join(repository, folder), { recursive: true });
    const sources = names.filter(
      (name) =>
        /\.(?:ts|hbs|js|css)$/u.test(name) && !/(?:^|\/)(?:dist|node_modules)\//u.test(name),
    );
    for (const name of sources.toSorted()) {
      hash.update(name).update(await readFile(join(repository, folder, name)));
    }
  }
  return hash.digest('hex');
}
