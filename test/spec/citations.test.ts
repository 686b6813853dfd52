import { expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../generator/json/json.ts';
import { contractFiles, parseSpec } from './contract-files.ts';

/** The numbered statements of the source document that state a fact. */
const stating =
  '1.1 1.2 1.3 1.4 1.5 1.6 2.1 2.2 2.3 2.4 2.5 2.6 2.7 3.1 3.2 3.3 3.4 3.5 3.6 4.1 4.2 4.3 4.4 ' +
  '5.1 5.2 5.3 5.4 5.5 5.6 6.1 6.2 6.3.1 6.3.2 6.3.3 6.3.4 6.3.5 6.3.6 6.4 7.1 7.2 8.1 8.2 9.1';

/** The statements that only name what is not shown; parts 2 and 3 end with one. */
const withholding = '1.7 2 3 5.7 5.8 7.3 7.4 8.3 9.2';

const files = [...contractFiles().values(), parseSpec('workflows/flows.yaml')];

test('every statement of the source document is cited by what it states', () => {
  const cited = new Set(files.flatMap((file) => citedAs('x-source', file)));
  expect([...cited].toSorted()).toEqual(stating.split(' ').toSorted());
});

test('every statement about what is not shown is cited by a question, and by no fact', () => {
  const asked = new Set(files.flatMap((file) => citedAs('source', file)));
  expect(withholding.split(' ').filter((section) => !asked.has(section))).toEqual([]);
  const listedSections = [...stating.split(' '), ...withholding.split(' ')];
  expect([...asked].filter((section) => !listedSections.includes(section))).toEqual([]);
});

/** The sections that a member cites, wherever it is. */
function citedAs(member: string, value: Json | undefined): readonly string[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((element) => citedAs(member, element));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    // An answer is no fact: it cites the section that leaves open what it answers.
    if (key === 'actions' && member === 'x-source') return [];
    if (key !== member) return citedAs(member, child);
    return [child].flat().filter((section) => typeof section === 'string');
  });
}
