import { examples } from '../../generator/rules/examples.ts';
import { describe, expect, it } from 'vitest';
import { contractRules, documentRules } from '../../generator/rules/rules.ts';
import { check, loadFiles, markedPlaces, placesWith, ruleName } from './rule-case.ts';
import { breaches, observances } from './cases/cases.ts';

const rules = Object.entries({ ...documentRules, ...contractRules, examples }).map(
  ([key, { codes }]) => ({ name: ruleName(key), codes }),
);

describe('a contract that breaks a rule', () => {
  it.each(breaches)('$rule: $name', async (breach) => {
    const { files: texts, code, rule, says = '', helps = '' } = breach;
    const documents = await loadFiles(texts);
    const marked = markedPlaces(texts);
    expect(marked, 'end each line where the code is expected with `# here`').not.toEqual([]);

    const matchingDiagnostics = (await check(documents)).filter(
      (diagnostic) => diagnostic.code === code,
    );
    expect(placesWith(code, matchingDiagnostics)).toEqual(marked);
    for (const { message, help, pointer, severity } of matchingDiagnostics) {
      expect(message).toContain(says);
      expect(help).toContain(helps);
      expect(severity).toBe(breach.severity ?? severity);
      expect(pointer).toMatch(/^(?:openapi|asyncapi|workflows)#/);
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
    const message = 'add a case to test/rules/cases/ for each rule and code';
    expect(
      wanted.filter((pair) => !covered.has(pair)),
      message,
    ).toEqual([]);
  });

  it('emits no code that a rule does not declare', async () => {
    const codes = new Map(
      rules.map(({ name, codes: ruleCodes }) => [name, new Set<string>(ruleCodes)]),
    );
    for (const { rule, code } of breaches) expect(codes.get(rule)).toContain(code);
  });
});
