import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { load } from '../../generator/load/load.ts';
import { lower } from '../../generator/contract/lower/lower.ts';
import { riskiest } from '../../generator/contract/ledger-states.ts';
import { expectRecorded } from '../figures/expect-recorded.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const documents = await load(
  { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
  { folder: repository },
);
const { contract } = lower(documents);

const types = await read('contract/src');
const receiver = await read('webhooks/src');
const client = await read('client/src');

const generatedFiles = await readModules('.');
const ledgerLine = /^ *(?:\/\*)?\* +(?:Open|Settled): .*$/gmu;

async function read(folder: string): Promise<string> {
  return (await readModules(folder)).map(([, text]) => text).join('\n');
}

/** Reads the TypeScript modules below a folder of `generated/`, without those that are built from them. */
async function readModules(folder: string): Promise<readonly (readonly [string, string])[]> {
  const at = join(repository, 'generated', folder);
  const entries = await readdir(at, { recursive: true });
  const files = entries
    .filter((file) => /(?<!\.d)\.ts$/u.test(file) && !/(?:^|\/)(?:node_modules|dist)\//u.test(file))
    .toSorted();
  return await Promise.all(
    files.map(async (file) => [file, await readFile(join(at, file), 'utf8')] as const),
  );
}

/**
 * Returns the sentences of all comments, without those of six words or less, such as the description of a member, and
 * without lines that are not prose: names of ledger entries, sections, examples.
 */
function sentencesOf(text: string): readonly string[] {
  return (text.match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\//gu) ?? []).flatMap((comment) =>
    comment
      .slice(3, -2)
      .replaceAll(/^ *\* ?/gmu, '')
      .replace(/^@[\s\S]*/mu, '')
      .replaceAll(/^ *(?:Open|Settled): .*$/gmu, '')
      .split(/(?<=[.!?])\s+|\n\s*\n/u)
      .map((sentence) => sentence.replaceAll(/\s+/gu, ' ').trim())
      .filter((sentence) => sentence.split(' ').length > 6),
  );
}

/** Whether a text has a line of a comment that names an open entry. */
function names(text: string, id: string): boolean {
  return new RegExp(String.raw`^ *(?:/\*)?\* Open: (?:.*, )?${id}(?:[ ,]|$)`, 'mu').test(text);
}

describe('every ledger entry is named where generated code depends on it', () => {
  const inSchemas = contract.unstated.filter(({ pointer }) => pointer.includes('/schemas/'));
  test.each(inSchemas.map(({ id }) => id))('types: %s', (id) => {
    expect(names(types, id)).toBe(true);
  });

  const ofNotifications = contract.unstated.filter(
    ({ pointer }) => pointer.startsWith('asyncapi#') && !/\/(?:schemas|parameters)\//.test(pointer),
  );
  test.each(ofNotifications.map(({ id }) => id))('receiver: %s', (id) => {
    // An entry whose answers change schemas alone is named there.
    expect(names(receiver, id) || names(types, id)).toBe(true);
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
    expect(names(client, id)).toBe(true);
  });

  test('an event names the entry that changes a condition by which it is identified', () => {
    const comment =
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export type CashoutStageTwoEvent/.exec(receiver)?.[1] ??
      '';
    for (const id of ['failed-cashout-end-to-end-id', 'cashout-confirmed-meaning'])
      expect(names(comment, id)).toBe(true);
  });

  test('a member of what travels names the entry that widens it', async () => {
    expect(names(await declarationOf('CustomerWire'), 'customer-errors-form')).toBe(true);
  });

  test('each code list names the one question about it', async () => {
    for (const name of [
      'PixStatus',
      'PixOperationType',
      'CashoutOperationType',
      'CashoutReversalOperationType',
      'CashoutReversalMovementType',
    ]) {
      const text = await declarationOf(name);
      const named = [...text.matchAll(/[a-z-]+-lists?\b/gu)].map(([listName]) => listName);
      expect(named).toEqual(['code-lists']);
    }
  });
});

describe('the texts of the ledger', () => {
  const elsewhere = generatedFiles.filter(([path]) => !path.endsWith('/open-questions.ts'));
  const kept =
    generatedFiles.find(([path]) => path === 'contract/src/open-questions.ts')?.[1] ?? '';
  /** The literal of a text, as generated code has it. */
  const inCode = (text: string): string => text.replaceAll("'", String.raw`\'`);

  test.each(contract.unstated.map((entry) => [entry.id, entry] as const))(
    '%s has all of its texts in open-questions.ts',
    (id, { question, remark = '', choices, source }) => {
      const start = kept.indexOf(` id: '${id}'`);
      const part = kept.slice(start, kept.indexOf('\n  },', start));
      const meanings = choices.map(({ meaning }) => meaning);
      for (const text of [question, remark, ...meanings, ...source])
        expect(
          [text, inCode(text)].some((spelling) => part.includes(spelling)),
          text,
        ).toBe(true);
    },
  );

  test('are in no other module', () => {
    const texts = contract.unstated.flatMap(({ question, remark = '', choices }) => [
      question,
      remark,
      ...choices.map(({ meaning }) => meaning),
    ]);
    // A short text, such as a word, can be in a module for another reason.
    const long = texts.filter(({ length }) => length > 20);
    const copies = elsewhere.flatMap(([path, text]) =>
      long
        .filter((longText) => text.includes(longText) || text.includes(inCode(longText)))
        .map((longText) => [path, longText]),
    );
    expect(copies).toEqual([]);
  });

  test('have the recorded size with the lines that name its entries', async () => {
    const lines = elsewhere.flatMap(([, text]) => text.match(ledgerLine) ?? []);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    expect(lines.length).toBeGreaterThan(80);
    await expectRecorded('ledger-lines', { bytes });
  });

  test('are named on one line of a comment', () => {
    for (const [path, text] of elsewhere) {
      for (const comment of text.match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\//gu) ?? [])
        expect(comment.match(ledgerLine)?.length ?? 0, `${path}: ${comment}`).toBeLessThan(2);
    }
  });
});

test('no module has a sentence twice, and no schema', () => {
  // openapi-typescript writes all schemas into one module, also those with the members of another. The runtime is written
  // by hand.
  const modules = generatedFiles
    .filter(([path]) => !/^(?:openapi-types|runtime)\//u.test(path))
    .flatMap(([path, text]) =>
      path === 'contract/src/index.ts'
        ? // A schema with the members of another repeats their comments.
          text.split(/^\}$|;$/mu).map((part) => [path, part] as const)
        : [[path, text] as const],
    );
  const repeated = modules.flatMap(([path, text]) => {
    // A handler is read alone: it has each note that concerns it, and one for several kinds has the notes of all.
    const withoutNotes = text.replaceAll(/^ *\* Note: .*$/gmu, '');
    const counts = Map.groupBy(sentencesOf(withoutNotes), (sentence) => sentence);
    return [...counts].flatMap(([sentence, { length }]) => (length > 1 ? [[path, sentence]] : []));
  });
  expect(repeated).toEqual([]);
});

test('a description of an operation is at one place of the client', () => {
  expect(client.match(/Issues the access token\./gu)).toHaveLength(1);
  expect(client.match(/Obtain it before making other API requests\./gu)).toHaveLength(1);
});

/** Each member of an interface whose type is the given one, with the comment above it. */
function membersOf(type: string): readonly { readonly name: string; readonly comment: string }[] {
  const member = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*(\w+)\??: ${type}(?: \| null)?;`,
    'g',
  );
  return Array.from(types.matchAll(member), ([, comment = '', name = '']) => ({ name, comment }));
}

test('every date-time names its type, which is one of ISO 8601', () => {
  const members = membersOf('DateTime');
  expect(new Set(members.map(({ name }) => name))).toEqual(new Set(['createdAt', 'confirmedAt']));
  for (const { comment } of members) expect(comment).toContain('Type: `DateTime`.');
  expect(types.match(/An ISO 8601 date-time\./gu)).toHaveLength(1);
});

test('every amount names its type, which is a decimal number and says what the option `numbers` does', () => {
  const members = membersOf('DecimalAmount');
  expect(new Set(members.map(({ name }) => name))).toEqual(
    new Set(['amount', 'Amount', 'OriginalAmount', 'Discount', 'Reduction', 'Penalty', 'Interest']),
  );
  for (const { comment } of members) {
    expect(comment).toContain('Type: `DecimalAmount`.');
  }
  const about =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export type DecimalAmount\b/.exec(types)?.[1] ?? '';
  expect(about).toContain('A decimal.');
  expect(about).toContain('A JSON number in decimal notation');
  expect(about).toContain("With the option `numbers: 'text'`");
});

test('the README of the contract states how numbers and dates arrive', async () => {
  const readme = await readFile(join(repository, 'generated/contract/README.md'), 'utf8');
  expect(readme).toMatch(/\| `DateTime` +\| string +\| An ISO 8601 date-time\./);
  expect(readme).toMatch(/\| `DecimalAmount` \| number +\| A decimal\./);
  expect(readme).toContain("With the option `numbers: 'text'`");
});

test('the client describes its signing secret, not the signature', () => {
  const comment =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly signingSecret:/.exec(client)?.[1] ?? '';
  expect(comment).toContain('The private key that the service operator issues.');
  expect(names(comment, 'signing-key-encoding')).toBe(true);
  expect(comment).not.toContain('HMAC with');
});

test('the README of the client states what decides about repetitions', async () => {
  const readme = await readFile(join(repository, 'generated/client/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Retries'));
  for (const text of ['`x-request-id`', '`x-repeatable`', 'a call that moves money', 'cash-out'])
    expect(section).toContain(text);
  const entry = contract.unstated.find(({ id }) => id === 'repeated-request-id');
  expect(section).toContain(`- \`repeated-request-id\`: ${entry?.question ?? ''}`);
  for (const { name, meaning } of entry?.choices ?? [])
    expect(section).toContain(`  - \`${name}\`: ${meaning}`);
});

describe('what a reader of the receiver alone finds', async () => {
  const read = (path: string): Promise<string> => readFile(join(repository, path), 'utf8');
  const page = await read('generated/webhooks/README.md');

  test('what to do about status 2 at stage 2 is at its handler and in the README', async () => {
    const events = await read('generated/webhooks/src/events.ts');
    const handler = events.slice(0, events.indexOf('readonly cashoutStageTwo?:'));
    const comment = handler.slice(handler.lastIndexOf('/**'));
    const [row] = /^- `cashoutStageTwo`: .*\n(?: {2}- .*\n)+/mu.exec(page) ?? [];
    for (const text of [comment.replaceAll(/\s+\* /gu, ' '), row])
      expect(text).toMatch(/treat such a withdrawal as failed, and neither confirm/u);
  });

  test('the words of the project are explained where they are first used', () => {
    expect(page).toMatch(/The ledger, which is the contract's list of questions/u);
    expect(page.indexOf('edger')).toBe(page.indexOf('edger, which is'));
    expect(page.search(/\boverlay/iu)).toBe(page.search(/overlay, which is a file of changes/iu));
  });

  test('no sentence promises that the sender repeats a delivery', () => {
    expect(page).not.toMatch(/so that the sender/u);
  });

  test('what to ask before going live is listed, the worst loss first', async () => {
    const start = page.indexOf('## Before you go live');
    const list = page.slice(start, page.indexOf('## Use'));
    const ids = Array.from(list.matchAll(/^- .+\(`([a-z-]+)`\)$/gmu), ([, id]) => id);
    expect(ids).toEqual(riskiest(contract.unstated).map(({ id }) => id));
    expect(ids).toHaveLength(10);
    expect(ids[0]).toBe('notification-authentication');
    expect(ids.at(-1)).toBe('cashout-stage-one-status');
    const explained = await read('generated/contract/README.md');
    for (const { id, risk } of riskiest(contract.unstated)) {
      const line = explained
        .split('\n')
        .find((text) => text.startsWith('1. ') && text.includes(`(\`${id}\`)`));
      expect(line, id).toContain(`loses ${risk.loses}: ${risk.because}`);
      expect(line, id).toContain(`countersign settle ${id}=`);
    }
  });
});

/** Returns the declaration of a type of the contract's package, from its comment to its guards. */
async function declarationOf(name: string): Promise<string> {
  const text = await readFile(join(repository, 'generated/contract/src/index.ts'), 'utf8');
  const end = text.indexOf(`export const is${name}: `);
  const start = /\n\/\*\*(?:(?!\*\/)[\s\S])*\*\/\nexport (?:const|type|interface) NAME\b/.source;
  const [found] = new RegExp(start.replace('NAME', name), 'u').exec(text) ?? [];
  if (end < 0 || found === undefined) throw new Error(`There is no ${name}.`);
  return text.slice(text.indexOf(found), end);
}
