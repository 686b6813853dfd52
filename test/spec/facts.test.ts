import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../generator/json/json.ts';
import { parseSpec } from './contract-files.ts';
import { sourceFacts } from './source-facts.ts';

test.each(sourceFacts)('%s: %s states %j', (section, place, states) => {
  const { value, cited } = resolve(place);
  // The nearest object with citations around the place.
  expect(cited).toContain(section);
  if (typeof states === 'string') expect(oneLine(value)).toContain(states);
  else if ('is' in states) expect(value).toBe(states.is);
  else expect([value].flat()).toEqual(states);
});

test('each table has as many facts as rows, or more', () => {
  const rowCounts = { 2.1: 2, 2.2: 9, 2.3: 6, 2.4: 12, 2.5: 5, 2.6: 11, 2.7: 9, 3.1: 3, 3.2: 3 };
  const otherCounts = { 3.3: 1, 3.4: 1, 3.5: 2, 3.6: 3, 4.1: 4, 4.4: 7, 5.4: 4, 6.2: 8, 6.4: 2 };
  const factsBySection = Map.groupBy(sourceFacts, ([section]) => section);
  for (const [section, count] of Object.entries({ ...rowCounts, ...otherCounts }))
    expect(factsBySection.get(section)?.length ?? 0, section).toBeGreaterThanOrEqual(count);
});

test('every section that states a fact has one here', () => {
  const stating =
    '1.1 1.2 1.3 1.4 1.5 1.6 2.1 2.2 2.3 2.4 2.5 2.6 2.7 3.1 3.2 3.3 3.4 3.5 3.6 4.1 4.2 4.3 4.4 ' +
    '5.1 5.2 5.3 5.4 5.5 5.6 6.1 6.2 6.3.1 6.3.2 6.3.3 6.3.4 6.3.5 6.3.6 6.4 7.1 7.2 8.1 8.2 9.1';
  const sections = new Set(sourceFacts.map(([section]) => section));
  expect([...sections].toSorted()).toEqual(stating.split(' ').toSorted());
});

test('the way to confirm a cash-out is in the types, and in the README of the receiver', () => {
  for (const file of ['webhooks/README.md', 'contract/src/index.ts'])
    expect(readGenerated(file), file).toContain('`/cashout/confirm`');
});

test('no example has an amount that follows from others, or an identifier in the form of a scheme', () => {
  const folder = new URL('../../spec/examples/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const { Pix } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { Pix?: Json };
    const texts = JSON.stringify(Pix ?? null);
    expect(texts, name).not.toMatch(/"[ED][0-9]{8}/u);
    if (!isJsonObject(Pix) || !('Amount' in Pix) || typeof Pix['Amount'] !== 'number') continue;
    // With amounts of 0 or null, every reading of `amount-relation` has the same result.
    const parts = ['Discount', 'Reduction', 'Penalty', 'Interest'].map((member) => Pix[member]);
    if (parts.some((part) => part !== null && typeof part !== 'number')) continue;
    expect(
      parts.filter((part) => part !== 0 && part !== null && part !== undefined),
      name,
    ).toEqual([]);
    if (typeof Pix['OriginalAmount'] === 'number')
      expect(Pix['Amount'], name).toBe(Pix['OriginalAmount']);
  }
});

test('generated texts say nothing about tokens that the source leaves open', () => {
  expect(readGenerated('client/README.md')).not.toContain('safe to issue');
  expect(readGenerated('client/src/operations.ts')).not.toContain('always repeatable');
});

test('no step of a workflow creates or reverses a charge', () => {
  const texts = JSON.stringify(parseSpec('workflows/flows.yaml'));
  expect(texts).not.toMatch(/charge is (?:created|reversed)|Create a|Reverse a|Register a/u);
});

test('an example in the types has its caveat', () => {
  expect(readGenerated('contract/src/index.ts')).toMatch(
    /@example\n \* Validated\. The status is a placeholder/u,
  );
});

function readGenerated(path: string): string {
  return readFileSync(new URL(`../../generated/${path}`, import.meta.url), 'utf8');
}

function oneLine(value: Json | undefined): string {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value.replaceAll(/\s+/gu, ' ');
}

/** Returns the value at a place, and the sections that the nearest object around it cites. */
function resolve(place: string): { readonly value: Json; readonly cited: readonly Json[] } {
  const [file = '', pointer = ''] = place.split('#');
  let value: Json = parseSpec(file);
  let cited: readonly Json[] = [];
  const cite = (): void => {
    if (isJsonObject(value) && value['x-source'] !== undefined) cited = [value['x-source']].flat();
  };
  cite();
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: Json | undefined = Array.isArray(value)
      ? (value as readonly Json[])[Number(name)]
      : isJsonObject(value)
        ? value[name]
        : undefined;
    if (next === undefined) throw new TypeError(`nothing at ${place}`);
    value = next;
    cite();
  }
  return { value, cited };
}
