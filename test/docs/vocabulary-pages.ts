import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../targets/emit-project.ts';
import { applyDiff, blocksOf, type Block } from './page-blocks.ts';

/** The folder of the pages about the keys of the vocabulary. */
export const vocabularyPages: string = join(repository, 'docs/vocabulary');

/** A page about a key: a contract, what is generated from it, and mistakes with their diagnostics. */
export interface VocabularyPage {
  readonly key: string;
  readonly text: string;
  /** The documents of the example, by file name. A block without a name is a part of another one. */
  readonly contract: Readonly<Record<string, string>>;
  /** Parts of generated files, whose path is the name of the block. */
  readonly excerpts: readonly Block[];
  readonly mistakes: readonly Mistake[];
}

/** A wrong edit of the example, and what the command line prints about it. */
export interface Mistake {
  readonly file: string;
  readonly diff: string;
  readonly printed: string;
}

/** Reads the page of each key, in the order of their names. */
export async function readVocabularyPages(): Promise<readonly VocabularyPage[]> {
  const names = (await readdir(vocabularyPages)).filter((name) => /^x-.*\.md$/u.test(name));
  return await Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(join(vocabularyPages, name), 'utf8');
      const blocks = blocksOf(text);
      const documents = blocks.filter(({ language, name }) => language === 'yaml' && name !== '');
      return {
        key: name.replace('.md', ''),
        text,
        contract: Object.fromEntries(documents.map((block) => [block.name, block.body])),
        excerpts: blocks.filter((block) => block.name.startsWith('generated/')),
        mistakes: blocks.flatMap((block, index) =>
          block.language === 'diff'
            ? [{ file: block.name, diff: block.body, printed: blocks[index + 1]?.body ?? '' }]
            : [],
        ),
      };
    }),
  );
}

/** Returns the documents of a page with a mistake. */
export function withMistake(
  { contract }: VocabularyPage,
  { file, diff }: Mistake,
): VocabularyPage['contract'] {
  return { ...contract, [file]: applyDiff(contract[file] ?? '', diff).after };
}

/** Returns the configuration for the documents of a page, with the targets that have something to generate. */
export function configOf(contract: VocabularyPage['contract'], scope: string): object {
  const texts = Object.values(contract).join('');
  const documents = Object.keys(contract).map((file) => [file.replace('.yaml', ''), file]);
  const client = /^paths:/mu.test(texts) ? ['client'] : [];
  const webhooks = /^(?:webhooks|channels):/mu.test(texts) ? ['webhooks'] : [];
  return {
    contract: Object.fromEntries(documents) as object,
    scope,
    output: 'generated',
    targets: [{ use: 'contract', data: ['openapi'] }, ...client, ...webhooks],
  };
}
