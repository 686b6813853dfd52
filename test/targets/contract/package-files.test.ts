import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { buildContract } from './contract-builder.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { emitFiles } from '../emit-project.ts';
import { buildPackage, emitPackage, type WrittenPackage } from './emit-package.ts';
import { zoo } from './zoo.ts';

const run = promisify(execFile);

let files: ReadonlyMap<string, string>;
let zooPackage: WrittenPackage;

beforeAll(async () => {
  files = await emitPackage(zoo);
  zooPackage = await buildPackage(zoo);
});

afterAll(() => zooPackage[Symbol.asyncDispose]());

function readJson(path: string): unknown {
  return JSON.parse(files.get(path) ?? '') as unknown;
}

describe('the package', () => {
  test('is what its manifest says', () => {
    expect(readJson('package.json')).toMatchObject({
      name: '@trade/contract',
      version: '4.5.6',
      description: 'What a zoo says about its animals.',
      license: 'MIT',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20.12' },
    });
    expect(readJson('package.json')).not.toHaveProperty('dependencies');
  });

  test('exports what it has, from the workspace and from the build', async () => {
    const script =
      `import * as contract from '@trade/contract';\n` +
      `import openapi from '@trade/contract/openapi.json' with { type: 'json' };\n` +
      `import ledger from '@trade/contract/unstated.json' with { type: 'json' };\n` +
      `import schemas from '@trade/contract/schemas.json' with { type: 'json' };\n` +
      `console.log(JSON.stringify([Object.keys(contract).length, openapi.openapi, ledger.length, schemas.$defs.Animal.title]));`;
    await writeFile(join(zooPackage.project, 'entry.mjs'), script);
    for (const conditions of [[], ['--conditions=countersign-source']]) {
      const { stdout } = await run(process.execPath, [...conditions, 'entry.mjs'], {
        cwd: zooPackage.project,
      });
      const values =
        3 * zoo.schemas.length +
        ['Diet', 'Mood', 'Floor', 'isKnownMood', 'isKnownFloor', 'ValidationError'].length;
      expect(JSON.parse(stdout)).toEqual([values, '3.1.2', 2, 'An animal.']);
    }
  });

  test('has a README whose example runs and whose text is the contract’s', async () => {
    const readme = files.get('README.md') ?? '';
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(example).toContain('isAnimal(received)');
    await writeFile(
      join(zooPackage.project, 'example.ts'),
      `${example}\nconsole.log(isAnimal(received));`,
    );
    const { stdout } = await run(process.execPath, ['example.ts'], { cwd: zooPackage.project });
    expect(stdout).toBe(' type must be of type object\ntrue\n');
    expect(readme).toContain('What a zoo says about its animals.');
    expect(readme).toContain('2 entries: 1 open, 0 assumed, 1 settled.');
    expect(readme).toContain("npx countersign settle 'entry=choice'\nnpx countersign generate\n");
    expect(readme).toContain('npx tsc -b ./generated/contract');
    const rows = readme
      .split('\n')
      .filter((line) => /^\| `(?:night-guard|feeding-time)`/.test(line));
    expect(rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))).toEqual([
      [
        '',
        '`night-guard`',
        'open',
        String.raw`Who is there \| at night?`,
        '',
        'option nightGuard',
        '3.2, 3.3',
        '',
      ],
      [
        '',
        '`feeding-time`',
        'settled',
        'When are they fed?',
        'noon: At twelve.',
        'documentation only',
        '3.1',
        '',
      ],
    ]);
  });

  test('carries the licence of the contract, where it is known to be MIT', async () => {
    expect(files.get('LICENSE')).toMatch(/^MIT License\n\nCopyright \(c\) the authors of Zoo\n/);
    const unlicensed = await emitPackage(buildContract([['A', true]]));
    expect(unlicensed.has('LICENSE')).toBe(false);
    expect(JSON.parse(unlicensed.get('package.json') ?? '')).not.toHaveProperty('license');
  });

  test('of a contract without schemas, ledger and documents can be imported', async () => {
    const empty = await buildPackage(buildContract([]));
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '-e', `console.log(Object.keys(await import('@trade/contract')))`],
      { cwd: empty.project },
    );
    expect(stdout).toBe("[ 'ValidationError' ]\n");
    await empty[Symbol.asyncDispose]();
  });

  test('is clean for the linter', async () => {
    const oxlint = fileURLToPath(
      new URL('../../../node_modules/oxlint/bin/oxlint', import.meta.url),
    );
    const configuration = {
      plugins: ['typescript', 'unicorn', 'oxc', 'import'],
      categories: { correctness: 'error', suspicious: 'error' },
      // Ajv writes them, and nobody reads them.
      ignorePatterns: ['runtime/validators.js'],
    };
    await writeFile(join(zooPackage.folder, 'lint.json'), JSON.stringify(configuration));
    const { stdout } = await run(process.execPath, [oxlint, '-c', 'lint.json', 'src', 'runtime'], {
      cwd: zooPackage.folder,
    });
    expect(stdout).toContain('Found 0 warnings and 0 errors.');
  });

  test('is the same, byte for byte, each time', async () => {
    expect([...(await emitPackage(zoo))]).toEqual([...files]);
  });
});

describe('the data files', () => {
  test('are written on request only, as the manifest and the README say', async () => {
    const data = (of: ReadonlyMap<string, string>): readonly string[] =>
      [...of.keys()].filter((path) => /^(?:\w+|workflows\/.*)\.json$/u.test(path)).toSorted();
    const own = ['package.json', 'tsconfig.json'];
    expect(data(files)).toEqual(
      [...own, 'openapi.json', 'schemas.json', 'unstated.json'].toSorted(),
    );
    const none = await emitPackage(zoo, { options: {} });
    expect(data(none)).toEqual(own);
    expect(none.get('package.json')).not.toContain('schemas.json');
    expect(none.get('README.md')).not.toContain('schemas.json');
    const one = await emitPackage(zoo, { options: { data: ['schemas', 'asyncapi'] } });
    expect(data(one)).toEqual([...own, 'schemas.json'].toSorted());
    expect(one.get('package.json')).toContain('"./schemas.json": "./schemas.json"');
  });

  test('have no indentation, and a line for each member of a schema', async () => {
    const emitted = await emitFiles(contractTarget, zoo);
    const lines = emitted.get('contract/schemas.json')?.split('\n') ?? [];
    expect(lines).toContain('"Cage":{');
    expect(lines).toContain('"type":"object",');
    expect(lines.filter((line) => /^\s/u.test(line))).toEqual([]);
    expect(lines.length).toBeLessThan(10 * zoo.schemas.length);
  });

  test('hold the ledger with the state of each entry', () => {
    expect(readJson('unstated.json')).toEqual([
      {
        id: 'feeding-time',
        state: 'settled',
        question: 'When are they fed?',
        source: ['3.1'],
        choices: [
          { name: 'morning', value: 'morning', meaning: 'At eight.' },
          { name: 'noon', value: '12:00', meaning: 'At twelve.' },
        ],
        settled: 'noon',
        pointer: 'openapi#/info/x-unstated/feeding-time',
        usedBy: [],
      },
      {
        id: 'night-guard',
        state: 'open',
        question: 'Who is there | at night?',
        remark: 'A guard must be.',
        source: ['3.2', '3.3'],
        choices: [],
        pointer: 'openapi#/info/x-unstated/night-guard',
        usedBy: ['openapi#/paths'],
      },
    ]);
  });

  test('hold a valid JSON Schema for every type, with its annotations', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    const schemas = readJson('schemas.json') as { readonly $defs: Record<string, object> };
    expect(schemas).toHaveProperty('$schema', 'https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys(schemas.$defs)).toEqual(zoo.schemas.map(({ typeName }) => typeName));
    expect(zoo.schemas).not.toEqual([]);
    for (const { typeName } of zoo.schemas) {
      const schema = { ...schemas, $ref: `#/$defs/${typeName}` };
      expect(() => ajv.compile(schema), typeName).not.toThrow();
    }
    expect(schemas.$defs).toMatchObject({
      Cage: {
        type: 'object',
        properties: { number: { type: 'integer' }, keeper: { $ref: '#/$defs/Keeper' } },
      },
      Mood: {
        'x-extensible-enum': ['calm', 'angry'],
        'x-enum-varnames': ['Calm', 'Angry'],
        'x-enum-descriptions': ['At ease.', 'Better not disturbed.'],
      },
      Animal: {
        'x-source': '2.1',
        properties: { diet: { $ref: '#/$defs/Diet', description: 'What it eats.' } },
      },
      Nothing: { not: {} },
    });
  });

  test('hold each schema once, even if all refer to one another', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `Node ${index}~/é%`);
    const toName = (index: number): string => names[index % names.length] ?? '';
    const toReference = (name: string): { readonly $ref: string } => ({
      $ref: `#/$defs/${name.replace('~', '~0').replace('/', '~1')}`,
    });
    const circle = buildContract(
      names.map((name, index) => [
        name,
        {
          description: `The node ${index}.`,
          type: 'object',
          properties: {
            next: toReference(toName(index + 1)),
            last: toReference(toName(index + names.length - 1)),
          },
          // As a document can have it; what is referred to there is a schema of the contract.
          $defs: { copy: { description: 'A copy.' } },
        },
      ]),
    );
    const emitted = await emitPackage(circle);
    const texts = [...emitted].filter(([path]) => path.endsWith('.json')).map(([, text]) => text);
    expect(circle.schemas).not.toEqual([]);
    for (const { definition } of circle.schemas) {
      const { description } = definition as { readonly description: string };
      const copies = texts.flatMap((text) => text.split(JSON.stringify(description)).slice(1));
      expect(copies, description).toHaveLength(1);
    }
    expect(texts.join()).not.toContain('A copy.');
    const ajv = new Ajv2020({ strict: false, logger: false });
    ajv.addSchema(JSON.parse(emitted.get('schemas.json') ?? '') as object, 'schemas.json');
    const validate = ajv.getSchema(
      `schemas.json#/$defs/${encodeURIComponent(circle.schemas[0]?.typeName ?? '')}`,
    );
    expect(validate?.({ next: { next: {} } })).toBe(true);
    expect(validate?.({ next: { next: 1 } })).toBe(false);
  });

  test('are as many for few schemas as for one', async () => {
    const count = async (names: readonly string[]): Promise<number> =>
      (await emitPackage(buildContract(names.map((name) => [name, { title: name }])))).size;
    expect(await count(['Ant', 'Bee', 'Cow', 'Dog'])).toBe(await count(['Ant']));
  });
});

describe('the types', () => {
  test('say in comments what the contract says', () => {
    const text = files.get('src/index.ts') ?? '';
    expect(text).toContain(
      '/**\n * An animal.\n *\n * Lives in the zoo.\n * Has a name.\n *\n * @see The Zoo Book, 2.1\n * @example { "name": "Leo", "diet": 1, "mood": "calm" }\n',
    );
    expect(text).toContain(
      '  /**\n   * Its name.\n   *\n   * `minLength: 1, maxLength: 10`\n   *\n   * @see The Zoo Book, 2.2\n   */\n  name: string;\n',
    );
    expect(text).toContain(
      '   * `format: int32, minimum: 0`\n   *\n   * @deprecated\n   */\n  legs?: number;\n',
    );
    expect(text).toContain('   * @example "2024-02-29T12:00:00-03:00"\n');
    expect(text).toContain('  /** What it eats. */\n  diet: Diet;\n');
    expect(files.get('src/index.ts')).toContain(
      '/** @deprecated */\nexport type Ticket = string | number;\n',
    );
    expect(files.get('src/index.ts')).toContain('  /** Better not disturbed. */\n  Angry: ');
  });

  test('of notifications without examples of their own show one of the notification', async () => {
    const example = {
      kind: 'example',
      pointer: 'asyncapi#',
      source: [],
      name: 'a',
      value: { shown: 1 },
    } as const;
    const notification = {
      kind: 'notification',
      pointer: 'asyncapi#',
      source: [],
      id: 'a',
      name: 'a',
      typeName: 'A',
      deprecated: false,
      tags: [],
      headers: [],
      representations: [
        {
          mediaType: 'application/json',
          schema: 'Body',
          examples: [example, { ...example, value: { shown: 2 } }],
          isRead: true,
        },
      ],
      successes: [],
      identifiedBy: [],
      identifiedByOrigin: 'derived',
      places: [],
      ambiguousWith: [],
      invalidExamples: [],
      security: [],
    } as const;
    const emitted = await emitPackage(
      buildContract([['Body', { type: 'object' }]], { notifications: [notification] }),
    );
    expect(emitted.get('src/index.ts')).toContain('"shown": 1');
    expect(emitted.get('src/index.ts')).not.toContain('"shown": 2');
    expect(emitted.get('README.md')).toContain('const received: unknown = { shown: 1 };');
  });
});

test('types of bodies of calls show the example of the call', async () => {
  const node = { pointer: 'openapi#', source: [] } as const;
  const example = { kind: 'example', ...node, name: 'a', value: { asked: 1 } } as const;
  const content = { mediaType: 'application/json', examples: [example] };
  const operation = {
    kind: 'operation',
    ...node,
    id: 'a',
    name: 'a',
    method: 'POST',
    path: '/a',
    deprecated: false,
    tags: [],
    parameters: [],
    requestBody: { required: true, content: [{ ...content, schema: 'Question' }, content] },
    responses: [
      {
        kind: 'response',
        ...node,
        status: '200',
        description: '',
        headers: [],
        content: [{ ...content, schema: 'Answer', examples: [{ ...example, value: { told: 2 } }] }],
      },
    ],
    security: [],
    servers: [],
  } as const;
  const schemas = [
    ['Question', { type: 'object' }],
    ['Answer', { type: 'object' }],
  ] as const;
  const emitted = await emitPackage(buildContract(schemas, { operations: [operation] }));
  expect(emitted.get('src/index.ts')).toContain('"asked": 1');
  expect(emitted.get('src/index.ts')).toContain('"told": 2');
});

test('the README lists the messages that no receiver takes', async () => {
  const { contract } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
channels:
  doors:
    address: doors|opened
    bindings: { kafka: {} }
    messages: { opened: { headers: { type: object }, payload: { type: object } } }
operations: { tell: { action: send, channel: { $ref: '#/channels/doors' } } }
`,
  });
  const readme = (await emitPackage(contract)).get('README.md') ?? '';
  const row = readme.split('\n').find((line) => line.startsWith('| `opened`'));
  expect(row?.replaceAll(/ +/gu, ' ')).toBe(
    '| `opened` | `tell` | the service | kafka | doors\\|opened | OpenedPayload, OpenedHeaders |',
  );
});
