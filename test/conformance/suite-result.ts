/** A test that does not have the result which the suite states. */
export interface Failure {
  readonly case: string;
  /** `wrong`, or why the input is refused, such as `refused: remote-reference`. */
  readonly outcome: string;
  /** The number of tests that the entry stands for. */
  readonly tests: number;
}

/** The results of one suite. */
export interface SuiteResult {
  readonly suite: string;
  /** The package or the folder that the suite was read from, with its version. */
  readonly source: string;
  readonly tests: number;
  readonly failures: readonly Failure[];
  /** Further facts for the page. */
  readonly notes: readonly string[];
}

/** A failure that is known, with the name of its reason. */
interface ExpectedFailure extends Failure {
  readonly reason: string;
}

/** The known failures of all suites: `expected-failures.json`. */
export interface ExpectedFailures {
  readonly reasons: Readonly<Record<string, string>>;
  readonly suites: Readonly<Record<string, readonly ExpectedFailure[]>>;
}

/** Returns each difference between the failures of a suite and the expected ones. */
export function compareFailures(
  { suite, failures }: Pick<SuiteResult, 'suite' | 'failures'>,
  { suites, reasons }: ExpectedFailures,
): readonly string[] {
  const expected = suites[suite] ?? [];
  const describe = (failure: Failure): string =>
    `${failure.case} (${failure.outcome}, ${failure.tests})`;
  const expectedLines = new Set(expected.map(describe));
  const failureLines = new Set(failures.map(describe));
  return [
    ...[...failureLines]
      .filter((line) => !expectedLines.has(line))
      .map((line) => `not expected: ${line}`),
    ...[...expectedLines]
      .filter((line) => !failureLines.has(line))
      .map((line) => `does not fail any more: ${line}`),
    ...expected
      .filter(({ reason }) => !Object.hasOwn(reasons, reason))
      .map(({ reason }) => `unknown reason: ${reason}`),
  ];
}
