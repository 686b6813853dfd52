import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../generator/config/load-config.ts';
import {
  diagnosticCodes,
  entryOf,
  isDiagnosticCode,
} from '../../generator/diagnostics/diagnostic.ts';
import { readContract } from '../../generator/generate.ts';
import type { Severity } from '../../generator/diagnostics/severity.ts';
import { isLintCode } from '../../generator/diagnostics/lint-catalogue.ts';
import {
  diagnosticPages,
  divideDiagnosticPage,
  type DiagnosticSection,
} from '../../generator/tools/explain/diagnostic-pages.ts';
import { loadService } from '../../packages/simulator/src/simulate/load-service.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { exampleOf, writeExample, type Example } from './diagnostic-examples.ts';
import type { Forms } from './page-blocks.ts';

/** swagger-parser finds nothing that no other check finds, as far as we know. Its section says so. */
const withoutExample: ReadonlySet<string> = new Set(['swagger-parser']);

/** The codes of generation that are not reported when the contract is read. */
const afterReading: ReadonlySet<string> = new Set(['target-failed', 'unknown-package-version']);

const names = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

const pages = (await readdir(diagnosticPages)).filter((name) => name.endsWith('.md'));
if ((process.env['COUNTERSIGN_WRITE'] ?? '') !== '') await Promise.all(pages.map(fillPage));
const sections = (
  await Promise.all(
    pages.map(async (page) =>
      divideDiagnosticPage(page, await readFile(join(diagnosticPages, page), 'utf8')),
    ),
  )
).flat();

/** Writes the texts of the catalogue into the sections of a page. */
async function fillPage(page: string): Promise<void> {
  const path = join(diagnosticPages, page);
  const [head = '', ...parts] = (await readFile(path, 'utf8')).split(/^(?=## )/mu);
  const filled = parts.map((part) => {
    const [, code = ''] = /^## (.*)$/mu.exec(part) ?? [];
    if (!isDiagnosticCode(code)) return part;
    const { title, repair } = textsOf(code);
    const paragraphs = part
      .trim()
      .split(/\n\n(?![^`]*\n```\n)/u)
      .filter((paragraph) => !/^\*\*(?:Error|Warning|Note|Repair)\.\*\* /u.test(paragraph));
    const [heading = '', ...rest] = paragraphs;
    const at = rest.findIndex((paragraph) => paragraph.startsWith('```'));
    const [cause, example] = at < 0 ? [rest, []] : [rest.slice(0, at), rest.slice(at)];
    return `${[heading, title, ...cause, repair, ...example].join('\n\n')}\n\n`;
  });
  await writeFile(path, `${[head, ...filled].join('').trimEnd()}\n`);
}

function textsOf(code: Parameters<typeof entryOf>[0]): {
  readonly title: string;
  readonly repair: string;
} {
  const { severity, title, help } = entryOf(code);
  return { title: `**${names[severity]}.** ${title}`, repair: `**Repair.** ${help}` };
}

function severityOf(code: string): Severity | undefined {
  return isDiagnosticCode(code) ? entryOf(code).severity : undefined;
}

interface Output {
  readonly results?: readonly { readonly diagnostics?: readonly { readonly code: string }[] }[];
  readonly diagnostics?: readonly { readonly code: string }[];
}

/** Returns the codes that are reported for one form of an example. */
async function codesIn(
  example: Example,
  form: keyof Forms,
  code: string,
): Promise<ReadonlySet<string>> {
  const folder = await temporaryFolder();
  await writeExample(folder, example, form);
  const diagnostics = await diagnosticsIn(folder, code);
  return new Set(diagnostics.map((diagnostic) => diagnostic.code));
}

async function diagnosticsIn(
  folder: string,
  code: string,
): Promise<readonly { readonly code: string }[]> {
  if (isLintCode(code) || afterReading.has(code)) {
    const command = isLintCode(code) ? 'lint' : 'generate';
    const { out, error } = await runInProcess(folder, [command, '--json']);
    const output = JSON.parse(out || error) as Output;
    const ofResults = (output.results ?? []).flatMap((result) => result.diagnostics ?? []);
    return [...(output.diagnostics ?? []), ...ofResults];
  }
  const { configs } = await loadConfig(folder);
  const [config] = configs;
  if (config === undefined) throw new Error('There is no configuration.');
  const { diagnostics } =
    code === 'unsupported-workflow'
      ? await loadService(config, folder, () => undefined)
      : await readContract(config, folder);
  return diagnostics;
}

describe('the pages of diagnostics', () => {
  it('have one section for each code', () => {
    expect(sections.map(({ code }) => code).toSorted()).toEqual(diagnosticCodes().toSorted());
  });

  it.each(sections)('$code has the texts of the catalogue, a cause and an example', (section) => {
    const { code, text } = section;
    if (!isDiagnosticCode(code)) throw new Error(`${code} is not a code.`);
    const { title, repair } = textsOf(code);
    const paragraphs = text.split('\n\n');
    expect(paragraphs[0], 'COUNTERSIGN_WRITE=1 writes the texts of the catalogue').toBe(title);
    const at = paragraphs.indexOf(repair);
    expect(at, 'between both texts is the cause').toBeGreaterThan(1);
    expect(text.includes('```diff ')).toBe(!withoutExample.has(code));
  });
});

describe('the example of a diagnostic', () => {
  const cases = sections.filter(({ code }) => !withoutExample.has(code));
  it.each<DiagnosticSection>(cases)('$code is caused by - and repaired by +', async (section) => {
    const { code, text } = section;
    const example = await exampleOf(text);
    if (example === undefined) throw new Error('There is no example.');
    const before = await codesIn(example, 'before', code);
    const after = await codesIn(example, 'after', code);
    const isNote = severityOf(code) === 'info';
    const caused = [...before].filter(
      (candidate) => !after.has(candidate) && (isNote || severityOf(candidate) !== 'info'),
    );
    expect(caused).toEqual([code]);
    expect([...after].filter((candidate) => !before.has(candidate))).toEqual([]);
    if (!isLintCode(code)) {
      const errors = [...after].filter((candidate) => severityOf(candidate) === 'error');
      expect(errors).toEqual([]);
    }
  });

  it('is found in every section but those named', () => {
    expect(cases.length).toBe(diagnosticCodes().length - withoutExample.size);
  });
});
