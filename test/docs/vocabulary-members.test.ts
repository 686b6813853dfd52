import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vocabulary } from '../../generator/contract/vocabulary/vocabulary.ts';
import { formatOwnedFile } from '../../generator/targets/format.ts';
import { membersSection } from './vocabulary-members.ts';
import { vocabularyPages } from './vocabulary-pages.ts';

const writes = (process.env['COUNTERSIGN_WRITE'] ?? '') !== '';

test.each(Object.keys(vocabulary))('the page of %s has the members of its schema', async (key) => {
  const path = join(vocabularyPages, `${key}.md`);
  const section = (await formatOwnedFile(`${key}.md`, membersSection(key))).trimEnd();
  const text = await readFile(path, 'utf8');
  const [, before = text, after = ''] =
    /^([^]*?\n)(?:## Members\n[^]*?\n)?(## Example\n[^]*)$/u.exec(text) ?? [];
  const expected = `${before}${section}\n\n${after}`;
  if (writes) await writeFile(path, expected);
  expect(await readFile(path, 'utf8'), 'run with COUNTERSIGN_WRITE=1').toBe(expected);
});

test('a member has its value, its default and its meaning', () => {
  const section = membersSection('x-signature');
  for (const row of [
    '| `algorithm` | `hmac-sha256`, `hmac-sha1`, `hmac-sha512`, `ed25519`, `ecdsa-p256-sha256`, `rsa-pss-sha256`, `rsa-v1_5-sha256` † | required |',
    '| `value` | a text, which must contain `{signature}` in the place of the signature | `{signature}` |',
    '| `saltLength` | a whole number from 0 to 222 † |',
    '| `timestamp.format.offset` | an offset such as -03:00 | +00:00 |',
  ])
    expect(section).toContain(row);
});

test('alternatives have their members', () => {
  const section = membersSection('x-variants');
  for (const row of [
    '| `<name>.as` | `number` |',
    '| `<name>.as` | `absent` |',
    '| `<name>.rename` | a map; each value a text |',
  ])
    expect(section).toContain(row);
});
