import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { load } from '../../generator/load/load.ts';
import { lower } from '../../generator/contract/lower/lower.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const documents = await load(
  { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
  { folder: repository },
);
const { contract } = lower(documents);

const types = await read('contract/src/types');
const receiver = await read('webhooks/src');
const client = await read('client/src');

async function read(folder: string): Promise<string> {
  const at = join(repository, 'generated', folder);
  const entries = await readdir(at, { recursive: true });
  const files = entries.filter((file) => file.endsWith('.ts')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(at, file), 'utf8')));
  return texts.join('\n');
}

describe('every ledger entry is named where generated code depends on it', () => {
  const inSchemas = contract.unstated.filter(({ pointer }) => pointer.includes('/schemas/'));
  test.each(inSchemas.map(({ id }) => id))('types: %s', (id) => {
    expect(types).toContain(`- Open question \`${id}\`: `);
  });

  const ofNotifications = contract.unstated.filter(
    ({ pointer }) => pointer.startsWith('asyncapi#') && !/\/(?:schemas|parameters)\//.test(pointer),
  );
  test.each(ofNotifications.map(({ id }) => id))('receiver: %s', (id) => {
    expect(receiver).toContain(`Open question \`${id}\`: `);
  });

  // What the document as a whole leaves open concerns no part of the client.
  const ofCalls = contract.unstated.filter(
    ({ pointer, usedBy }) =>
      (pointer.startsWith('openapi#') && !pointer.startsWith('openapi#/info/')) ||
      usedBy.some((at) => at.startsWith('openapi#')),
  );
  test.each(
    ofCalls
      .map(({ id }) => id)
      .filter((id) => !['signed-body', 'timestamp-tolerance', 'key-rotation'].includes(id)),
  )('client: %s', (id) => {
    expect(client).toContain(`Open question \`${id}\`: `);
  });

  test('an event names the entry that changes a condition by which it is identified', () => {
    const comment =
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export type CashoutStageTwoEvent/.exec(receiver)?.[1] ??
      '';
    for (const id of ['failed-cashout-end-to-end-id', 'cashout-confirmed-meaning'])
      expect(comment).toContain(`Open question \`${id}\`: `);
  });

  test('a member of what travels names the entry that widens it', async () => {
    const path = join(repository, 'generated/contract/src/types/customer-wire.ts');
    expect(await readFile(path, 'utf8')).toContain('Open question `customer-errors-form`: ');
  });

  test('each code list names the one question about it', async () => {
    for (const [file, id] of [
      ['pix-status', 'transaction-status-list'],
      ['pix-operation-type', 'charge-operation-type-list'],
      ['cashout-operation-type', 'cashout-operation-type-list'],
      ['cashout-reversal-operation-type', 'cashout-reversal-operation-type-list'],
      ['cashout-reversal-movement-type', 'movement-type-list'],
    ] as const) {
      const path = join(repository, `generated/contract/src/types/${file}.ts`);
      const text = await readFile(path, 'utf8');
      const named = [...text.matchAll(/Open question `(?<id>[a-z-]+-list)`: /gu)];
      expect(new Set(named.map((match) => match.groups?.['id']))).toEqual(new Set([id]));
    }
  });
});

/** Each member of an interface whose type is the given one, with the comment above it. */
function membersOf(type: string): readonly { readonly name: string; readonly comment: string }[] {
  const member = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*(\w+)\??: ${type}(?: \| null)?;`,
    'g',
  );
  return Array.from(types.matchAll(member), ([, comment = '', name = '']) => ({ name, comment }));
}

test('every date-time says that it is one of ISO 8601', () => {
  const members = membersOf('DateTime');
  expect(new Set(members.map(({ name }) => name))).toEqual(new Set(['createdAt', 'confirmedAt']));
  for (const { comment } of members) expect(comment).toContain('An ISO 8601 date-time.');
});

test('every amount says that it is a decimal number, and what the option `numbers` does', () => {
  const members = membersOf('DecimalAmount');
  expect(new Set(members.map(({ name }) => name))).toEqual(
    new Set(['amount', 'Amount', 'OriginalAmount', 'Discount', 'Reduction', 'Penalty', 'Interest']),
  );
  for (const { comment } of members) {
    expect(comment).toContain('A decimal.');
    expect(comment).toContain('A JSON number in decimal notation');
    expect(comment).toContain("With the option `numbers: 'text'`");
  }
});

test.each(['contract', 'webhooks'])(
  'the README of %s states how numbers and dates arrive',
  async (name) => {
    const readme = await readFile(join(repository, `generated/${name}/README.md`), 'utf8');
    expect(readme).toMatch(/\| `DateTime` +\| string +\| An ISO 8601 date-time\./);
    expect(readme).toMatch(/\| `DecimalAmount` \| number +\| A decimal\./);
    expect(readme).toContain("With the option `numbers: 'text'`");
  },
);

test('the client describes its signing secret, not the signature', () => {
  const comment =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly signingSecret:/.exec(client)?.[1] ?? '';
  expect(comment).toContain('The private key that the service operator issues.');
  expect(comment).toContain('Open question `signing-key-encoding`: ');
  expect(comment).not.toContain('HMAC with');
});

test('the README of the client states what decides about repetitions', async () => {
  const readme = await readFile(join(repository, 'generated/client/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Retries'), readme.indexOf('## Operations'));
  for (const text of ['`x-request-id`', '`x-repeatable`', 'a call that moves money', 'cash-out'])
    expect(section).toContain(text);
  const entry = contract.unstated.find(({ id }) => id === 'repeated-request-id');
  expect(section).toContain(`- \`repeated-request-id\`: ${entry?.question ?? ''}`);
  for (const { name, meaning } of entry?.choices ?? [])
    expect(section).toContain(`  - \`${name}\`: ${meaning}`);
});
