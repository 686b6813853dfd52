import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toolkitManifest } from '../../execution/toolkit.ts';

/** The folder of the pages about diagnostics. It is published as it is in the repository. */
export const diagnosticPages: string = join(dirname(toolkitManifest()), 'diagnostics/pages');

/** What the pages state about one code: cause, repair and an example, as Markdown. */
export interface DiagnosticSection {
  readonly code: string;
  /** The name of the page's file, such as `files.md`. */
  readonly page: string;
  /** The text below the heading. */
  readonly text: string;
}

/** Divides a page into its sections. The heading of each section is the code of a diagnostic. */
export function divideDiagnosticPage(page: string, text: string): readonly DiagnosticSection[] {
  const [, ...sections] = text.replaceAll('\r\n', '\n').split(/^## /mu);
  return sections.map((section) => {
    const end = section.indexOf('\n');
    return { code: section.slice(0, end), page, text: section.slice(end).trim() };
  });
}

/**
 * Reads the section about a code.
 * @throws TypeError if no page has the code
 */
export async function readDiagnosticSection(code: string): Promise<DiagnosticSection> {
  const names = (await readdir(diagnosticPages)).filter((name) => name.endsWith('.md'));
  const sections = await Promise.all(
    names.map(async (name) =>
      divideDiagnosticPage(name, await readFile(join(diagnosticPages, name), 'utf8')),
    ),
  );
  const section = sections.flat().find((candidate) => candidate.code === code);
  if (section === undefined) throw new TypeError(`No page of diagnostics has ${code}.`);
  return section;
}
