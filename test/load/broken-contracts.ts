import type { ContractFiles } from '../../generator/load/contract-files.ts';
import type { DiagnosticCode } from '../../generator/diagnostics/catalogue.ts';
import type { Budgets } from '../../generator/load/budgets.ts';
import { asyncapiWith, openapiWith } from './write-contract.ts';

/** A contract with problems of reading, and where they are. */
export interface BrokenContract {
  readonly name: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly contract?: ContractFiles;
  readonly budgets?: Partial<Budgets>;
  /** `code file:line:column`, all of them, in order. */
  readonly expected: readonly `${DiagnosticCode} ${string}:${number}:${number}`[];
  /** What the messages and helps together have to say. */
  readonly says?: RegExp;
}

const string = openapiWith('type: string');
const paths =
  'openapi: 3.1.2\ninfo: { title: A, version: 1.0.0 }\npaths:\n  /a:\n    get:\n      responses:\n';

/** An Arazzo document with a workflow of one step and the steps given. */
function workflows(more = ''): string {
  return `arazzo: 1.1.0
info: { title: Flows, version: 1.0.0 }
sourceDescriptions:
  - { name: a, type: openapi, url: openapi.yaml }
workflows:
  - { workflowId: a, steps: [{ stepId: list, operationId: listBooks }${more}] }
`;
}

/** Contracts that break what reading them checks, and valid ones that look alike. */
export const brokenContracts: readonly BrokenContract[] = [
  {
    name: 'a valid OpenAPI document has no problem',
    files: { 'openapi.yaml': string },
    expected: [],
  },
  {
    name: 'a valid AsyncAPI document has no problem',
    files: { 'asyncapi.yaml': asyncapiWith('type: string') },
    expected: [],
  },

  {
    name: 'a licence with nothing but a name has no problem',
    files: {
      'openapi.yaml': string.replace('1.0.0 }', '1.0.0, license: { name: Our own } }'),
    },
    expected: [],
  },
  {
    name: 'a licence without a name',
    files: {
      'openapi.yaml': string.replace('1.0.0 }', '1.0.0, license: { identifier: MIT } }'),
    },
    expected: ['invalid-openapi openapi.yaml:2:41'],
    says: /`name` must be present/u,
  },

  // Workflows
  ...(
    [
      ['a valid Arazzo document has no problem', workflows(), []],
      [
        'an Arazzo document without what its structure requires',
        workflows().replace('stepId', 'stepid'),
        ['invalid-arazzo flows.yaml:6:30', 'invalid-arazzo flows.yaml:6:32'],
        /`stepId` must be present.*Did you mean `stepId`/su,
      ],
      [
        'an Arazzo document with a step twice',
        workflows(', { stepId: list, operationId: listBooks }'),
        ['invalid-arazzo flows.yaml:6:72'],
        /`stepId` must be unique/u,
      ],
      [
        'an Arazzo document that uses an output that is not there',
        workflows(
          ', { stepId: next, operationId: listBooks, parameters: [{ name: a, in: query, value: $steps.list.outputs.b }] }',
        ),
        ['invalid-arazzo flows.yaml:6:147'],
        /Step "list" .* has no outputs/u,
      ],
      [
        'an Arazzo document with a reference to a file',
        workflows().replace('workflowId: a,', 'workflowId: a, inputs: { $ref: ./a.yaml },'),
        ['invalid-arazzo flows.yaml:6:22'],
        /`\.\/a\.yaml` is another file.*`components\/inputs`/su,
      ],
      [
        'an unknown extension in an Arazzo document that declares the vocabulary',
        workflows()
          .replace('1.0.0 }', '1.0.0, x-countersign: 1 }')
          .replace('stepId: list', "stepId: list, x-sorce: '1'"),
        ['invalid-arazzo flows.yaml:6:46'],
        /"x-sorce" is not part of the vocabulary. Did you mean "x-source"/u,
      ],
      [
        'an Arazzo document of another version',
        workflows().replace('1.1.0', '2.0.0'),
        ['unsupported-version flows.yaml:1:1'],
        /not an Arazzo document of version 1\.0 or 1\.1/u,
      ],
      ['an Arazzo document that is a list', '- a\n', ['unsupported-version flows.yaml:1:1']],
      ['an Arazzo document with a mistake of syntax', "a: 'b\n", ['yaml-syntax flows.yaml:2:1']],
      [
        'an Arazzo document about another document',
        workflows().replace('openapi.yaml', 'https://service.example/openapi.yaml'),
        ['invalid-arazzo flows.yaml:4:31'],
        /not a document of this contract.*`\.\/openapi\.yaml`/su,
      ],
      [
        'an Arazzo document about a document of another type',
        workflows().replace('type: openapi', 'type: asyncapi'),
        ['invalid-arazzo flows.yaml:4:16'],
        /of the type `openapi`/u,
      ],
    ] as const
  ).map(([name, flows, expected, says]): BrokenContract => ({
    name,
    files: { 'openapi.yaml': string, 'flows.yaml': flows },
    contract: { openapi: 'openapi.yaml', workflows: ['flows.yaml'] },
    expected,
    ...(says === undefined ? {} : { says }),
  })),
  {
    name: 'a missing Arazzo document',
    files: { 'openapi.yaml': string },
    contract: { openapi: 'openapi.yaml', workflows: ['flows.yaml'] },
    expected: ['file-not-found flows.yaml:1:1'],
  },
  {
    name: 'an Arazzo document with more bytes than the budget',
    files: { 'openapi.yaml': string, 'flows.yaml': `${workflows()}# ${'a'.repeat(400)}` },
    contract: { openapi: 'openapi.yaml', workflows: ['flows.yaml'] },
    budgets: { maxFileBytes: 500 },
    expected: ['contract-too-large flows.yaml:1:1'],
  },

  // Files and syntax
  {
    name: 'an entry file that does not exist',
    files: {},
    contract: { openapi: 'spec/openapi.yaml' },
    expected: ['file-not-found spec/openapi.yaml:1:1'],
  },
  {
    name: 'an entry that is a folder',
    files: { 'openapi.yaml/x': '' },
    contract: { openapi: 'openapi.yaml' },
    expected: ['file-unreadable openapi.yaml:1:1'],
  },
  {
    name: 'a file that is not UTF-8',
    files: { 'openapi.yaml': new Uint8Array([0x61, 0x3a, 0x20, 0xff, 0xfe]) },
    expected: ['file-unreadable openapi.yaml:1:1'],
    says: /UTF-8/u,
  },
  {
    name: 'every mistake of syntax of every file at once',
    files: {
      'openapi.yaml': "openapi: '3.1.2\ninfo: {",
      'asyncapi.yaml': 'asyncapi: 3.0.0\ninfo: [a, b\nx: y\n',
    },
    expected: ['yaml-syntax asyncapi.yaml:3:1', 'yaml-syntax openapi.yaml:2:8'],
  },
  {
    name: 'keys that stand twice, all of them',
    files: {
      'openapi.yaml': `${string}info: { title: A, version: 1 }\nservers: []\nservers: []\n`,
    },
    expected: ['yaml-syntax openapi.yaml:14:1', 'yaml-syntax openapi.yaml:16:1'],
    says: /`info` is written twice.*`servers` is written twice/su,
  },
  {
    name: 'a tab before a key: one error, though the parser has one for every line that follows',
    files: {
      'openapi.yaml': `${string}x-paths:\n  /a:\n\tget:\n\t- x\n\t  y: z\n    put: {}\n`,
    },
    expected: ['yaml-syntax openapi.yaml:16:1'],
    says: /indented with a tab.*Indent with spaces/su,
  },
  {
    name: 'a tab in a flow mapping, a block of text, a quoted text and after a dash',
    files: {
      'openapi.yaml': `${string}x-a: {\n\tb: 1\n\tc: 2\n}\n`,
      'asyncapi.yaml': 'asyncapi: 3.0.0\nx-a: |\n  b\n\tc\nx-d: 1\n',
      'quoted.yaml': 'a: "b\n\tc"\nd: *e\n',
      'list.yaml': 'a:\n -\tb: 1\n  \tc: 2\n',
    },
    contract: {
      openapi: 'openapi.yaml',
      asyncapi: 'asyncapi.yaml',
      overlays: ['list.yaml', 'quoted.yaml'],
    },
    expected: [
      'yaml-syntax asyncapi.yaml:4:1',
      'yaml-syntax list.yaml:2:3',
      'yaml-syntax openapi.yaml:15:1',
      'yaml-syntax quoted.yaml:2:1',
    ],
    says: /^(?:The line is indented with a tab[^\n]*\n?){4}$/u,
  },
  {
    name: 'an error above a tab that has nothing to do with it',
    files: { 'openapi.yaml': `${string}x-a: b: c\nservers:\n\t- url: d\n` },
    expected: ['yaml-syntax openapi.yaml:14:6', 'yaml-syntax openapi.yaml:16:1'],
    says: /indented with a tab/u,
  },
  {
    name: 'a tab in JSON, where it is allowed',
    files: { 'openapi.json': '{\n\t"openapi": "3.1.2"\n\t"info": {}\n}' },
    contract: { openapi: 'openapi.json' },
    expected: ['yaml-syntax openapi.json:3:2'],
    says: /Missing ,/u,
  },
  {
    name: 'a key that stands twice in a JSON file that is referred to',
    files: {
      'openapi.yaml': openapiWith("$ref: './book.json'"),
      'book.json': '{\n  "type": "string",\n  "type": "number"\n}\n',
    },
    expected: ['yaml-syntax book.json:3:3'],
  },
  {
    name: 'two documents in one file',
    files: { 'openapi.yaml': `${string}---\na: b\n` },
    expected: ['yaml-syntax openapi.yaml:14:1'],
  },
  {
    name: 'values that JSON does not have',
    files: {
      'openapi.yaml': openapiWith(
        'type: number\nmaximum: .inf\nexamples: [.nan]\ndefault: !!binary YQ==',
      ),
    },
    expected: [
      'yaml-syntax openapi.yaml:14:17',
      'yaml-syntax openapi.yaml:15:28',
      'yaml-syntax openapi.yaml:16:17',
    ],
  },
  {
    name: 'a member named __proto__',
    files: {
      'openapi.yaml': openapiWith('type: object\nproperties:\n  __proto__: { type: string }'),
    },
    expected: ['reserved-name openapi.yaml:15:19'],
  },

  {
    name: 'a member whose name is not Unicode text',
    files: {
      'openapi.json': '{ "openapi": "3.1.2",\n"x-\\ud83d\\ude00": 1, "x-\\ud83d": 1 }',
    },
    contract: { openapi: 'openapi.json' },
    expected: ['yaml-syntax openapi.json:2:22'],
    says: /surrogate/u,
  },
  {
    name: 'two path templates that differ in a name only',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: A, version: '1' }
paths:
  /a/{x}: { get: { parameters: [{ name: x, in: path, required: true, schema: true }], responses: { 2XX: { description: a } } } }
  /a/{y}: { post: { parameters: [{ name: y, in: path, required: true, schema: true }], responses: { 2XX: { description: a } } } }
`,
    },
    expected: ['identical-paths openapi.yaml:5:3'],
  },

  // Versions
  {
    name: 'no version',
    files: { 'openapi.yaml': '# A comment\ninfo: { title: A, version: "1" }\n' },
    expected: ['unknown-version openapi.yaml:2:1'],
  },
  {
    name: 'an empty file',
    files: { 'openapi.yaml': '' },
    expected: ['unknown-version openapi.yaml:1:1'],
  },
  {
    name: 'a list',
    files: { 'asyncapi.yaml': '- a\n' },
    expected: ['unknown-version asyncapi.yaml:1:1'],
  },
  {
    name: 'Swagger 2.0, with advice how to convert it',
    files: { 'openapi.yaml': "info: {}\nswagger: '2.0'\n" },
    expected: ['unsupported-version openapi.yaml:2:1'],
    says: /Swagger 2\.0.*npx swagger2openapi swagger\.yaml/su,
  },
  {
    name: 'a version of OpenAPI to come',
    files: { 'openapi.yaml': 'openapi: 4.0.0\n' },
    expected: ['unsupported-version openapi.yaml:1:1'],
    says: /3\.1\.2 and 3\.2 are supported/u,
  },
  {
    name: 'a version of OpenAPI that never was',
    files: { 'openapi.yaml': 'openapi: 3.1.3\n' },
    expected: ['unsupported-version openapi.yaml:1:1'],
  },
  {
    name: 'a number that only begins like a version',
    files: { 'openapi.yaml': 'openapi: 3.14\n' },
    expected: ['unsupported-version openapi.yaml:1:1'],
    says: /3\.1\.2 and 3\.2 are supported/u,
  },
  {
    name: 'a number that is not a version',
    files: { 'openapi.yaml': 'openapi: 4.1\n' },
    expected: ['unsupported-version openapi.yaml:1:1'],
    says: /3\.1\.2 and 3\.2 are supported/u,
  },
  {
    name: 'AsyncAPI 1, with advice how to convert it',
    files: { 'asyncapi.yaml': 'asyncapi: 1.2.0\n' },
    expected: ['unsupported-version asyncapi.yaml:1:1'],
    says: /@asyncapi\/cli convert/u,
  },
  {
    name: 'AsyncAPI 2 with what AsyncAPI 3 cannot express',
    files: {
      'asyncapi.yaml':
        'asyncapi: 2.6.0\ninfo: { title: A, version: 1.0.0 }\nchannels:\n  /{a}:\n    parameters: { a: { schema: { maxLength: 3 } } }\n',
    },
    expected: ['lost-in-conversion asyncapi.yaml:5:24'],
    says: /"maxLength" of "a" is left out/u,
  },
  {
    name: 'an AsyncAPI document named as the OpenAPI one',
    files: { 'asyncapi.yaml': 'asyncapi: 3.0.0\n' },
    contract: { openapi: 'asyncapi.yaml' },
    expected: ['unknown-version asyncapi.yaml:1:1'],
    says: /contract\.asyncapi/u,
  },

  // References
  {
    name: 'references to a file, a member and a local member that do not exist',
    files: {
      'spec/openapi.yaml': openapiWith(
        "anyOf:\n  - $ref: './schemas/None.yaml'\n  - { $ref: './schemas/Book.yaml#/none' }\n  - $ref: '#/components/schemas/None'",
      ),
      'spec/schemas/Book.yaml': 'type: string\n',
    },
    contract: { openapi: 'spec/openapi.yaml' },
    expected: [
      'unresolved-reference spec/openapi.yaml:14:21',
      'unresolved-reference spec/openapi.yaml:15:23',
      'unresolved-reference spec/openapi.yaml:16:21',
    ],
  },
  {
    name: 'a broken reference in a file that is referred to',
    files: {
      'openapi.yaml': openapiWith("$ref: './schemas/Book.yaml'"),
      'schemas/Book.yaml': 'type: object\nproperties:\n  author:\n    $ref: ./Author.yaml\n',
    },
    expected: ['unresolved-reference schemas/Book.yaml:4:5'],
  },
  {
    name: 'a reference to an empty file',
    files: { 'openapi.yaml': openapiWith("$ref: './Book.yaml'"), 'Book.yaml': '# nothing\n' },
    expected: ['unresolved-reference openapi.yaml:13:17'],
  },
  {
    name: 'references that lead back to themselves, in each of their places',
    files: {
      'openapi.yaml': openapiWith(
        "$ref: '#/components/schemas/A'",
        "components:\n  schemas:\n    A: { $ref: './b.yaml' }\n",
      ),
      'b.yaml': "$ref: './openapi.yaml#/components/schemas/A'\n",
    },
    expected: [
      'unresolved-reference b.yaml:1:1',
      'unresolved-reference openapi.yaml:13:17',
      'unresolved-reference openapi.yaml:16:10',
    ],
    says: /is a circular reference/u,
  },
  {
    name: 'references out of the folder, in every spelling',
    files: {
      'spec/openapi.yaml': openapiWith(
        [
          'anyOf:',
          "  - $ref: '../outside.yaml'",
          "  - $ref: '../../../../../../../../etc/passwd'",
          "  - $ref: '/etc/passwd'",
          "  - $ref: 'file:///etc/passwd'",
          "  - $ref: 'FILE:/etc/passwd#/a'",
          "  - $ref: '%2e%2e/outside.yaml'",
          "  - $ref: './../outside.yaml'",
          "  - $ref: 'C:\\outside.yaml'",
        ].join('\n'),
      ),
      'outside.yaml': 'type: string\n',
    },
    contract: { openapi: 'spec/openapi.yaml' },
    expected: [
      'escaping-reference spec/openapi.yaml:14:21',
      'escaping-reference spec/openapi.yaml:15:21',
      'escaping-reference spec/openapi.yaml:16:21',
      'escaping-reference spec/openapi.yaml:17:21',
      'escaping-reference spec/openapi.yaml:18:21',
      'escaping-reference spec/openapi.yaml:19:21',
      'escaping-reference spec/openapi.yaml:20:21',
      'escaping-reference spec/openapi.yaml:21:21',
    ],
  },
  {
    name: 'an example file out of the folder, or of a schema of its own',
    files: {
      'spec/asyncapi.yaml': asyncapiWith(
        'type: object',
        "        examples:\n          - payload: { $ref: '../lent.json' }\n          - payload: { $ref: 'https://localhost/lent.json' }\n          - payload: { $ref: './none.json' }\n",
      ),
      'lent.json': '{}',
    },
    contract: { asyncapi: 'spec/asyncapi.yaml' },
    expected: [
      'escaping-reference spec/asyncapi.yaml:11:24',
      'remote-reference spec/asyncapi.yaml:12:24',
      'unresolved-reference spec/asyncapi.yaml:13:24',
    ],
  },

  // Structure
  {
    name: 'schema keywords with values they do not take, which swagger-parser misses',
    files: {
      'openapi.yaml': openapiWith(
        'type: object\nproperties:\n  a: { type: strng }\n  b: { type: string, minLength: "alert(1)" }\n  c: { type: string, minlength: 1 }',
      ),
    },
    expected: [
      'invalid-schema openapi.yaml:15:24',
      'invalid-schema openapi.yaml:16:38',
      'invalid-schema openapi.yaml:17:38',
    ],
    says: /Did you mean `string`\?.*Did you mean `minLength`\?/su,
  },
  {
    name: 'a mistake in a file that both documents use is said once',
    files: {
      'openapi.yaml': openapiWith("$ref: './schemas/Book.yaml'"),
      'asyncapi.yaml': asyncapiWith("$ref: './schemas/Book.yaml'"),
      'schemas/Book.yaml': 'type: object\nproperties:\n  title:\n    type: strng\n',
    },
    expected: ['invalid-schema schemas/Book.yaml:4:5'],
  },
  {
    name: 'a mistake that the two dialects put into different words is said once',
    files: {
      'openapi.yaml': openapiWith("$ref: './Book.yaml'"),
      'asyncapi.yaml': asyncapiWith("$ref: './Book.yaml'"),
      'Book.yaml': 'type: object\nunevaluatedProperties: 3\n',
    },
    expected: ['invalid-schema Book.yaml:2:1'],
  },
  {
    name: 'a range of status codes in small letters',
    files: {
      'openapi.yaml': `${paths}        2xx: { description: A. }\n`,
    },
    expected: ['invalid-openapi openapi.yaml:7:9'],
    says: /`2xx` is not expected here \(swagger-parser\)\..*Write `2XX`.*until then, it is read as `2XX`/su,
  },
  {
    name: 'keys of responses that are not status codes',
    files: {
      'openapi.yaml': `${paths}        ok: { description: A. }\n        600: { description: B. }\n`,
    },
    expected: ['invalid-openapi openapi.yaml:7:9', 'invalid-openapi openapi.yaml:8:9'],
    says: /(?:Write a status code from 100 to 599, a range such as `2XX`, or `default`.*){2}/su,
  },
  {
    name: 'a response called Default',
    files: {
      'openapi.yaml': `${paths}        Default: { description: A. }\n`,
    },
    expected: ['invalid-openapi openapi.yaml:7:9'],
    says: /Did you mean `default`\?.*until then, it is read as `default`/su,
  },
  {
    name: 'a member that OpenAPI does not know, and one that is missing',
    files: {
      'openapi.yaml':
        "openapi: 3.1.2\ninfo: { title: A }\npaths:\n  /a:\n    get:\n      respones: {}\n      responses: { '200': {} }\n",
    },
    expected: [
      'invalid-openapi openapi.yaml:2:1',
      'invalid-openapi openapi.yaml:6:7',
      'invalid-openapi openapi.yaml:7:20',
    ],
  },
  {
    name: 'a security scheme that is not declared, but not an operation without one',
    files: { 'openapi.yaml': `${string}security: [{ key: [] }]\n` },
    expected: ['invalid-openapi openapi.yaml:14:14'],
    says: /`key`/u,
  },
  {
    name: 'what only the JSON Schema of OpenAPI finds',
    files: { 'openapi.yaml': `${string}jsonSchemaDialect: 3\n` },
    expected: ['invalid-openapi openapi.yaml:14:1'],
  },
  {
    name: 'a file name that is not a name of a component',
    files: {
      'openapi.yaml': openapiWith("$ref: './My%20Book.yaml'"),
      'My Book.yaml': 'type: string\n',
    },
    expected: ['invalid-openapi My Book.yaml:1:1'],
  },
  {
    name: 'members that AsyncAPI does not know or that are missing',
    files: {
      'asyncapi.yaml':
        'asyncapi: 3.0.0\ninfo: { title: A, version: 1.0.0 }\nchannels:\n  a:\n    adress: /a\noperations:\n  b:\n    action: sned\n    channel: { $ref: "#/channels/a" }\n',
    },
    expected: ['invalid-asyncapi asyncapi.yaml:5:5', 'invalid-asyncapi asyncapi.yaml:8:5'],
    says: /Did you mean `address`\?.*Did you mean `send`\?/su,
  },
  {
    name: 'what only the JSON Schema of AsyncAPI finds',
    files: {
      'asyncapi.yaml': asyncapiWith('type: string').replace(
        "channel: { $ref: '#/channels/lent' }",
        'channel: { address: /lent }',
      ),
    },
    expected: ['invalid-asyncapi asyncapi.yaml:13:5'],
    says: /`channel` must be a reference to a channel: it has no `\$ref`/u,
  },
  {
    name: 'structure is checked although a reference is broken',
    files: {
      'openapi.yaml': openapiWith("type: strng\nitems: { $ref: './None.yaml' }"),
    },
    expected: ['invalid-schema openapi.yaml:13:17', 'unresolved-reference openapi.yaml:14:26'],
  },

  // Budgets
  {
    name: 'a file with more bytes than the budget',
    files: { 'openapi.yaml': string },
    budgets: { maxFileBytes: 100 },
    expected: ['contract-too-large openapi.yaml:1:1'],
    says: /`maxFileBytes`/u,
  },
  {
    name: 'files with more bytes together than the budget',
    files: {
      'openapi.yaml': openapiWith('$ref: ./a.yaml'),
      'a.yaml': `type: string # ${'a'.repeat(500)}`,
    },
    budgets: { maxTotalBytes: 600 },
    expected: ['contract-too-large openapi.yaml:13:17'],
    says: /`maxTotalBytes`/u,
  },
  {
    name: 'more levels than the budget, at the place',
    files: { 'openapi.yaml': openapiWith('items:\n  items:\n    items: { type: string }') },
    budgets: { maxDepth: 10 },
    expected: ['contract-too-large openapi.yaml:15:30'],
    says: /`maxDepth`/u,
  },
  {
    name: 'thousands of levels',
    files: { 'openapi.yaml': `openapi: 3.1.2\nx-a: ${'['.repeat(100_000)}` },
    expected: ['contract-too-large openapi.yaml:2:207'],
  },
  {
    name: 'an alias bomb',
    files: {
      'openapi.yaml': `openapi: 3.1.2\nx-0: &a0 [lol, lol]\n${Array.from(
        { length: 40 },
        (_, index) => `x-${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`,
      ).join('')}`,
    },
    expected: ['contract-too-large openapi.yaml:2:11'],
    says: /`maxNodes`/u,
  },
  {
    name: 'an alias within its own anchor',
    files: { 'openapi.yaml': 'openapi: 3.1.2\nx-a: &a { b: *a }\n' },
    expected: ['contract-too-large openapi.yaml:2:11'],
  },
  {
    name: 'more aliases than the budget',
    files: { 'openapi.yaml': 'openapi: 3.1.2\nx-a: &a 1\nx-b: [*a, *a, *a]\n' },
    budgets: { maxAliases: 2 },
    expected: ['contract-too-large openapi.yaml:3:16'],
    says: /`maxAliases`/u,
  },
  {
    name: 'an open enumeration with more values than the budget',
    files: { 'openapi.yaml': openapiWith('x-extensible-enum: [a, b, c]') },
    budgets: { maxEnumerationValues: 2 },
    expected: ['contract-too-large openapi.yaml:13:17'],
    says: /`maxEnumerationValues`/u,
  },
  {
    name: 'an enumeration with more values than the budget',
    files: { 'openapi.yaml': openapiWith('enum: [a, b, c]') },
    budgets: { maxEnumerationValues: 2 },
    expected: ['contract-too-large openapi.yaml:13:17'],
    says: /`maxEnumerationValues`/u,
  },
];
