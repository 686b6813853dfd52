import { examples as examplesRule } from '../../generator/rules/examples.ts';
import { describe, expect, it } from 'vitest';
import { contractRules, documentRules } from '../../generator/rules/rules.ts';
import {
  check,
  loadFiles,
  markedPlaces,
  placesWith,
  type Breach,
  type Observance,
} from './rule-case.ts';
import * as examples from './cases/examples.ts';
import * as ledger from './cases/ledger.ts';
import * as names from './cases/names.ts';
import * as notifications from './cases/notifications.ts';
import * as operations from './cases/operations.ts';
import * as schemas from './cases/schemas.ts';
import * as signatures from './cases/signatures.ts';
import * as sources from './cases/sources.ts';
import * as vocabulary from './cases/vocabulary.ts';

const files = [
  examples,
  ledger,
  names,
  notifications,
  operations,
  schemas,
  signatures,
  sources,
  vocabulary,
];
const breaches: readonly Breach[] = files.flatMap((file) => file.breaches);
const observances: readonly Observance[] = files.flatMap((file) => file.observances);
const rules = [...documentRules, ...contractRules, examplesRule];

describe('a contract that breaks a rule', () => {
  it.each(breaches)('$rule: $name', async ({ files: texts, code, rule, says = '', helps = '' }) => {
    const documents = await loadFiles(texts);
    const marked = markedPlaces(texts);
    expect(marked, 'the case marks no line').not.toEqual([]);

    const found = (await check(documents)).filter((diagnostic) => diagnostic.code === code);
    expect(placesWith(code, found)).toEqual(marked);
    for (const { message, help, pointer } of found) {
      expect(message).toContain(says);
      expect(help).toContain(helps);
      expect(pointer).toMatch(/^(?:openapi|asyncapi)#/);
    }

    const off = placesWith(code, await check(documents, rule));
    expect(off.filter((place) => marked.includes(place))).toEqual([]);
  });
});

describe('a contract that keeps a rule', () => {
  it.each(observances)('$code is not said of $name', async ({ files: texts, code }) => {
    const documents = await loadFiles(texts);
    expect((await check(documents)).filter((diagnostic) => diagnostic.code === code)).toEqual([]);
  });
});

describe('the list of rules', () => {
  it('has a case that fails without it for every code of every rule', () => {
    const covered = new Set(breaches.map(({ rule, code }) => `${rule} ${code}`));
    const wanted = rules.flatMap(({ name, codes }) => codes.map((code) => `${name} ${code}`));
    expect(wanted.filter((pair) => !covered.has(pair))).toEqual([]);
  });

  it('has each name once', () => {
    const all = rules.map(({ name }) => name);
    expect(new Set(all).size).toBe(all.length);
  });

  it('emits no code that a rule does not declare', async () => {
    const codes = new Map(rules.map((rule) => [rule.name, new Set<string>(rule.codes)]));
    for (const { rule, code } of breaches) expect(codes.get(rule)).toContain(code);
  });
});
