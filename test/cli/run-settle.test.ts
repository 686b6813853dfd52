import { lstat, readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readTree, writeTree } from '../output/tree.ts';
import { createProject, openapi as books } from './project.ts';
import { runInProcess } from './run-in-process.ts';

const openapi = books.replace(
  'paths:',
  `  x-countersign: 1
  x-unstated:
    title-length:
      source: '1'
      question: How long can a title be?
      choices:
        short:
          meaning: At most ten characters.
          actions: [{ target: $.components.schemas.Book.properties.title, update: { maxLength: 10 } }]
        any: As long as it likes.
    isbn-form:
      source: '1.2'
      question: Which form does an ISBN have?
      choices:
        ten: ten digits
        thirteen: { meaning: thirteen digits, requires: { title-length: any } }
    who-reads:
      source: ['2', '3']
      question: "Who reads the books: \\e[31mall?"
      documentation: true
paths:`,
);

const asyncapi = `asyncapi: 3.0.0
info: { title: Books, version: 1.0.0, x-countersign: 1 }
channels:
  lent: { address: /lent, messages: { bookLent: { $ref: '#/components/messages/bookLent' } } }
operations:
  tell: { action: send, channel: { $ref: '#/channels/lent' }, bindings: { http: { method: POST } } }
components:
  messages:
    bookLent:
      payload: { type: object }
      contentType: application/json
      x-dedupe-by: { unstated: same-delivery }
      x-unstated:
        same-delivery:
          source: '4'
          question: What makes two deliveries the same?
          choices:
            none: { value: [], meaning: Nothing does. }
            content: { value: [$request.body#], meaning: Equal content. }
`;

const config = `// What we generate.
export default {
  contract: { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' },
  scope: '@books',
  output: 'generated',
  targets: ['contract'],
};
`;

const overlay = `# Asked on Monday.
overlay: 1.0.0
info: { title: Answers, version: 1.0.0 }
extends: ./openapi.yaml
actions:
  - target: $.info['x-unstated']
    update:
      who-reads: { settled: 'All.' } # said the librarian
  # The last one.
`;

let folder: string;
beforeEach(async () => {
  ({ folder } = await createProject({
    'openapi.yaml': openapi,
    'asyncapi.yaml': asyncapi,
    'countersign.config.mjs': config,
  }));
});

async function settle(...words: readonly string[]): ReturnType<typeof runInProcess> {
  return runInProcess(folder, ['settle', ...words]);
}

async function read(file: string): Promise<string> {
  return readFile(join(folder, file), 'utf8');
}

/** What the ledger has as its answers, as the toolkit reads it. */
async function answers(): Promise<Readonly<Record<string, unknown>>> {
  const { out } = await runInProcess(folder, ['unstated', '--json']);
  const entries: readonly { id: string; settled?: string }[] = JSON.parse(out).results[0].unstated;
  return Object.fromEntries(
    entries.flatMap(({ id, settled }) => (settled === undefined ? [] : [[id, settled]])),
  );
}

/** Adds an overlay with an answer to the project. */
async function withOverlay(text = overlay): Promise<void> {
  await writeTree(folder, {
    'answers/library.yaml': text,
    'countersign.config.mjs': config.replace(
      "asyncapi.yaml' }",
      "asyncapi.yaml', overlays: ['./answers/library.yaml'] }",
    ),
  });
}

describe('countersign settle', () => {
  it('writes new overlays, one for each document, and adds them to the configuration', async () => {
    const { code, out, error } = await settle('title-length=short', 'same-delivery=content');
    expect(code, error).toBe(0);
    expect(await answers()).toEqual({ 'title-length': 'short', 'same-delivery': 'content' });
    expect(await read('overlays/answers-openapi.yaml')).toBe(`overlay: 1.0.0
info:
  title: Answers to open questions
  version: 1.0.0
extends: ../openapi.yaml
actions:
  - target: $.info['x-unstated']['title-length']
    description: How long can a title be?
    update:
      settled: short
`);
    expect(await read('countersign.config.mjs')).toBe(
      config.replace(
        "asyncapi.yaml' }",
        "asyncapi.yaml', overlays: ['overlays/answers-openapi.yaml', 'overlays/answers-asyncapi.yaml'] }",
      ),
    );
    expect(out).toContain('--- /dev/null\n+++ b/overlays/answers-openapi.yaml\n');
    expect(out).toContain('created  overlays/answers-asyncapi.yaml\n');
    expect(out).toMatch(/\n2 entries settled; run `countersign generate`\n$/u);
  });

  it('appends to the overlay that settles entries, and changes nothing else of it', async () => {
    await withOverlay(overlay.replace('./openapi', '../openapi'));
    const before = await read('countersign.config.mjs');
    expect(await settle('isbn-form=ten', 'title-length=any')).toMatchObject({ code: 0 });
    expect(await read('answers/library.yaml')).toBe(
      `${overlay.replace('./openapi', '../openapi').replace('  # The last one.\n', '')}  - target: $.info['x-unstated']['isbn-form']
    description: Which form does an ISBN have?
    update:
      settled: ten
  - target: $.info['x-unstated']['title-length']
    description: How long can a title be?
    update:
      settled: any
  # The last one.
`,
    );
    expect(await read('countersign.config.mjs')).toBe(before);
    expect(await answers()).toEqual({
      'who-reads': 'All.',
      'isbn-form': 'ten',
      'title-length': 'any',
    });
  });

  it('replaces an earlier answer where it is written', async () => {
    await withOverlay(overlay.replace('./openapi', '../openapi'));
    const { code, out } = await settle('who-reads=Only members.');
    expect(code).toBe(0);
    expect(await read('answers/library.yaml')).toBe(
      overlay.replace('./openapi', '../openapi').replace("'All.'", "'Only members.'"),
    );
    expect(out).toContain('who-reads: Only members. replaces All.\n');
    expect(await answers()).toEqual({ 'who-reads': 'Only members.' });
    expect(await settle('who-reads=Only members.')).toMatchObject({
      code: 0,
      out: 'who-reads has this answer already\n',
    });
  });

  it('overrides an answer that is in the contract itself by an overlay', async () => {
    await writeTree(folder, {
      'openapi.yaml': openapi.replace(
        'choices:\n        ten',
        'settled: ten\n      choices:\n        ten',
      ),
    });
    expect(await settle('title-length=any', 'isbn-form=thirteen')).toMatchObject({ code: 0 });
    expect(await answers()).toEqual({ 'title-length': 'any', 'isbn-form': 'thirteen' });
    expect(await read('openapi.yaml')).toContain('settled: ten\n');
  });

  it('keeps a symbolic link to an overlay', async () => {
    await withOverlay(overlay.replace('./openapi', '../openapi'));
    await rename(join(folder, 'answers/library.yaml'), join(folder, 'answers/real.yaml'));
    await symlink('real.yaml', join(folder, 'answers/library.yaml'));
    expect(await settle('title-length=any')).toMatchObject({ code: 0 });
    expect((await lstat(join(folder, 'answers/library.yaml'))).isSymbolicLink()).toBe(true);
    expect(await answers()).toMatchObject({ 'title-length': 'any' });
  });

  it('settles an entry that both documents have in both', async () => {
    const shared = (file: string): string =>
      file.replace('x-unstated:', "x-unstated:\n        shared: { source: '9', question: Is it? }");
    await writeTree(folder, {
      'openapi.yaml': shared(openapi).replace(/^ {8}shared/mu, '    shared'),
      'asyncapi.yaml': shared(asyncapi)
        .replace(/^ {8}shared/mu, '          shared')
        .replace(/^ {10}shared/mu, '        shared'),
    });
    expect(await settle('shared=Yes.')).toMatchObject({ code: 0 });
    expect(await answers()).toEqual({ shared: 'Yes.' });
    for (const name of ['openapi', 'asyncapi'])
      expect(await read(`overlays/answers-${name}.yaml`)).toContain('settled: Yes.\n');
  });

  it('writes an answer that is not among the choices, with its value and meaning', async () => {
    const { code } = await settle(
      'same-delivery=by-status',
      '--value',
      '["$request.body#/status"]',
      '--meaning',
      'The same status.',
    );
    expect(code).toBe(0);
    const { out } = await runInProcess(folder, ['explain', 'notifications.0.dedupeBy']);
    expect(JSON.parse(out)).toEqual(['$request.body#/status']);
    // Another value replaces it, also where it has an answer.
    const again = ['--value', '["$request.body#"]', '--meaning', 'Equal content.'];
    expect(await settle('same-delivery=whole', ...again)).toMatchObject({ code: 0 });
    const after = await runInProcess(folder, ['explain', 'notifications.0.dedupeBy']);
    expect(JSON.parse(after.out)).toEqual(['$request.body#']);
  });

  it('shows the change and writes nothing with --dry-run', async () => {
    const before = await readTree(folder);
    const { code, out } = await settle('title-length=short', '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain("+  - target: $.info['x-unstated']['title-length']\n");
    expect(out).not.toContain('settled;');
    expect(await readTree(folder)).toEqual(before);
  });

  it('writes into the overlay that is named', async () => {
    expect(await settle('title-length=short', '--overlay', 'mine.yaml')).toMatchObject({ code: 0 });
    expect(await settle('isbn-form=ten', '--overlay', './mine.yaml')).toMatchObject({ code: 0 });
    expect(await read('mine.yaml')).toMatch(/extends: \.\/openapi\.yaml[^]*short[^]*ten/u);
    const refused = await settle('same-delivery=none', '--overlay', 'mine.yaml');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.error).toContain('mine.yaml changes openapi, and the entry is in asyncapi.');
  });

  describe('with exceptions of lint', () => {
    const exceptions = (list: string): string =>
      config.replace("['contract'],", `['contract'],\n  lint: { exceptions: [\n${list}  ] },`);
    const unbounded =
      "    { rule: 'redocly/operation-4xx-response', at: 'openapi#/paths', reason: 'None is stated.' },\n";
    const asked =
      "    // Asked.\n    { rule: 'entry-without-effect', at: 'openapi#/info/x-unstated/isbn-form', reason: 'Soon.' },\n";

    it('removes those that its answer makes unused', async () => {
      await writeTree(folder, { 'countersign.config.mjs': exceptions(unbounded + asked) });
      const { code, out } = await settle('isbn-form=ten');
      expect(code).toBe(0);
      expect(out).toContain("-    { rule: 'entry-without-effect'");
      expect(await read('countersign.config.mjs')).toContain(`[\n${unbounded}  ]`);
      const { error } = await runInProcess(folder, ['lint', '--json']);
      expect(error).not.toContain('unused-exception');
    });

    it('leaves one that was unused before', async () => {
      const unused = unbounded.replace('operation-4xx-response', 'security-defined');
      await writeTree(folder, { 'countersign.config.mjs': exceptions(unused + asked) });
      await settle('isbn-form=ten');
      expect(await read('countersign.config.mjs')).toContain(`[\n${unused}  ]`);
    });

    it('names one that the configuration computes', async () => {
      const computed = asked.replace(
        "'entry-without-effect'",
        "['entry', 'without', 'effect'].join('-')",
      );
      await writeTree(folder, { 'countersign.config.mjs': exceptions(computed) });
      const before = await settle('isbn-form=ten', '--dry-run', '--json');
      expect(JSON.parse(before.out).results[0].unusedExceptions).toMatchObject([
        { rule: 'entry-without-effect' },
      ]);
      const { code, out } = await settle('isbn-form=ten');
      expect(code).toBe(0);
      expect(out).toContain('remove the exception of `entry-without-effect`');
    });
  });

  it('gives programs what it did', async () => {
    const { out } = await settle('title-length=short', '--json');
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      results: [
        {
          dryRun: false,
          settled: [{ id: 'title-length', answer: 'short' }],
          unchanged: [],
          created: ['overlays/answers-openapi.yaml'],
          updated: ['countersign.config.mjs'],
          unusedExceptions: [],
        },
      ],
    });
  });

  it('prints no control characters of the contract', async () => {
    const { code, out } = await settle('who-reads=Only librarians.');
    expect(code).toBe(0);
    expect(out).not.toContain('\u001b');
  });

  it.each<[words: readonly string[], code: number, message: RegExp]>([
    [
      ['title-lenght=short'],
      2,
      /no entry of the ledger "title-lenght"\. Did you mean "title-length"\?/u,
    ],
    [
      ['title-length=shrt'],
      2,
      /no choice "shrt" of title-length\. Did you mean "short"\? Its choices are:\n {2}short {2}At most ten characters\.\n {2}any {4}As long/u,
    ],
    [['title-length=tall'], 2, /"tall" of title-length\. Its choices are:\n {2}short/u],
    [['title-length='], 2, /title-length requires an answer\. Its choices are:/u],
    [['title-length'], 2, /title-length requires an answer\./u],
    [['who-reads='], 2, /who-reads has no choices: answer it with a sentence/u],
    [
      ['title-length=any', 'title-length=short'],
      2,
      /two answers to title-length: "any" and "short"/u,
    ],
    [[], 2, /missing required argument/u],
    [
      ['same-delivery=own', '--value', '[]'],
      2,
      /--value of a new choice of same-delivery requires --meaning/u,
    ],
    [['same-delivery=own', '--meaning', 'x'], 2, /--meaning requires --value/u],
    [['same-delivery=own', '--value', '[', '--meaning', 'x'], 2, /--value is not valid JSON/u],
    [['same-delivery=none', '--value', '[]', '--meaning', 'x'], 2, /"none" is not/u],
    [['who-reads=own', '--value', '[]', '--meaning', 'x'], 2, /has no choices/u],
    [
      ['title-length=own', '--value', '1', '--meaning', 'x'],
      2,
      /No value of the contract is the answer to title-length/u,
    ],
    [
      ['same-delivery=own', 'isbn-form=x', '--value', '[]', '--meaning', 'x'],
      2,
      /one answer at a time/u,
    ],
    [
      ['same-delivery=own', '--value', '5', '--meaning', 'x'],
      1,
      /The choice "own" of "same-delivery" is not valid/u,
    ],
    [
      ['isbn-form=thirteen', 'title-length=short'],
      1,
      /"thirteen" to "isbn-form" requires the answer "any" to "title-length", which is settled as "short"/u,
    ],
    [['who-reads=x', '--overlay', '../x.yaml'], 2, /outside of the folder/u],
  ])('refuses %j, and writes nothing', async (words, code, message) => {
    const before = await readTree(folder);
    const refused = await settle(...words);
    expect(refused).toMatchObject({ code, out: '' });
    expect(refused.error).toMatch(message);
    expect(await readTree(folder)).toEqual(before);
  });

  it('corrects answers that contradict each other', async () => {
    await withOverlay(
      overlay
        .replace('./openapi', '../openapi')
        .replace(
          "who-reads: { settled: 'All.' }",
          'isbn-form: { settled: thirteen }\n      title-length: { settled: short }',
        ),
    );
    expect(await runInProcess(folder, ['unstated'])).toMatchObject({ code: 1 });
    expect(await settle('title-length=any')).toMatchObject({ code: 0 });
    expect(await answers()).toEqual({ 'isbn-form': 'thirteen', 'title-length': 'any' });
  });

  it('refuses to change an answer that two entries share', async () => {
    await withOverlay(
      overlay
        .replace('./openapi', '../openapi')
        .replace(
          "      who-reads: { settled: 'All.' } # said the librarian",
          '      who-reads: { settled: &same any }\n      title-length: { settled: *same }',
        ),
    );
    const before = await readTree(folder);
    const { code, error } = await settle('who-reads=Only librarians.');
    expect(code).toBe(1);
    expect(error).not.toBe('');
    expect(await readTree(folder)).toEqual(before);
  });

  it('says what to add to a configuration that it cannot change', async () => {
    await writeTree(folder, {
      'countersign.config.mjs': config.replace("'openapi.yaml'", "['openapi', 'yaml'].join('.')"),
    });
    const before = await readTree(folder);
    const { code, error } = await settle('title-length=short');
    expect(code).toBe(1);
    expect(error).toContain('Add "overlays/answers-openapi.yaml" to its `overlays`, and create');
    expect(error).toContain("target: $.info['x-unstated']['title-length']");
    expect(await readTree(folder)).toEqual(before);
  });

  it('does not overwrite an overlay that the configuration does not name', async () => {
    await writeTree(folder, { 'overlays/answers-openapi.yaml': 'mine\n' });
    const { code, error } = await settle('title-length=short');
    expect(code).toBe(1);
    expect(error).toContain('exists, and the configuration does not name it');
    expect(await read('overlays/answers-openapi.yaml')).toBe('mine\n');
  });

  it('states that a contract has no ledger', async () => {
    ({ folder } = await createProject());
    const { code, error } = await settle('title-length=short');
    expect(code).toBe(1);
    expect(error).toContain('The contract has no open questions');
  });
});
