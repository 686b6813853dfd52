import { createConfig } from '@redocly/openapi-core';
import { describe, expect, it, vi } from 'vitest';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.ts';
import { lintCatalogue } from '../../../generator/diagnostics/lint-catalogue.ts';
import { redoclyRules } from '../../../generator/diagnostics/redocly-catalogue.ts';
import { contractLintRules, documentLintRules } from '../../../generator/tools/lint/rules.ts';
import { edited, findings } from './findings.ts';
import { lintFiles, toLine, toLines } from './lint-case.ts';
import { asyncapi, openapi } from './parcels.ts';
import { someOf } from '../../some.ts';

// A thread for each of these contracts would take most of the time. It has tests of its own.
vi.mock(import('../../../generator/load/validate/swagger-parser-opinion.ts'), async () => ({
  askSwaggerParser: (await import('../../../generator/load/validate/check-openapi.ts'))
    .checkOpenapi,
}));

const rules = [...documentLintRules, ...contractLintRules];

/** The lines of all but notes with another code. */
function toLinesWith(code: string, diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.severity !== 'info' || diagnostic.code === code)
    .map(toLine);
}

it('a valid contract has no findings', async () => {
  const { diagnostics } = await lintFiles({ 'openapi.yaml': openapi, 'asyncapi.yaml': asyncapi });
  const message = 'change test/tools/lint/parcels.ts so that it has no findings of a new rule';
  expect(toLines(diagnostics), message).toEqual([]);
});

describe('a contract that breaks one rule', () => {
  it.each(someOf(4, findings))('$code is said of $name, and nothing else', async (row) => {
    const { diagnostics } = await lintFiles(edited(row.breaks));
    expect(toLinesWith(row.code, diagnostics)).toEqual(row.finds);
    expect(row.finds.some((line) => line.startsWith(`${row.code} `))).toBe(true);
    const said = diagnostics.map(({ message, help }) => `${message} ${help}`).join('\n');
    expect(said).toContain(row.says ?? '');
    for (const { pointer } of diagnostics) expect(pointer).toMatch(/^(?:openapi|asyncapi)#/u);
  });
});

describe('a contract that looks as if it broke a rule', () => {
  it.each(someOf(4, findings))('$code is not said beside: $name', async ({ code, keeps }) => {
    const { diagnostics } = await lintFiles(edited(keeps));
    expect(toLinesWith(code, diagnostics)).toEqual([]);
  });
});

it('ambiguous notifications are one finding for each group', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `found${index}`);
  const each = (write: (name: string) => string): string => names.map(write).join('');
  const text = asyncapi
    .replace(/ {6}x-unstated:\n.*\n/u, '')
    .replace(
      /^operations:\n/mu,
      `${each((name) => `  ${name}: { address: /${name}, x-source: '4', messages: { ${name}: { $ref: '#/components/messages/${name}' } } }\n`)}$&${each((name) => `  ${name}: { action: send, channel: { $ref: '#/channels/${name}' }, security: [], x-source: '4' }\n`)}`,
    )
    .replace(
      /^ {2}messages:\n/mu,
      `$&${each((name) => `    ${name}: { x-source: '4', payload: { $ref: '#/components/schemas/Find' }, x-identified-by: { $request.body#/found: {} } }\n`)}`,
    );
  const { diagnostics } = await lintFiles({ 'openapi.yaml': openapi, 'asyncapi.yaml': text });
  const messages = diagnostics
    .filter(({ code }) => code === 'unanswered-ambiguity')
    .map(({ message }) => message);
  expect(messages).toHaveLength(2);
  expect(messages.join('\n')).toContain('"found9" and 4 more, and no ledger entry');
});

it('a schema that both documents use is complained of once', async () => {
  const files = {
    'openapi.yaml': openapi.replace(/Parcel:\n[^]*$/u, 'Parcel: { $ref: ./Parcel.yaml }\n'),
    'asyncapi.yaml': asyncapi.replace(
      'lost: { type: boolean',
      'lost: { $ref: ./Parcel.yaml }, at: { type: boolean',
    ),
    'Parcel.yaml':
      "type: object\nx-source: '3'\nproperties:\n  weight: { type: number, x-source: '3' }\n",
  };
  const { diagnostics } = await lintFiles(files);
  const numbers = diagnostics.filter(({ code }) => code === 'unbounded-number');
  expect(numbers.map(toLine)).toEqual(['unbounded-number Parcel.yaml:4:3']);
});

it('cites are asked of those who cite: a contract that names no document receives that message once', async () => {
  const unnamed = (text: string): string =>
    text.replace('  x-source-document: The parcel book\n', '');
  const files = { 'openapi.yaml': unnamed(openapi), 'asyncapi.yaml': unnamed(asyncapi) };
  const { diagnostics } = await lintFiles(files);
  expect(toLines(diagnostics)).toEqual(['unnamed-source-document openapi.yaml:8:37']);
});

it('a contract of another vocabulary is not asked for sources and ledgers', async () => {
  const plain = (text: string): string => text.replace('  x-countersign: 1\n', '');
  const files = { 'openapi.yaml': plain(openapi), 'asyncapi.yaml': plain(asyncapi) };
  const { diagnostics } = await lintFiles(files);
  expect(diagnostics.map(({ code }) => code)).not.toContain('unanswered-ambiguity');
  expect(diagnostics.map(({ code }) => code)).not.toContain('uncited-fact');
});

it('a schema that is a boolean, over which a library trips, leaves the other rules at work', async () => {
  const anything = openapi.replace('{ type: string, pattern: ', '{ not: true, pattern: ');
  const text = anything.replace('      summary: Reads a parcel.\n', '');
  const { diagnostics } = await lintFiles({
    'openapi.yaml': text.replace('schema: { type: string }', 'schema: true'),
  });
  expect(toLines(diagnostics)).toEqual(['redocly/operation-summary openapi.yaml:14:5']);
});

describe('the list of rules', () => {
  it('has a case for every code that lint can say of a contract', () => {
    const covered = new Set<string>(findings.map(({ code }) => code));
    // Reading a document reports what swagger-parser finds, except in documents that test its rule.
    const codesOfLoading = ['unnamed-source-document', 'swagger-parser', 'unused-exception'];
    const wanted = Object.keys(lintCatalogue).filter((code) => !codesOfLoading.includes(code));
    const message = 'add a row to test/tools/lint/findings.ts for each code';
    expect(
      wanted.filter((code) => !covered.has(code)),
      message,
    ).toEqual([]);
  });

  it('declares every code once', () => {
    const declared = rules.flatMap(({ codes }) => codes);
    expect([...declared, 'unused-exception'].toSorted()).toEqual(
      Object.keys(lintCatalogue).toSorted(),
    );
  });

  it('is what Redocly recommends, but for what reading the contract says already', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const recommended = (['oas3_0', 'oas3_1', 'async3'] as const).flatMap((version) =>
      Object.entries(config.rules[version]).flatMap(([rule, value]) => {
        const severity: unknown = typeof value === 'string' ? value : value.severity;
        return severity === 'off' ? [] : [rule];
      }),
    );
    const otherRules = recommended.filter(
      (rule) => !redoclyRules.some((redoclyRule) => redoclyRule === rule),
    );
    expect([...new Set(otherRules)].toSorted()).toEqual(saidWhenRead);
    expect(redoclyRules.filter((rule) => !recommended.includes(rule))).toEqual([]);
  });
});

/** Each has a code of the main catalogue, and a case there. */
const saidWhenRead = [
  'no-duplicated-tag-names',
  'no-enum-type-mismatch',
  'no-identical-paths',
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined',
  'no-undefined-server-variable',
  'no-unresolved-refs',
  // `operation-without-success` reports it.
  'operation-2xx-response',
  'operation-operationId-unique',
  'operation-parameters-unique',
  'path-declaration-must-exist',
  'path-not-include-query',
  'path-parameters-defined',
  'spec-components-invalid-map-name',
  'struct',
];
