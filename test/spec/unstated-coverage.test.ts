import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../generator/json/json.ts';
import {
  contractFiles,
  listSpec,
  objectAt,
  objectsAt,
  parseSpec,
  readSpec,
  textAt,
  unstatedIn,
} from './contract-files.ts';

interface Row {
  readonly section: string;
  readonly item: string;
  readonly ids: readonly string[];
}

/** Where to read which pages and tests follow from a change of the contract. */
const followers = 'see "Changing the contract" in CONTRIBUTING.md';
const all = readRows(readSpec('unstated.md'));
const rows = all.filter(({ section }) => section !== 'Without choices');
const withoutChoices = all.filter((row) => !rows.includes(row)).flatMap((row) => row.ids);
const entries = [...contractFiles().values()].flatMap(unstatedIn);
const ids = entries.map(([id]) => id);

describe('the table of what the source leaves open', () => {
  test('has the four parts, each with rows', () => {
    const lengths = Map.groupBy(rows, ({ section }) => section);
    expect([...lengths.keys()]).toEqual(['Not shown', 'Ambiguous or silent', 'Odd', 'Found by us']);
  });

  test.each(rows)('$item is recorded in the contract', (row) => {
    expect(row.ids).not.toEqual([]);
    expect(row.ids.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('names every entry of the contract, and each once', () => {
    expect(rows.flatMap((row) => row.ids).toSorted(), followers).toEqual(ids.toSorted());
  });
});

describe('the ledger', () => {
  test('gives each id to one entry', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('states why an entry that the contract depends on has no choices', () => {
    const expected = entries
      .filter(([, entry]) => entry['choices'] === undefined && entry['documentation'] !== true)
      .map(([id]) => id);
    expect(withoutChoices.toSorted(), followers).toEqual(expected.toSorted());
  });

  test.each(entries)('%s assumes one of its choices, if anything', (_id, entry) => {
    const choices = entry['choices'] === undefined ? [] : Object.keys(objectAt(entry, 'choices'));
    if (entry['assumed'] !== undefined) expect(choices).toContain(entry['assumed']);
    expect(entry).not.toHaveProperty('settled');
  });

  test('assumes nothing about the authentication of notifications', () => {
    const entry = new Map(entries).get('notification-authentication');
    expect(entry).toMatchObject({ source: '5.8' });
    expect(entry).not.toHaveProperty('assumed');
  });

  test('holds every question that a value of the contract waits for', () => {
    const asked = [...contractFiles().values()].flatMap(questionsIn);
    expect(asked).not.toEqual([]);
    expect(asked.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('the example overlays', () => {
  test.each(listSpec('overlays/'))(
    '%s settles questions of the ledger with choices they have',
    (name) => {
      const settled = settledBy(name);
      expect(settled).not.toEqual([]);
      for (const [id, answer] of settled) {
        const entry = new Map(entries).get(id);
        expect(entry, id).toBeDefined();
        const choices = entry?.['choices'];
        if (isJsonObject(choices)) expect(Object.keys(choices), id).toContain(answer);
      }
    },
  );

  test('settle two questions and the withheld name in the one file that renames it', () => {
    expect(settledBy('example.yaml').map(([id]) => id)).toEqual([
      'delivery-identity',
      'label-in-url',
      'platform-client-id-name',
    ]);
  });
});

function settledBy(overlay: string): readonly (readonly [string, string])[] {
  return objectsAt(parseSpec(`overlays/${overlay}`), 'actions').flatMap((action) => {
    const settled = isJsonObject(action['update']) ? action['update']['settled'] : undefined;
    const id = /\['(?<id>[^']+)'\]$/.exec(textAt(action, 'target'))?.groups?.['id'];
    return typeof settled === 'string' && id !== undefined ? [[id, settled] as const] : [];
  });
}

function questionsIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(questionsIn);
  if (!isJsonObject(value)) return [];
  const { unstated } = value;
  return typeof unstated === 'string' ? [unstated] : Object.values(value).flatMap(questionsIn);
}

function readRows(markdown: string): readonly Row[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [section = '', ...lines] = part.split('\n');
      const cells = lines
        .filter((line) => line.startsWith('|'))
        .map((line) => line.split('|').map((cell) => cell.trim()));
      return cells.slice(2).map(([, item = '', list = '']) => ({
        section,
        item,
        ids: [...list.matchAll(/`(?<id>[^`]+)`/g)].map((match) => match.groups?.['id'] ?? ''),
      }));
    });
}
