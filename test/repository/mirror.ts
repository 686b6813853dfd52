/** Where the sources are that a mirrored folder of `test/` belongs to. */
const mirrored: readonly (readonly [test: RegExp, source: string])[] = [
  [/^packages\/([^/]+)\//u, 'packages/$1/src/'],
  [/^bench\//u, 'bench/'],
  [/^/u, 'generator/'],
];

/** The folders of `test/` in the table of CONTRIBUTING, which test more than one source file. */
export function foldersOf(contributing: string): readonly string[] {
  return [...contributing.matchAll(/^\| `test\/([^/`]+)\/` +\| \S.*\|$/gmu)].map(
    ([, folder = '']) => folder,
  );
}

/**
 * Returns the test files that name no source file.
 *
 * @param tests Test files, relative to `test/`: `<folder>/<source file>[.<aspect>].test.ts`.
 * @param sources Source files, relative to the repository.
 * @param free Folders of `test/` whose test files have any name.
 */
export function misplacedTests(
  tests: readonly string[],
  sources: readonly string[],
  free: readonly string[],
): readonly string[] {
  const stems = new Set(sources.map((source) => source.replace(/\.[cm]?ts$|\.cjs$/u, '')));
  return tests.filter((test) => {
    if (free.some((folder) => test.startsWith(`${folder}/`))) return false;
    const path = test.replace(/[^/]+$/u, (name) => name.replace(/\..*$/u, ''));
    const [pattern, source] = mirrored.find(([test]) => test.test(path)) ?? [];
    return pattern === undefined || !stems.has(path.replace(pattern, source ?? ''));
  });
}
