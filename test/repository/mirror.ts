/** Where the sources are that a mirrored folder of `test/` belongs to. */
const mirrored: readonly (readonly [test: RegExp, source: string])[] = [
  [/^packages\/runtime\//u, 'packages/runtime/'],
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
 * Returns the test files in a folder that no folder of sources has. Their names are free, so that a source file can be
 * renamed alone.
 *
 * @param tests Test files, relative to `test/`.
 * @param sources Source files, relative to the repository.
 * @param free Folders of `test/` whose test files have any name.
 */
export function misplacedTests(
  tests: readonly string[],
  sources: readonly string[],
  free: readonly string[],
): readonly string[] {
  const folders = new Set(sources.map((source) => source.replace(/[^/]+$/u, '')));
  return tests.filter((test) => {
    if (free.some((folder) => test.startsWith(`${folder}/`))) return false;
    const path = test.replace(/[^/]+$/u, '');
    const [pattern, source] = mirrored.find(([test]) => test.test(path)) ?? [];
    return pattern === undefined || !folders.has(path.replace(pattern, source ?? ''));
  });
}
