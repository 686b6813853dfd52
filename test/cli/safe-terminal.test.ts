import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { safeTerminal } from '../../generator/cli/safe-terminal.ts';
import type { Terminal } from '../../generator/cli/terminal.ts';
import { createPaint, paintStyles } from '../../generator/diagnostics/paint.ts';
import { serveDocuments } from '../packages/pull/document-server.ts';
import { runInProcess } from './run-in-process.ts';

function write(
  text: string,
  { isTerminal = false, color = true }: { isTerminal?: boolean; color?: boolean } = {},
): readonly string[] {
  const written: string[] = [];
  const terminal: Terminal = {
    folder: '/',
    environment: {},
    outIsTerminal: isTerminal,
    errorIsTerminal: isTerminal,
    columns: 80,
    out: (part) => written.push(part),
    error: (part) => written.push(part),
  };
  const safe = safeTerminal(terminal, color);
  safe.out(text);
  safe.error(text);
  return written;
}

it.each([
  ['a sequence', 'a\u001B]0;title\u0007b', 'a\uFFFD]0;title\uFFFDb'],
  ['an eight-bit sequence', '\u009B31m', '\uFFFD31m'],
  ['another order of characters', 'a\u202Eb\u2066', 'a\uFFFDb\uFFFD'],
  ['a line that is written again', 'ok\rno\b', 'ok\uFFFDno\uFFFD'],
  [
    'a command of Azure Pipelines',
    'a ##vso[task.prependpath]/b',
    'a #\uFFFDvso[task.prependpath]/b',
  ],
  [
    'a command of TeamCity',
    "##teamcity[setParameter name='a']",
    "#\uFFFDteamcity[setParameter name='a']",
  ],
  ['an old command of GitHub Actions', 'a\n##[set-output]b', 'a\n#\uFFFD[set-output]b'],
  [
    'commands of GitHub Actions',
    'a\n \u00A0::set-output name=a::b',
    'a\n \u00A0:\uFFFDset-output name=a::b',
  ],
  ['a heading and an address', '## a\n::1 a::b', '## a\n::1 a::b'],
  ['lines, tabs and other scripts', 'a\r\n\tb\n日本 👩‍💻', 'a\r\n\tb\n日本 👩‍💻'],
])('writes %s as text', (_, text, shown) => {
  for (const isTerminal of [false, true])
    expect(write(text, { isTerminal })).toEqual([shown, shown]);
});

it('writes its own styles to a terminal with colours, and no other sequence', () => {
  const paint = createPaint(true);
  const own = paintStyles.map((style) => paint(style, 'a')).join('');
  const text = `${own}${paint('bold', paint('green', 'b'))}\u001B[8mhidden\n`;
  const shown = text.replace('\u001B[8m', '\uFFFD[8m');
  expect(write(text, { isTerminal: true })).toEqual([shown, shown]);
  const [plain = ''] = write(text, { isTerminal: true, color: false });
  expect(plain).not.toContain('\u001B');
  expect(write(text)).toEqual([plain, plain]);
});

it('empties the line of the progress on a terminal alone', () => {
  const line = '\r\u001B[2Kreading';
  expect(write(line, { isTerminal: true })[1]).toBe(line);
  expect(write(line)[1]).toBe('\uFFFD\uFFFD[2Kreading');
  expect(write(`x${line}`, { isTerminal: true })[1]).toBe('x\uFFFD\uFFFD[2Kreading');
});

const attack = '\u001B]0;owned\u0007\u001B[2J';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-terminal-'));
  const config = {
    contract: { asyncapi: 'asyncapi.yaml' },
    scope: '@shop',
    output: 'generated',
    targets: ['contract', 'webhooks'],
  };
  await writeFile(join(folder, 'countersign.config.json'), JSON.stringify(config));
});
afterAll(() => rm(folder, { recursive: true }));

const asyncapi = `asyncapi: 3.0.0
info: { title: "T\\e]0;owned\\a", version: 1.0.0 }
channels:
  c:
    address: /c
    messages:
      paid:
        payload: { type: object }
        examples: [{ name: "one\\e]0;owned\\a", payload: { id: 1 } }]
operations:
  tell: { action: send, channel: { $ref: '#/channels/c' } }
`;

it.each<[string, readonly string[]]>([
  ['the names of examples', ['send', 'paid', '--to', 'http://127.0.0.1:9', '--example', 'two']],
  ['the words of an explanation', ['explain', 'paid']],
  ['an unknown name', ['explain', attack]],
  ['an option', [`--${attack}`]],
])('no sequence of a document or argument reaches the terminal: %s', async (_, parameters) => {
  await writeFile(join(folder, 'asyncapi.yaml'), asyncapi);
  for (const verbose of [[], ['--verbose']]) {
    const { out, error } = await runInProcess(folder, [...parameters, ...verbose]);
    expect(out + error).not.toBe('');
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(out + error).not.toMatch(/[\u0007\u001B\u009B]/u);
  }
});

it('no text of a document is a command in the log of a CI service', async () => {
  const mark = String.raw`\n::set-output name=a::b\n##vso[task.prependpath]/tmp`;
  const document = asyncapi
    .replace(String.raw`T\e]0;owned\a`, `T${mark}`)
    .replace(
      'payload: { type: object }',
      `description: "D${mark}"\n        payload: { type: object }`,
    );
  await writeFile(join(folder, 'asyncapi.yaml'), document);
  for (const parameters of [['explain', 'paid'], ['lint'], ['generate'], ['unstated']]) {
    for (const flags of [[], ['--verbose'], ['--json']]) {
      const { out, error } = await runInProcess(folder, [...parameters, ...flags]);
      expect(out + error).not.toMatch(/^\s*::[a-z]|##(?:vso)?\[/mu);
    }
  }
  const { out } = await runInProcess(folder, ['explain', 'paid', '--json']);
  expect(JSON.stringify(JSON.parse(out))).toContain('##vso[task.prependpath]/tmp');
});

it('no sequence of a fetched document reaches the terminal', async () => {
  const keys = Array.from({ length: 3 }, (_, index) => `k${index}: 1\n`).join('');
  await using server = await serveDocuments({
    '/a.yaml': `openapi: 3.1.0\n"a\\e[31mRED\\a": !<[31mtag\u0007\u001B[2J> x\n${keys}k2: 1\n`,
    '/b.yaml': `openapi: 3.1.0\n"a\\e[31mRED": 1\n"a\\e[31mRED": 1\n`,
    '/c.yaml': `openapi: 3.1.0\n%\u001B[31m\u0007: x\n- y\n`,
  });
  for (const name of ['a', 'b', 'c']) {
    const address = `${server.origin}/${name}.yaml`;
    const { out, error } = await runInProcess(folder, ['pull', address, '--allow-private']);
    expect(out + error).toContain('countersign: Nothing was written');
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(out + error).not.toMatch(/[\u0007\u001B\u009B]/u);
  }
});
