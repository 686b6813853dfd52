import { readFile } from 'node:fs/promises';

/** The files of the page, by name. */
export type PageFiles = ReadonlyMap<string, string>;

/** The media types of the page's files. No other file is served. */
const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'theme.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
};

/** Where a package has the page of its console. */
export interface PagePlaces {
  /** The folder that the build writes. */
  readonly built: URL;
  /** The module that bundles the page from its sources, by its function `bundleConsole`. */
  readonly bundler: URL;
}

/** Returns the file at a path, with its media type. */
export function findPageFile(
  files: PageFiles,
  path: string,
): { readonly text: string; readonly type: string } | undefined {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const text = files.get(name);
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  return text === undefined || type === undefined ? undefined : { text, type };
}

/**
 * Returns the files of a page. Built code reads what the build has bundled. From source, the page is bundled now,
 * because an earlier bundle can be older than its sources.
 */
export async function loadPage({ built, bundler }: PagePlaces): Promise<PageFiles> {
  if (import.meta.url.endsWith('.ts')) {
    const { bundleConsole } = (await import(bundler.href)) as {
      readonly bundleConsole: () => Promise<PageFiles>;
    };
    return await bundleConsole();
  }
  return new Map(
    await Promise.all(
      Object.keys(types).map(
        async (file) => [file, await readFile(new URL(file, built), 'utf8')] as const,
      ),
    ),
  );
}
