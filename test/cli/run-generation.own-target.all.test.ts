import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from '../output/tree.ts';
import { createProject } from './project.ts';

describe("a target of the user's own, in the configuration", () => {
  it('generates its files beside those of the toolkit, and may require it', async () => {
    const { folder, countersign } = await createProject({
      'countersign.config.mjs': `export default {
        contract: { openapi: 'openapi.yaml' },
        scope: '@books',
        output: 'generated',
        targets: [
          {
            name: 'about',
            requires: ['contract'],
            fingerprint: [import.meta.filename],
            emit: (contract, context) => [
              {
                path: 'about/about.txt',
                text: contract.info.title + ' needs ' + context.packageNames.contract + ' ' + context.packageVersions.contract,
                from: [contract.info.pointer],
              },
            ],
          },
          'contract',
        ],
      };`,
    });
    const { code, error } = await countersign('generate');
    expect(code, error).toBe(0);
    const tree = await readTree(join(folder, 'generated'));
    expect(tree['about/about.txt']).toBe('Books needs @books/contract 1.2.0');
    expect(tree['contract/package.json']).toContain('"@books/contract"');
  });

  it('generates again when an option has changed, and only then', async () => {
    const configuration = (nestedArrays: string, mark: string): string => `export default {
      contract: { openapi: 'openapi.yaml' },
      scope: '@books',
      output: 'generated',
      targets: [
        'contract',
        { use: 'client', nestedArrays: '${nestedArrays}' },
        {
          use: {
            name: 'mark',
            requires: [],
            fingerprint: ['target.mjs'],
            options: { mark: (value, at) => { if (value === '') at.report('must not be empty'); } },
            emit: (_, { options }) => [{ path: 'mark/mark.txt', text: options.mark, from: [] }],
          },
          mark: '${mark}',
        },
      ],
    };`;
    const { folder, countersign } = await createProject({
      'target.mjs': '',
      'countersign.config.mjs': configuration('repeat', 'first'),
    });
    const check = async (): Promise<number | null> => (await countersign('check')).code;
    expect(await countersign('generate')).toMatchObject({ code: 0 });
    expect(await check()).toBe(0);
    const file = join(folder, 'countersign.config.mjs');
    await writeFile(file, configuration('repeat', 'second'));
    expect(await check()).toBe(1);
    expect(await countersign('generate')).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'generated/mark/mark.txt'), 'utf8')).toBe('second');
    await writeFile(file, configuration('bracket', ''));
    const { code, error } = await countersign('generate');
    expect(code).toBe(2);
    expect(error).toContain('targets[1].nestedArrays: must be');
    expect(error).toContain('targets[2].mark: must not be empty');
  });

  it('renders templates of its own', async () => {
    const { folder, countersign } = await createProject({
      'templates/note.hbs': '{{literal title}} has {{literal number}} schemas\n',
      'countersign.config.mjs': `import { join } from 'node:path';
      export default {
        contract: { openapi: 'openapi.yaml' },
        scope: '@books',
        output: 'generated',
        targets: [{
          name: 'note',
          requires: [],
          fingerprint: [],
          templates: join(import.meta.dirname, 'templates'),
          async *emit({ info, schemas }, { render }) {
            const text = render('note', { title: info.title, number: schemas.length });
            yield { path: 'note.txt', text, from: [] };
          },
        }],
      };`,
    });
    const { code, error } = await countersign('generate');
    expect(code, error).toBe(0);
    expect(await readFile(join(folder, 'generated/note.txt'), 'utf8')).toMatch(
      /Books.* has 1 schemas/,
    );
  });

  it('renders templates of several folders, each name in one of them', async () => {
    const { folder, countersign } = await createProject({
      'one/note.hbs': '{{literal title}}\n',
      'two/more.hbs': 'and more\n',
      'countersign.config.mjs': `import { join } from 'node:path';
      export default {
        contract: { openapi: 'openapi.yaml' },
        scope: '@books',
        output: 'generated',
        targets: [{
          name: 'note',
          requires: [],
          fingerprint: [],
          templates: [join(import.meta.dirname, 'one'), join(import.meta.dirname, 'two')],
          emit: ({ info }, { render }) => [
            { path: 'note.txt', text: render('note', { title: info.title }) + render('more', {}), from: [] },
          ],
        }],
      };`,
    });
    const { code, error } = await countersign('generate');
    expect(code, error).toBe(0);
    expect(await readFile(join(folder, 'generated/note.txt'), 'utf8')).toMatch(/Books.*\nand more/);
    await writeFile(join(folder, 'two/note.hbs'), 'another\n');
    const again = await countersign('generate', '--quiet');
    expect(again.code).toBe(1);
    expect(again.error).toContain('two templates named "note"');
  });

  it.each<[string, string, string]>([
    ['throws', "throw new Error('I cannot')", 'The target "own" failed: I cannot'],
    ['rejects', "await Promise.reject('no error')", 'The target "own" failed: no error'],
    ['yields no file', "yield 'text'", 'yielded a value that is not a file'],
    ['yields no text', "yield { path: 'a.txt', from: [] }", 'its file "a.txt" has no text'],
    [
      'leaves the folder',
      "yield { path: '../a.txt', text: '', from: [] }",
      'refused: it contains ".."',
    ],
    ['writes into the records', "yield { path: '.manifest.json', text: '', from: [] }", 'refused'],
    ['forgets the header', "yield { path: 'a.js', text: '1', from: [] }", '`@generated`'],
    [
      'writes no JavaScript',
      "yield { path: 'a.js', text: '// @generated\\n}{', from: [] }",
      'cannot be formatted',
    ],
    [
      'repeats itself',
      "yield { path: 'a.txt', text: '', from: [] }; yield { path: 'a.txt', text: '', from: [] }",
      '"a.txt" was produced by "own" twice',
    ],
    [
      'repeats itself in another case',
      "yield { path: 'a.txt', text: '', from: [] }; yield { path: 'A.txt', text: '', from: [] }",
      'are the same path on file systems that ignore case',
    ],
    [
      'asks for templates it does not have',
      "context.render('x', {})",
      'has no folder of templates',
    ],
  ])(
    'that %s receives that message in one line, and nothing is written',
    async (_, body, message) => {
      const { folder, countersign } = await createProject({
        'countersign.config.mjs': `export default {
        contract: { openapi: 'openapi.yaml' },
        scope: '@books',
        output: 'generated',
        targets: [{ name: 'own', requires: [], fingerprint: [], async *emit(contract, context) { ${body} } }],
      };`,
      });
      const before = await readTree(folder);
      const { code, out, error } = await countersign('generate', '--quiet');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(error).toContain(message);
      expect(error).not.toMatch(/^\s+at /m);
      expect(await readTree(folder)).toEqual(before);
    },
  );

  it('is run again whenever a file that it names has changed, and always where it names none', async () => {
    const { folder, countersign } = await createProject();
    await countersign('generate');
    const source = await readFile(join(folder, 'titles.mjs'), 'utf8');
    await writeFile(join(folder, 'titles.mjs'), source.replace('members =', 'names ='));
    expect((await countersign('generate')).out).toContain('updated  generated/titles/book.js');

    await writeFile(
      join(folder, 'titles.mjs'),
      source.replace('[import.meta.filename]', '[]').replace('members =', 'names ='),
    );
    await countersign('generate');
    const again = await countersign('generate', '--verbose');
    expect(again.out).toBe('generated: up to date\n');
    expect(again.error).toContain('generating\n');
  });
});
