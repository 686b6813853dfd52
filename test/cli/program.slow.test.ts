import { readFile, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTree } from '../output/tree.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { createProject, openapi } from './project.ts';
import { runInProcess } from './run-in-process.ts';
import { someOf } from '../some.ts';

const version = JSON.parse(
  await readFile(new URL('../../generator/package.json', import.meta.url), 'utf8'),
).version;

describe('the command line', () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ['--help'],
      ['Usage: countersign', 'generate', 'check', 'unstated', 'Examples:', '--config', '--json'],
    ],
    [
      ['generate', '--help'],
      ['Usage: countersign generate', 'Examples:', 'countersign generate --json', '--quiet'],
    ],
    [
      ['check', '-h'],
      ['Usage: countersign check', 'Examples:', 'package-lock.json', '--config <file>'],
    ],
    [
      ['unstated', '--help'],
      ['Usage: countersign unstated', 'Examples:', '--no-color'],
    ],
    [['--version'], [version]],
  ])('%j is answered on standard output', async (parameters, texts) => {
    const { countersign } = await createProject();
    const { code, out, error } = await countersign(...parameters);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    for (const text of texts) expect(out).toContain(text);
  });

  it.each<[readonly string[], string]>([
    [[], 'Usage: countersign'],
    [['genrate'], "unknown command 'genrate'\n(Did you mean generate?)"],
    [['generate', '--jsn'], "unknown option '--jsn'\n(Did you mean --json?)"],
    [['--quite', 'check'], "unknown option '--quite'\n(Did you mean --quiet?)"],
    [['check', 'more'], 'too many arguments'],
    [['check', '--config'], 'argument missing'],
    [['check', '--config', 'nowhere.json'], 'nowhere.json does not exist or cannot be read.'],
  ])('%j is misuse: 2, and what to do instead', async (parameters, text) => {
    const { countersign } = await createProject();
    const { code, out, error } = await countersign(...parameters);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(text);
    expect(error).not.toMatch(/^\s+at /m);
  });

  it('names the configuration file and every problem in it: 2', async () => {
    const { folder, countersign } = await createProject({
      'wrong.json': '{ "contract": {}, "scope": "@books", "ouput": "x", "targets": ["contact"] }',
    });
    const { code, error } = await countersign('generate', '--config', 'wrong.json');
    expect(code).toBe(2);
    expect(error).toBe(
      [
        `countersign: ${join(folder, 'wrong.json')} cannot be used:`,
        '  contract: must have `openapi`, `asyncapi` or both',
        '  ouput: unknown key; did you mean `output`?',
        '  output: is missing',
        '',
      ].join('\n'),
    );
  });

  it('names a target that there is not: 2', async () => {
    const { countersign } = await createProject({
      'wrong.json': JSON.stringify({
        contract: { openapi: 'openapi.yaml' },
        scope: '@books',
        output: 'generated',
        targets: ['contact'],
      }),
    });
    const { code, error } = await countersign('check', '--config', 'wrong.json');
    expect(code).toBe(2);
    expect(error).toContain('targets[0]: there is no target "contact"; did you mean "contract"?');
  });

  it('shows where a configuration of broken TypeScript was read from, not a stack', async () => {
    const { countersign } = await createProject({ 'broken.ts': 'export default {;' });
    const { code, error } = await countersign('check', '--config', 'broken.ts');
    expect(code).toBe(2);
    expect(error).toMatch(/broken\.ts cannot be used:\n {2}\S+broken\.ts:1:17: .+\n/);
    expect(error).toContain('  1 | export default {;\n    |                 ^\n');
    expect(error).not.toMatch(/^\s+at /m);
  });

  it('names the place of TypeScript that Node does not run, and of what a configuration throws', async () => {
    const { countersign } = await createProject({
      'enum.ts': 'const a = 1;\nenum B { c }\nexport default a;\n',
      'throws.ts': 'const a: number = 1;\nexport default { scope: a.b.c };\n',
    });
    const refused = await countersign('check', '--config', 'enum.ts');
    expect(refused.error).toMatch(/enum\.ts:2:1: .*enum/u);
    const thrown = await countersign('check', '--config', 'throws.ts');
    expect(thrown.error).toMatch(/throws\.ts:2:29: .*undefined.*\n.*\n {2}2 \| export/u);
  });

  it('points at `init` where there is no configuration', async () => {
    const folder = await temporaryFolder();
    const { code, error } = await runInProcess(folder, ['generate']);
    expect(error).toBe(
      `countersign: There is no countersign.config.ts (or .mts, .js, .mjs, .json) in ${folder}. Run \`countersign init\` to write one, or name another file with --config.\n`,
    );
    expect(code).toBe(2);
  });

  it('tells an unexpected error in one line, and its stack where it is asked for', async () => {
    const project = await createProject({
      'odd.mjs': `export default {
        get contract() { throw new RangeError('odd'); }, scope: '@a', output: 'o', targets: ['contract'],
      };`,
    });
    const quiet = await project.countersign('generate', '--config', 'odd.mjs');
    expect(quiet).toEqual({
      code: 70,
      out: '',
      error: 'countersign: internal error: odd (--verbose shows where)\n',
    });
    const verbose = await project.countersign('generate', '--config', 'odd.mjs', '--verbose');
    expect(verbose.error).toMatch(/RangeError: odd\n\s+at /);
    const debug = await project.run(['generate', '--config', 'odd.mjs'], {
      environment: { DEBUG: '1' },
    });
    expect(debug.error).toMatch(/RangeError: odd\n\s+at /);
  });

  it('prints no progress where no person watches, and plain lines with --verbose', async () => {
    const { folder, countersign } = await createProject();
    expect((await countersign('generate', '--verbose')).error).toBe(
      'reading the contract\nlowering the contract\ngenerating\nwriting\n',
    );
    await writeFile(join(folder, 'openapi.yaml'), openapi.replace('Books', 'More books'));
    expect(await countersign('generate')).toMatchObject({ code: 0, error: '' });
    await writeFile(join(folder, 'openapi.yaml'), openapi.replace('Books', 'Most books'));
    expect(await countersign('generate', '--quiet')).toEqual({ code: 0, out: '', error: '' });
  });

  it('reads named files twice, and prints each step of it once', async () => {
    const { countersign } = await createProject();
    const { code, error } = await countersign('generate', 'openapi.yaml', '--verbose');
    expect({ code, error }).toEqual({
      code: 0,
      error: 'reading the contract\nlowering the contract\ngenerating\nwriting\n',
    });
  });

  it.each(
    someOf<[string, readonly string[], Readonly<Record<string, string>>, boolean]>(3, [
      ['nothing said, into a pipe', [], {}, false],
      ['FORCE_COLOR', [], { FORCE_COLOR: '1' }, true],
      ['FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, false],
      ['NO_COLOR against FORCE_COLOR', [], { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
      ['an empty NO_COLOR', [], { FORCE_COLOR: '1', NO_COLOR: '' }, true],
      ['--no-color against FORCE_COLOR', ['--no-color'], { FORCE_COLOR: '1' }, false],
    ]),
  )('colours as asked: %s', async (_, flags, environment, colored) => {
    const { run } = await createProject({
      'openapi.yaml': openapi.replace('type: string', 'type: strng'),
    });
    const { error } = await run(['generate', ...flags], { environment });
    expect(error.includes('\u001b[')).toBe(colored);
  });

  it('survives a reader that goes away', async () => {
    const { folder } = await createProject();
    const script = fileURLToPath(new URL('../../generator/cli.ts', import.meta.url));
    const child = spawn(process.execPath, [script, 'generate'], { cwd: folder });
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await readTree(join(folder, 'generated'))).toHaveProperty('titles/book.js');
  });

  it('run twice at once leaves one whole output', async () => {
    const { folder, countersign } = await createProject();
    const runs = await Promise.all([
      countersign('generate'),
      countersign('generate'),
      countersign('generate'),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(Object.keys(await readTree(join(folder, 'generated')))).toEqual([
      '.manifest.json',
      'titles/book.js',
      'titles/package.json',
    ]);
    expect((await countersign('check')).code).toBe(0);
  });
});

describe('--json', () => {
  it('prints one document and nothing else: what generate did', async () => {
    const { folder, countersign } = await createProject();
    const { code, out, error } = await countersign('generate', '--json');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(JSON.parse(out)).toEqual({
      command: 'generate',
      ok: true,
      config: join(folder, 'countersign.config.mjs'),
      results: [
        {
          status: 'written',
          manager: 'npm',
          output: 'generated',
          changes: [
            { path: '.manifest.json', kind: 'create', from: [], where: [] },
            {
              path: 'titles/book.js',
              kind: 'create',
              from: ['openapi#/components/schemas/Book'],
              where: [{ file: 'openapi.yaml', line: 19, column: 5 }],
            },
            {
              path: 'titles/package.json',
              kind: 'create',
              from: ['openapi#/info'],
              where: [{ file: 'openapi.yaml', line: 2, column: 1 }],
            },
          ],
          diagnostics: [],
          packages: { added: ['titles'], removed: [] },
        },
      ],
    });
    expect(JSON.parse((await countersign('generate', '--json')).out)).toMatchObject({
      ok: true,
      results: [{ status: 'unchanged', changes: [] }],
    });
  });

  it('prints what check found', async () => {
    const { folder, countersign } = await createProject();
    await countersign('generate');
    await writeFile(join(folder, 'generated/titles/book.js'), 'mine\n');
    const { code, out, error } = await countersign('check', '--json');
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(JSON.parse(out)).toMatchObject({
      command: 'check',
      ok: false,
      results: [{ status: 'differs', changes: [{ path: 'titles/book.js', kind: 'edited' }] }],
    });
  });

  it('prints the problems of a contract', async () => {
    const { countersign } = await createProject({
      'openapi.yaml': openapi
        .replace('schemas/Book', 'schemas/Bok')
        .replace('info:', 'info:\n  x-countersign: 1'),
    });
    for (const command of ['generate', 'check', 'unstated']) {
      const { code, out, error } = await countersign(command, '--json');
      expect({ code, error }).toEqual({ code: 1, error: '' });
      expect(JSON.parse(out)).toMatchObject({
        ok: false,
        results: [
          {
            diagnostics: [
              { code: 'unresolved-reference', file: 'openapi.yaml', severity: 'error' },
            ],
          },
        ],
      });
    }
  });

  it('prints why the output could not be written', async () => {
    const { folder, countersign } = await createProject();
    await writeFile(join(folder, 'generated'), 'a file\n');
    const { code, out, error } = await countersign('generate', '--json');
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      results: [{ status: 'failed', error: { code: 'not-writable' } }],
    });
  });

  it.each<[readonly string[], object]>([
    [['genrate', '--json'], { code: 'usage' }],
    [['--json'], { code: 'usage' }],
    [['check', '--json', '--config', 'nowhere.json'], { code: 'config-not-found' }],
  ])('prints misuse: %j', async (parameters, problem) => {
    const { countersign } = await createProject();
    const { code, out, error } = await countersign(...parameters);
    expect({ code, error }).toEqual({ code: 2, error: '' });
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: problem });
  });
});

describe('countersign unstated', () => {
  const ledger = {
    'openapi.yaml': openapi.replace(
      'paths:',
      `  x-countersign: 1
  x-unstated:
    isbn-form:
      source: '1.2'
      question: Which form does an ISBN have?
      choices:
        ten: { meaning: ten digits, actions: [{ target: $.components.schemas.Book, update: { maxProperties: 10 } }] }
        thirteen:
          meaning: thirteen digits
          actions: [{ target: "$.components.schemas['Book'].properties.title", remove: true }]
      assumed: thirteen
    who-reads:
      source: ['2', '3']
      documentation: true
      question: Who reads the books, and when, and where, and for how long, and in which of the languages that the library has?
    how-long:
      source: '4'
      question: How long is a book kept?
      choices: { week: seven days, month: thirty days }
      settled: month
    who-pays:
      source: '5'
      question: Who pays?
      settled: The city pays.
paths:`,
    ),
  };

  it('lists each question, where it stands, and its state', async () => {
    const { countersign } = await createProject(ledger);
    const { code, out } = await countersign('unstated');
    expect(code).toBe(0);
    expect(out).toContain(
      [
        'The answers to these entries change the contract or its code:\n',
        'isbn-form  assumed: thirteen',
        '  Which form does an ISBN have?',
        '  choices  ten: ten digits',
        '           thirteen: thirteen digits',
        '  changes  schema Book; member Book.title',
        '  at       openapi.yaml:7, source 1.2',
        '  settle   countersign settle isbn-form=<choice>\n\n',
      ].join('\n'),
    );
    expect(out).toContain(
      [
        'These entries are documentation only:\n',
        'who-reads  open',
        '  Who reads the books, and when, and where, and for how long, and in which of',
        '  the languages that the library has?',
        '  at       openapi.yaml:16, source 2, 3',
        "  settle   countersign settle who-reads='<sentence>'\n\n",
      ].join('\n'),
    );
    expect(out).toContain('how-long  settled: month\n');
    expect(out).toContain('who-pays  settled\n  Who pays?\n  answer   The city pays.\n');
    expect(out).toContain('4 entries: 1 open, 1 assumed, 2 settled');
  });

  describe('with questions that lose something', () => {
    const risky = {
      'openapi.yaml': ledger['openapi.yaml'].replace(
        '      question: Who reads',
        '      risk: { loses: messages, because: "Nobody \\e[31mreads." }\n      question: Who reads',
      ),
    };

    it('begins with them, and shows the others shortly', async () => {
      const { countersign } = await createProject(risky);
      const { out } = await countersign('unstated');
      expect(out).toMatch(/^Before you go live:\n\nwho-reads {2}open\n/u);
      expect(out).toContain('  loses    messages: Nobody \ufffd[31mreads.\n');
      expect(out).toContain('isbn-form  assumed\n  Which form does an ISBN have?\n');
      expect(out).not.toContain('ten digits');
      expect(out.match(/who-reads {2}/gu)).toHaveLength(1);
      expect(out).toContain('With --verbose, each entry is shown');
    });

    it('shows all of it with --verbose', async () => {
      const { countersign } = await createProject(risky);
      const { out } = await countersign('unstated', '--verbose');
      expect(out).toMatch(/^Before you go live:\n/u);
      expect(out).toContain('  choices  ten: ten digits\n');
      expect(out).not.toContain('With --verbose');
    });

    it('gives machines the risk', async () => {
      const { countersign } = await createProject(risky);
      const { out } = await countersign('unstated', '--json');
      expect(JSON.parse(out).results[0].unstated).toContainEqual(
        expect.objectContaining({
          id: 'who-reads',
          risk: { loses: 'messages', because: 'Nobody \u001b[31mreads.' },
        }),
      );
    });
  });

  it('gives machines all of it', async () => {
    const { countersign } = await createProject(ledger);
    const { out } = await countersign('unstated', '--json');
    const entries: readonly unknown[] = JSON.parse(out).results[0].unstated;
    expect(entries).toHaveLength(4);
    expect(entries).toContainEqual({
      id: 'isbn-form',
      state: 'assumed',
      question: 'Which form does an ISBN have?',
      source: ['1.2'],
      choices: [
        {
          name: 'ten',
          value: 'ten',
          meaning: 'ten digits',
        },
        {
          name: 'thirteen',
          value: 'thirteen',
          meaning: 'thirteen digits',
        },
      ],
      assumed: 'thirteen',
      changes: ['schema Book', 'member Book.title'],
      command: 'countersign settle isbn-form=<choice>',
      file: 'openapi.yaml',
      line: 7,
      column: 5,
    });
  });

  it('writes nothing', async () => {
    const { folder, countersign } = await createProject(ledger);
    const before = await readTree(folder);
    await countersign('unstated');
    expect(await readTree(folder)).toEqual(before);
  });
});
