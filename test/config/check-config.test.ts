import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../generator/config/check-config.ts';
import type { Config } from '../../generator/config/config.ts';
import { oneOf, type SettingCheck } from '../../generator/diagnostics/setting-checks.ts';
import { ConfigError } from '../../generator/diagnostics/config-error.ts';

const validConfig: Config = {
  contract: { openapi: 'api/openapi.yaml' },
  scope: '@acme',
  output: 'generated',
  targets: ['contract'],
};
const customTarget = { name: 'own', requires: [], fingerprint: [], emit: () => [] };

async function problemsOf(value: unknown): Promise<readonly string[]> {
  try {
    await checkConfig(value, 'countersign.config.json');
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ member, message }) => `${member}: ${message}`);
  }
}

const circular: { self?: object } = {};
circular.self = circular;

const isEven: SettingCheck = (value, at) => {
  if (typeof value !== 'number' || value % 2 !== 0) at.report('must be even');
};

describe('a configuration', () => {
  it.each<[string, unknown]>([
    ['with one document', validConfig],
    [
      'with both documents, overlays and workflows',
      {
        ...validConfig,
        contract: { openapi: 'a', asyncapi: 'b', overlays: ['c'], workflows: ['d'] },
      },
    ],
    [
      'with everything said',
      {
        ...validConfig,
        version: '1.2.3-rc.1+5',
        perspective: 'integrator',
        budgets: { maxDepth: 9 },
      },
    ],
    [
      'with a part of the contract chosen',
      {
        ...validConfig,
        include: { tags: ['books'], paths: ['/books/**'] },
        exclude: { operations: ['get /old'], events: ['book.*'] },
      },
    ],
    [
      'with what registries need',
      {
        ...validConfig,
        packageJson: {
          repository: { url: 'git+ssh://git@git.example/acme/orders.git', directory: 'generated' },
          author: { name: 'Acme', email: 'orders@acme.example', url: 'https://acme.example' },
          homepage: 'https://acme.example/orders',
          keywords: ['orders'],
          publishConfig: { access: 'restricted', registry: 'https://registry.example/npm/' },
        },
      },
    ],
    [
      'with a short repository',
      { ...validConfig, packageJson: { repository: 'github:acme/orders' } },
    ],
    [
      'with types of texts by format',
      {
        ...validConfig,
        formats: {
          uuid: 'Uuid',
          email: '`${string}@${string}`',
          iban: { type: 'Iban', from: '@acme/money/iban' },
        },
      },
    ],
    [
      'with types of texts from the application around it',
      {
        ...validConfig,
        layout: 'folder',
        formats: { iban: { type: 'Iban', from: './src/iban.ts' } },
      },
    ],
    [
      'with options of a target',
      {
        ...validConfig,
        targets: ['contract', { use: 'client', nestedArrays: 'brackets' }, { use: 'reference' }],
      },
    ],
    [
      'with options of a target of the user’s own',
      {
        ...validConfig,
        targets: [
          { use: { ...customTarget, options: { dates: oneOf('string') } }, dates: 'string' },
        ],
      },
    ],
    [
      'with an unknown target, which is reported later',
      { ...validConfig, targets: [{ use: 'x', y: 1 }] },
    ],
    ['without validators', { ...validConfig, targets: ['contract', 'client'], validators: false }],
    [
      'without packages',
      { ...validConfig, scope: undefined, layout: 'folder', importExtension: '.ts' },
    ],
    ['with a target of the user’s own', { ...validConfig, targets: ['contract', customTarget] }],
    ['with an output further down', { ...validConfig, output: './packages/generated/' }],
    ['beside a contract with a name that begins alike', { ...validConfig, output: 'api/open' }],
    ['that is a list', [validConfig, { ...validConfig, output: 'other' }]],
  ])('%s is taken', async (_, value) => {
    expect(await problemsOf(value)).toEqual([]);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['no object', 'text', [': must be an object, not "text"']],
    ['nothing', undefined, [': must be an object, not nothing']],
    ['an empty list', [], [': the list is empty']],
    [
      'the option of a target as a key',
      { ...validConfig, targets: ['reference', 'client'], nestedArrays: 'brackets', scope: 7 },
      [
        "nestedArrays: is an option of the target \"client\"; write `{ use: 'client', nestedArrays: 'brackets' }` in `targets`",
        'scope: must be an npm scope, such as `@acme`, not 7',
      ],
    ],
    [
      'the option of a target that is not in the configuration',
      [{ ...validConfig, targets: ['contract'], nestedArrays: 'repeat' }],
      [
        "[0].nestedArrays: is an option of the target \"client\"; write `{ use: 'client', nestedArrays: 'repeat' }` in `targets`",
      ],
    ],
    [
      'the option of a custom target as a key, and an unknown one',
      {
        ...validConfig,
        targets: [{ ...customTarget, options: { dates: oneOf('string', 'date') } }],
        dates: 'date',
        date: 1,
      },
      [
        'dates: is an option of the target "own"; write `{ use: own, dates: \'date\' }` in `targets`',
        expect.stringContaining('date: unknown key'),
      ],
    ],
    [
      'a misspelt option, and one with another value',
      {
        ...validConfig,
        targets: [
          { use: 'client', nestedArray: 'brackets' },
          { use: 'reference', nestedArrays: 'bracket' },
        ],
      },
      [
        'targets[0].nestedArray: unknown key; did you mean `nestedArrays`?',
        'targets[1].nestedArrays: must be `indices`, `brackets` or `repeat`, not "bracket"; did you mean `brackets`?',
      ],
    ],
    [
      'an option of a target that has none',
      { ...validConfig, targets: [{ use: 'openapi-types', nestedArrays: 'brackets' }] },
      ['targets[0].nestedArrays: unknown key; known keys: use'],
    ],
    [
      'data files and an entry that nobody has',
      {
        ...validConfig,
        targets: [
          { use: 'contract', data: ['raml'] },
          { use: 'webhooks', deviations: 'all' },
        ],
      },
      [
        'targets[0].data[0]: must be `openapi`, `asyncapi`, `workflows`, `schemas` or `unstated`, not "raml"',
        'targets[1].deviations: must be `true` or `false`, not "all"',
      ],
    ],
    [
      'options that are not data',
      {
        ...validConfig,
        targets: [
          { use: { ...customTarget, options: { a() {}, b() {} } }, a: () => 1, b: { c: 1n } },
        ],
      },
      [
        'targets[0].a: must be data: text, numbers, booleans, lists and objects of them',
        'targets[0].b: must be data: text, numbers, booleans, lists and objects of them',
      ],
    ],
    [
      'options whose JSON text does not represent them',
      {
        ...validConfig,
        targets: [
          {
            use: {
              ...customTarget,
              options: Object.fromEntries('abcdef'.split('').map((key) => [key, () => undefined])),
            },
            a: /x/u,
            b: [new Map([[1, 2]])],
            c: new Date(0),
            d: Number.NaN,
            e: circular,
            f: { list: [null, 1, { text: 'x', unset: undefined }] },
          },
        ],
      },
      'abcde'
        .split('')
        .map(
          (option) =>
            `targets[0].${option}: must be data: text, numbers, booleans, lists and objects of them`,
        ),
    ],
    [
      'targets whose checks are not functions, or for a name that is not free',
      {
        ...validConfig,
        targets: [
          { use: { ...customTarget, options: { a: 'x' } }, a: 1 },
          { ...customTarget, name: 'second', options: [] },
          { use: { ...customTarget, name: 'third', options: { use: () => undefined } }, b: 1 },
        ],
      },
      [
        'targets[0].use.options: must be an object of functions',
        'targets[1].options: must be an object of functions',
        'targets[2].use.options.use: is the name of the member for the target',
      ],
    ],
    [
      'a value that the check of a custom target does not accept, beside other problems',
      {
        ...validConfig,
        output: '/',
        targets: [
          { use: { ...customTarget, options: { size: isEven } }, size: 3 },
          { use: 'client', nestedArrays: 1 },
        ],
      },
      [
        'output: paths are relative to the configuration file',
        'targets[0].size: must be even',
        'targets[1].nestedArrays: must be `indices`, `brackets` or `repeat`, not 1',
      ],
    ],
    [
      'a target with and without options',
      { ...validConfig, targets: ['client', { use: 'client', nestedArrays: 'repeat' }] },
      ['targets[1]: "client" is listed twice'],
    ],
    [
      'a receiver with options and no validators',
      { ...validConfig, targets: [{ use: 'webhooks' }], validators: false },
      ['validators: "webhooks" requires validators; remove the target or this setting'],
    ],
    [
      'an empty object',
      {},
      ['contract: is missing', 'output: is missing', 'targets: is missing', 'scope: is missing'],
    ],
    [
      'a misspelt key',
      { ...validConfig, ouput: 'x' },
      ['ouput: unknown key; did you mean `output`?'],
    ],
    [
      'a key like no other',
      { ...validConfig, contract: { ...validConfig.contract, zzzzzzzz: 'x' } },
      [
        'contract.zzzzzzzz: unknown key; known keys: openapi, asyncapi, overlays, workflows, folder',
      ],
    ],
    [
      'a key that every object has',
      JSON.parse(JSON.stringify(validConfig).replace('{', '{"__proto__":1,"constructor":2,')),
      [
        expect.stringContaining('__proto__: unknown key'),
        expect.stringContaining('constructor: unknown key'),
      ],
    ],
    [
      'no document',
      { ...validConfig, contract: {} },
      ['contract: must have `openapi`, `asyncapi` or both'],
    ],
    [
      'a number for a path',
      { ...validConfig, contract: { openapi: 1 } },
      ['contract.openapi: must be a path, not 1'],
    ],
    [
      'a document on the network',
      { ...validConfig, contract: { openapi: 'https://example.org/a.yaml' } },
      ['contract.openapi: must be a file; nothing is read from the network'],
    ],
    [
      'an absolute path',
      { ...validConfig, output: '/tmp/x' },
      ['output: paths are relative to the configuration file'],
    ],
    [
      'a drive',
      { ...validConfig, output: 'c:x' },
      ['output: paths are relative to the configuration file'],
    ],
    [
      'a backslash',
      { ...validConfig, output: 'a\\b' },
      ['output: paths are written with `/` on every system'],
    ],
    [
      'a scope without @',
      { ...validConfig, scope: 'acme' },
      ['scope: must be an npm scope, such as `@acme`, not "acme"'],
    ],
    [
      'a scope with a slash',
      { ...validConfig, scope: '@a/b' },
      [expect.stringContaining('scope: must be an npm scope')],
    ],
    [
      'a hostile scope',
      { ...validConfig, scope: '@a"; alert(1)' },
      [expect.stringContaining('scope: must be an npm scope')],
    ],
    ['no target', { ...validConfig, targets: [] }, ['targets: must name at least one target']],
    [
      'a target that is not a name',
      { ...validConfig, targets: ['../x'] },
      [expect.stringContaining('targets[0]: must be a name')],
    ],
    [
      'a target twice',
      { ...validConfig, targets: ['contract', 'contract'] },
      ['targets[1]: "contract" is listed twice'],
    ],
    [
      'half a target',
      { ...validConfig, targets: [{ name: 'own' }] },
      [
        'targets[0].requires: must be a list, not nothing',
        'targets[0].fingerprint: must be a list, not nothing',
        'targets[0].emit: must be a function',
      ],
    ],
    [
      'no version',
      { ...validConfig, version: '1.0' },
      [expect.stringContaining('version: must be a semantic version')],
    ],
    [
      'an unknown perspective',
      { ...validConfig, perspective: 'client' },
      ['perspective: must be `service` or `integrator`, not "client"'],
    ],
    [
      'a perspective misspelt, and a layout that is not a text',
      { ...validConfig, perspective: 'integrater', layout: 1 },
      [
        'perspective: must be `service` or `integrator`, not "integrater"; did you mean `integrator`?',
        'layout: must be `packages` or `folder`, not 1',
      ],
    ],
    [
      'a misspelt budget and an endless one',
      { ...validConfig, budgets: { maxNode: 1, nodes: 1, maxDepth: Infinity } },
      [
        'budgets.maxNode: unknown key; did you mean `maxNodes`?',
        'budgets.nodes: unknown key; known keys: maxFileBytes, maxTotalBytes, maxNodes, maxDepth, maxAliases, maxEnumerationValues',
        'budgets.maxDepth: must be a positive integer, not Infinity',
      ],
    ],
    [
      'types that no text has',
      {
        ...validConfig,
        formats: { 'date-time': 'Date', int64: 'bigint', uri: 'URL', uuid: 'string & {}' },
      },
      [
        'formats["date-time"]: the value stays a string and never becomes a `Date`; choose another type name',
        expect.stringContaining('formats["int64"]: must be a name such as `Uuid`'),
        expect.stringContaining('never becomes a `URL`'),
        expect.stringContaining('formats["uuid"]: must be a name such as `Uuid`'),
      ],
    ],
    [
      'templates that are more than a template',
      { ...validConfig, formats: { a: '`x` | Date', b: '`${Date}`', c: '`${string}', d: '``' } },
      ['a', 'b', 'c', 'd'].map((name) =>
        expect.stringContaining(`formats["${name}"]: must be a name`),
      ),
    ],
    [
      'half a type, one that is not a name, and a path out of a package',
      {
        ...validConfig,
        formats: {
          a: { type: 'A' },
          b: { type: 'B; alert(1)', from: '@acme/b' },
          c: { type: 'C', from: './c.ts' },
          d: { type: 'D', from: "d'; alert(1)" },
        },
      },
      [
        'formats["a"].from: is missing',
        'formats["b"].type: must be the name of an exported type, not "B; alert(1)"',
        'formats["c"].from: packages can import only packages; a path requires `layout: \'folder\'`',
        expect.stringContaining('formats["d"].from: must be a package, or a path'),
      ],
    ],
    [
      'receivers that could not check what they receive',
      { ...validConfig, targets: ['contract', 'webhooks-express', 'webhooks'], validators: false },
      ['validators: "webhooks-express" requires validators; remove the target or this setting'],
    ],
    [
      'validators that are neither there nor not',
      { ...validConfig, validators: 'none' },
      ['validators: must be `true` or `false`, not "none"'],
    ],
    [
      'an unknown layout, and endings of imports in packages',
      { ...validConfig, layout: 'flat', importExtension: '.mjs' },
      [
        'layout: must be `packages` or `folder`, not "flat"',
        'importExtension: must be `.js` or `.ts`, not ".mjs"; did you mean `.js`?',
        "importExtension: requires `layout: 'folder'`",
      ],
    ],
    [
      'a choice by something else',
      { ...validConfig, include: { tag: ['books'] } },
      ['include.tag: unknown key; did you mean `tags`?'],
    ],
    [
      'a choice of nothing',
      { ...validConfig, include: {}, exclude: { tags: [] } },
      [
        'include: must have `paths`, `tags`, `operations` or `events`',
        'exclude.tags: must have at least one name',
      ],
    ],
    [
      'a choice that is not a list of names',
      { ...validConfig, include: { tags: 'books' }, exclude: { events: [''] } },
      ['include.tags: must be a list, not "books"', 'exclude.events[0]: must be a name, not ""'],
    ],
    [
      'an output outside',
      { ...validConfig, output: 'a/../../b' },
      ['output: "a/../../b" is outside the configuration\'s folder'],
    ],
    [
      'the folder itself as output',
      { ...validConfig, output: '.' },
      ["output: must be a separate folder in the configuration's folder"],
    ],
    [
      'an output among dependencies',
      { ...validConfig, output: 'node_modules/x' },
      [expect.stringContaining('another tool')],
    ],
    [
      'an output that holds the contract',
      { ...validConfig, output: 'api' },
      ['output: "api" contains "api/openapi.yaml", which is not generated'],
    ],
    [
      'an output that is the contract',
      { ...validConfig, output: './api/openapi.yaml' },
      [expect.stringContaining('contains "api/openapi.yaml"')],
    ],
    [
      'two outputs that are one',
      [validConfig, { ...validConfig, output: './Generated' }],
      ['[1].output: "./Generated" and [0].output overlap; use separate folders'],
    ],
    [
      'an output in another',
      [{ ...validConfig, output: 'generated/inner' }, validConfig],
      ['[1].output: "generated" and [0].output overlap; use separate folders'],
    ],
    [
      "an output that holds another's contract",
      [
        validConfig,
        { ...validConfig, contract: { openapi: 'generated/openapi.yaml' }, output: 'other' },
      ],
      ['[0].output: contains "generated/openapi.yaml", which is not generated'],
    ],
  ])('is refused, with everything that is wrong named: %s', async (_, value, problems) => {
    expect(await problemsOf(value)).toEqual(problems);
  });
});

it.each<[string, unknown, string, string]>([
  [
    'a password in a URL',
    { repository: { url: 'https://user:secret@git.example/orders' } },
    'repository.url',
    'must not contain a password or token',
  ],
  [
    'a password with @ in a URL',
    { homepage: 'https://user:se@cret@git.example/orders' },
    'homepage',
    'must not contain a password or token',
  ],
  [
    'a token as the user of a URL',
    { publishConfig: { registry: 'https://secret@npm.example/' } },
    'publishConfig.registry',
    'must not contain a password or token',
  ],
  ['a path of a URL', { homepage: '/orders' }, 'homepage', 'must be a URL, not "/orders"'],
  [
    'a token, which belongs to .npmrc',
    { publishConfig: { _authToken: 'secret' } },
    'publishConfig._authToken',
    'unknown key; known keys: access, registry, tag, provenance',
  ],
  [
    'a misspelled access',
    { publishConfig: { access: 'private' } },
    'publishConfig.access',
    'must be `public` or `restricted`, not "private"',
  ],
  [
    'a folder outside',
    { repository: { url: 'https://git.example/a', directory: '/a' } },
    'repository.directory',
    'paths are relative',
  ],
  ['one keyword', { keywords: 'orders' }, 'keywords', 'must be a list'],
])('refuses what registries do not need: %s', async (_, packageJson, member, message) => {
  expect(await problemsOf({ ...validConfig, packageJson })).toEqual([
    expect.stringContaining(`packageJson.${member}: ${message}`),
  ]);
});

it('refuses what registries need where there are no packages', async () => {
  const { scope: _, ...folder } = validConfig;
  expect(await problemsOf({ ...folder, layout: 'folder', packageJson: {} })).toEqual([
    "packageJson: requires packages, which `layout: 'folder'` does not have",
  ]);
});
