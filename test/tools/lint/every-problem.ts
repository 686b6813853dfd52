import type { Config } from '../../../generator/config/config.ts';
import type { ContractFiles } from '../../../generator/load/contract-files.ts';
import { catalogue } from '../../../generator/diagnostics/catalogue.ts';
import { lintCatalogue } from '../../../generator/diagnostics/lint-catalogue.ts';
import type { Budgets } from '../../../generator/load/budgets.ts';
import { breaches } from '../../rules/cases/cases.ts';
import { markedPlaces } from '../../rules/rule-case.ts';
import { openapi as library } from '../../select/library.ts';
import { brokenContracts } from '../../load/broken-contracts.ts';
import { edited, findings } from './findings.ts';
import { openapi } from './parcels.ts';

/** A contract with a problem of one code, and where it is: `file:line`, with the column where a table has it. */
export interface Problem {
  readonly code: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly contract?: ContractFiles;
  readonly budgets?: Partial<Budgets>;
  readonly lint?: object;
  /** What the configuration says besides. */
  readonly more?: Partial<Config>;
  readonly at: string;
}

const read: readonly Problem[] = brokenContracts.flatMap((row) =>
  row.expected.map((line) => {
    const [code = '', at = ''] = line.split(' ');
    return { ...row, code, at };
  }),
);

const lowered: readonly Problem[] = breaches.map(({ code, files }) => ({
  code,
  files,
  at: markedPlaces(files)[0] ?? '',
}));

const overlay = (target: string): Problem['files'] => ({
  'openapi.yaml': openapi,
  'overlay.yaml': `overlay: 1.0.0
info: { title: More, version: 1.0.0 }
extends: openapi.yaml
actions: [{ target: ${target}, remove: true }]
`,
});
const contract = { openapi: 'openapi.yaml', overlays: ['overlay.yaml'] };
const choice = (title: string): string =>
  `{ meaning: It is., actions: [{ target: $.info, update: { title: ${title} } }] }`;
const namedAlike = `components:
  schemas:
    Parcel-: { type: string, x-source: '3' }
`;

/** The codes that the tables of other tests have no row for. */
const furtherProblems: readonly Problem[] = [
  {
    code: 'unusable-version',
    files: { 'openapi.yaml': openapi.replace(/version: .*/u, 'version: latest') },
    at: 'openapi.yaml:4:3',
  },
  { code: 'invalid-overlay', files: overlay('$.paths./books'), contract, at: 'overlay.yaml:4:13' },
  {
    code: 'overlay-target-not-found',
    files: overlay('$.paths.none'),
    contract,
    at: 'overlay.yaml:4:13',
  },
  {
    code: 'conflicting-actions',
    files: {
      'openapi.yaml': `${openapi}x-unstated:
  name: { question: Which name?, source: '1', choices: { short: ${choice('S')} }, settled: short }
  case: { question: Which case?, source: '1', choices: { upper: ${choice('U')} }, settled: upper }
`,
    },
    at: 'openapi.yaml:43:94',
  },
  {
    code: 'name-collision',
    files: { 'openapi.yaml': openapi.replace('components:\n  schemas:\n', namedAlike) },
    at: 'openapi.yaml:34:5',
  },
  {
    code: 'security-scheme-mismatch',
    files: {
      'openapi.yaml': openapi.replace(
        'components:\n',
        "components:\n  securitySchemes: { key: { type: apiKey, in: header, name: X-Key, x-source: '3' } }\n",
      ),
      'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0 }
channels: {}
components:
  securitySchemes:
    key: { type: httpApiKey, in: query, name: X-Key }
`,
    },
    at: 'asyncapi.yaml:6:5',
  },
  {
    code: 'invalid-variant',
    files: {
      'openapi.yaml': openapi.replace(
        '    Parcel:\n',
        "    Parcel:\n      x-variants: { short: { x-source: '3', when: { $request.body#/w: {} }, rename: { w: width } } }\n",
      ),
    },
    at: 'openapi.yaml:35:21',
  },
  {
    code: 'unsupported-schema',
    files: {
      'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0 }
channels:
  moved:
    address: /moved
    messages:
      moved:
        payload: { schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: { type: string } }
operations:
  sendMoved: { action: send, channel: { $ref: '#/channels/moved' } }
`,
    },
    at: 'asyncapi.yaml:8:9',
  },
  {
    code: 'unnamed-source-document',
    files: { 'openapi.yaml': openapi.replace('  x-source-document: The parcel book\n', '') },
    at: 'openapi.yaml:8:37',
  },
  {
    // The contracts of test/rules/cases/signatures.ts have no calls, and end at `unused-signature`.
    code: 'unusable-signature',
    files: {
      'openapi.yaml': openapi.replace('security: []', 'security: [{ seal: [] }]').replace(
        'components:\n',
        `components:
  parameters:
    Clock: { name: X-Clock, in: header, schema: { type: string }, x-source: '3' }
  securitySchemes:
    seal:
      type: apiKey
      in: header
      name: X-Seal
      x-source: '3'
      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: [$request.body]
        encoding: hex
        timestamp: { header: X-Clock, format: unix-seconds, tolerance: 300 }
`,
      ),
    },
    at: 'openapi.yaml:41:7',
  },
  {
    code: 'unused-exception',
    files: { 'openapi.yaml': openapi },
    lint: { exceptions: [{ rule: 'unbounded-number', at: 'openapi#/info', reason: 'None.' }] },
    at: 'countersign.config.mjs:1:77',
  },
  {
    code: 'unmatched-selection',
    files: { 'openapi.yaml': openapi },
    more: { exclude: { tags: ['none'] } },
    at: 'countersign.config.mjs:1:142',
  },
  {
    code: 'nothing-selected',
    files: { 'openapi.yaml': openapi },
    more: { exclude: { paths: ['/**'], events: ['*'] } },
    at: 'openapi.yaml:1:1',
  },
  {
    code: 'needed-operation',
    files: { 'openapi.yaml': library },
    more: { exclude: { operations: ['createToken'] } },
    at: 'openapi.yaml:75:9',
  },
  {
    code: 'unused-format',
    files: { 'openapi.yaml': openapi },
    more: { formats: { none: 'None' } },
    at: 'openapi.yaml:1:1',
  },
];

const linted: readonly Problem[] = findings.map((row) => ({
  code: row.code,
  files: edited(row.breaks),
  at: row.finds.find((line) => line.startsWith(`${row.code} `))?.split(' ')[1] ?? '',
}));

const all = [...furtherProblems, ...read, ...lowered, ...linted];

/**
 * Codes without a contract here: test/emit/emit.test.ts and test/packages/diff/run-diff.changeset.all.test.ts report the first two.
 * test/tools/lint/rules/swagger-parser.slow.test.ts reports the last, for documents that reading does not accept.
 */
const elsewhere: ReadonlySet<string> = new Set([
  'target-failed',
  'unknown-package-version',
  'swagger-parser',
]);

const codesOfContracts = [...Object.keys(catalogue), ...Object.keys(lintCatalogue)].filter(
  (code) => !elsewhere.has(code),
);

/** One contract for every code of a diagnostic of a contract. */
export const everyProblem: readonly Problem[] = codesOfContracts.map((code) => {
  const problem = all.find((candidate) => candidate.code === code);
  if (problem === undefined) {
    throw new Error(
      `No test reports the code ${code}. Add a case to test/rules/cases/, test/load/broken-contracts.ts, test/tools/lint/findings.ts or this file.`,
    );
  }
  return problem;
});
