import { examples } from '../../generator/rules/examples.ts';
import { ValidatorCompiler } from '../../generator/validators/validator-compiler.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lowerAndCheck } from './lower-and-check.ts';
import { contractRules, documentRules, runRules } from '../../generator/rules/rules.ts';
import type { DiagnosticCode } from '../../generator/diagnostics/catalogue.ts';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import type { Severity } from '../../generator/diagnostics/severity.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import { load } from '../../generator/load/load.ts';

/**
 * Files of a contract by path; `openapi.yaml`, `asyncapi.yaml` and `workflows.yaml` are the entries where they are
 * present.
 */
export type Files = Readonly<Record<string, string>>;

/** A contract that breaks one rule, on exactly the lines that end in `# here`. */
export interface Breach {
  readonly name: string;
  readonly rule: string;
  readonly code: DiagnosticCode;
  readonly files: Files;
  /** A part of every message, where it matters how the problem is put. */
  readonly says?: string;
  /** A part of every help text. */
  readonly helps?: string;
  /** The severity of every message, where it depends on the document. */
  readonly severity?: Severity;
}

/** A contract that looks as if it broke a rule, and does not. */
export interface Observance {
  readonly name: string;
  readonly code: DiagnosticCode;
  readonly files: Files;
}

/** Loads a contract from a temporary folder. */
export async function loadFiles(files: Files): Promise<Documents> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-rules-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await load(
      {
        ...('openapi.yaml' in files ? { openapi: 'openapi.yaml' } : {}),
        ...('asyncapi.yaml' in files ? { asyncapi: 'asyncapi.yaml' } : {}),
        ...('workflows.yaml' in files ? { workflows: ['workflows.yaml'] } : {}),
      },
      { folder },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The name of a rule: its key in the table of rules, in kebab-case. */
export function ruleName(key: string): string {
  return key.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** All rules of a table, without one of them. */
function rulesBut<Rule>(
  rules: Readonly<Record<string, Rule>>,
  without: string | undefined,
): readonly Rule[] {
  return Object.entries(rules).flatMap(([key, rule]) => (ruleName(key) === without ? [] : rule));
}

/** What all rules but the named one say of a contract. */
export async function check(
  documents: Documents,
  without?: string,
): Promise<readonly Diagnostic[]> {
  const { contract } = await lowerAndCheck(documents);
  return [
    ...(await runRules(rulesBut(documentRules, without), { documents })),
    ...(await runRules(rulesBut({ examples, ...contractRules }, without), {
      documents,
      contract,
      compiler: new ValidatorCompiler(),
    })),
  ];
}

/** The places that end in `# here`, as `file:line`, in the order of diagnostics. */
export function markedPlaces(files: Files): readonly string[] {
  return Object.keys(files)
    .toSorted()
    .flatMap((path) =>
      (files[path] ?? '')
        .split('\n')
        .flatMap((line, index) => (line.endsWith('# here') ? `${path}:${index + 1}` : [])),
    );
}

/** Where diagnostics of one code stand, each place once, in order. */
export function placesWith(
  code: DiagnosticCode,
  diagnostics: readonly Diagnostic[],
): readonly string[] {
  const places = diagnostics
    .filter((diagnostic) => diagnostic.code === code)
    .map(({ file, line }) => `${file}:${line}`);
  return [...new Set(places)];
}
