import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Failure } from './suite-result.ts';

const script = fileURLToPath(new URL('run.ts', import.meta.url));

interface Run {
  readonly code: number;
  readonly out: string;
}

async function run(...options: readonly string[]): Promise<Run> {
  const args = ['--conditions=countersign-source', script, ...options];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return { code: 0, out: stdout };
  } catch (error) {
    const { code = -1, stdout = '' } = error as { code?: number; stdout?: string };
    return { code, out: `${stdout}${String(error)}` };
  }
}

test('public suites fail only where the list of expected failures says so', async () => {
  const { code, out } = await run();
  expect(out).not.toMatch(/not expected|any more|unknown reason/u);
  expect(code).toBe(0);
}, 600_000);

/** Suites of a few tests: a right schema, a refused one, a schema that the suite is wrong about, and a signature. */
async function writeSuites(folder: string): Promise<readonly string[]> {
  const tree: Readonly<Record<string, unknown>> = {
    'schemas/tests/draft2020-12/own.json': [
      {
        description: 'anchor',
        schema: { $defs: { a: { $anchor: 'node', type: 'integer' } }, $ref: '#node' },
        tests: [
          { description: 'right', data: 1, valid: true },
          { description: 'wrong', data: 'x', valid: true },
        ],
      },
      {
        description: 'refused',
        schema: { $ref: 'https://example.com/a' },
        tests: [{ description: 'any', data: 1, valid: true }],
      },
      { description: 'false', schema: false, tests: [{ description: 'x', data: 1, valid: false }] },
    ],
    'json/test_parsing/y_array.json': [],
    'json/test_parsing/n_array.json': [],
    ...Object.fromEntries(
      ['sha1', 'sha256', 'sha512'].map((hash) => [
        `wycheproof/testvectors_v1/hmac_${hash}_test.json`,
        {
          testGroups: [{ tagSize: 8, tests: [{ key: '00', msg: '', tag: '00', result: 'valid' }] }],
        },
      ]),
    ),
  };
  for (const [path, value] of Object.entries(tree)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), JSON.stringify(value));
  }
  return [
    `--json-schema-test-suite=${join(folder, 'schemas')}`,
    `--json-test-suite=${join(folder, 'json')}`,
    `--wycheproof=${join(folder, 'wycheproof')}`,
  ];
}

test('a missing entry, a superfluous entry and an unknown reason fail the run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-conformance-test-'));
  try {
    const options = await writeSuites(folder);
    const expected = join(folder, 'expected.json');
    const failuresOf = (suites: Readonly<Record<string, readonly Failure[]>>): Promise<void> =>
      writeFile(
        expected,
        JSON.stringify({
          reasons: { own: 'A reason.' },
          suites: Object.fromEntries(
            Object.entries(suites).map(([suite, failures]) => [
              suite,
              failures.map((failure) => ({ reason: 'own', ...failure })),
            ]),
          ),
        }),
      );
    const schemas: readonly Failure[] = [
      { case: 'own: anchor: wrong', outcome: 'wrong', tests: 1 },
      { case: 'own: refused', outcome: 'refused: remote-reference', tests: 1 },
    ];
    const texts: readonly Failure[] = [{ case: 'n_array.json', outcome: 'wrong', tests: 1 }];
    const tags = ['sha1', 'sha256', 'sha512'].flatMap((hash) =>
      ['node:crypto', 'WebCrypto'].map((by) => ({
        case: `hmac_${hash}_test.json, ${by}: valid tags of 8 bits`,
        outcome: 'wrong',
        tests: 1,
      })),
    );
    const exact = {
      'JSON-Schema-Test-Suite': schemas,
      JSONTestSuite: texts,
      Wycheproof: tags,
    };
    await failuresOf(exact);
    expect(await run(...options, `--expected=${expected}`)).toMatchObject({ code: 0 });

    await failuresOf({
      ...exact,
      'JSON-Schema-Test-Suite': schemas.slice(1),
      JSONTestSuite: [...texts, { case: 'y_array.json', outcome: 'refused: not-json', tests: 1 }],
      Wycheproof: tags.map((tag) => ({ ...tag, reason: 'none' })),
    });
    const differing = await run(...options, `--expected=${expected}`);
    expect(differing.code).toBe(1);
    expect(differing.out).toContain('  not expected: own: anchor: wrong (wrong, 1)\n');
    expect(differing.out).toContain(
      '  does not fail any more: y_array.json (refused: not-json, 1)\n',
    );
    expect(differing.out).toContain('  unknown reason: none\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);
