import { ts } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import type { ScaffoldError } from '../../../generator/tools/scaffold/scaffold-error.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { readTree, writeTree } from '../../output/tree.ts';
import { frameworkOf, growMangled, growParcels, mangledNames, readMangled } from './mangled.ts';

interface Grown {
  readonly edited: string;
  /** Default: a handler for each of the two kinds that are new. */
  readonly added?: readonly string[];
}

const lostAndReturned = ['src/handlers/lost.ts', 'src/handlers/returned.ts'];
const all = ['src/handlers/created.ts', 'src/handlers/moved.ts', ...lostAndReturned];

/** What becomes of applications that lack something. */
const grown: Readonly<Record<string, Grown>> = {
  bom: { edited: 'src/webhooks.ts' },
  'comma-first': { edited: 'src/webhooks.ts' },
  'comment-before-the-brace': { edited: 'src/webhooks.ts' },
  'comments-between': { edited: 'src/webhooks.ts' },
  'computed-keys': { edited: 'src/webhooks.ts' },
  crlf: { edited: 'src/webhooks.ts' },
  empty: { edited: 'src/webhooks.ts', added: all },
  'empty-but-for-a-comment': { edited: 'src/webhooks.ts', added: all },
  'folder-for-each': {
    edited: 'src/webhooks.ts',
    added: ['src/parcels/lost.ts', 'src/parcels/returned.ts'],
  },
  'handlers-in-another-file': { edited: 'src/kinds.ts' },
  inbox: { edited: 'src/work/worker.ts' },
  'inbox-in-postgres': { edited: 'src/worker.ts' },
  'inbox-of-several-receivers': { edited: 'src/worker.ts' },
  'inbox-worker-alone': {
    edited: 'worker.ts',
    added: ['handlers/lost.ts', 'handlers/returned.ts'],
  },
  'made-by-a-function': { edited: 'src/webhooks.ts' },
  'module-endings': { edited: 'webhooks.mts', added: ['lost.mts', 'returned.mts'] },
  'name-taken': { edited: 'src/webhooks.ts' },
  'nest-module': { edited: 'src/webhooks.module.ts' },
  'nest-one-line': { edited: 'src/app.module.ts' },
  'nested-spread': { edited: 'src/webhooks.ts' },
  'no-trailing-comma': { edited: 'src/webhooks.ts' },
  'not-registered-yet': { edited: 'src/webhooks.ts', added: ['src/handlers/returned.ts'] },
  'one-line': { edited: 'src/webhooks.ts' },
  'quoted-keys': { edited: 'src/webhooks.ts' },
  're-exported': { edited: 'src/lib/kinds.mts' },
  'receiver-of-all-frameworks': { edited: 'src/webhooks.ts' },
  'renamed-handlers': {
    edited: 'src/main.ts',
    added: ['src/parcels/lost.ts', 'src/parcels/returned.ts'],
  },
  'reordered-imports': { edited: 'src/webhooks.ts' },
  stacked: { edited: 'src/webhooks.ts' },
  tabs: { edited: 'src/webhooks.ts' },
  'trailing-comments': { edited: 'src/webhooks.ts' },
  worker: { edited: 'src/worker.ts' },
};

/** What is reported for applications that lack nothing that could be added. */
const complete: Readonly<Record<string, { removed: readonly string[]; rest: readonly string[] }>> =
  {
    'already-complete': { removed: [], rest: [] },
    'removed-notification': { removed: ['sold at src/webhooks.ts:13:5'], rest: [] },
    rest: { removed: [], rest: ['moved', 'lost', 'returned'] },
  };

/** Why others are left alone. */
const refused: Readonly<Record<string, readonly [code: string, ...problems: readonly string[]]>> = {
  circle: [
    'unreadable-registration',
    'src/webhooks.ts:6:15 the spread in `on` cannot be read: it refers to itself',
  ],
  'circle-of-calls': [
    'unreadable-registration',
    'src/webhooks.ts:3:19 `on` cannot be read: it refers to itself',
  ],
  'handlers-from-elsewhere': [
    'unreadable-registration',
    'src/webhooks.ts:6:12 the spread in `on` cannot be read: it comes from "@depot/handlers", which is not a file of this folder',
  ],
  'inbox-beside-handlers': [
    'several-registrations',
    'src/webhooks.ts:3:25 registers handlers; another place does too',
    'src/worker.ts:4:1 registers handlers; another place does too',
  ],
  'inbox-without-worker': [
    'unreadable-registration',
    'src/webhooks.ts:4:25 stores in an inbox, and no file here calls createWorker of @parcels/webhooks/worker: give the folder with the worker',
  ],
  'missing-on': ['unreadable-registration', 'src/webhooks.ts:3:48 the options must have `on`'],
  'name-only-a-run-would-tell': [
    'unreadable-registration',
    'src/webhooks.ts:9:9 the name of this handler is computed',
  ],
  occupied: ['occupied', 'src/handlers/lost.ts:1:1 already exists and does not export onLost'],
  'options-from-a-parameter': [
    'unreadable-registration',
    'src/webhooks.ts:4:51 `on` cannot be read: it is a parameter',
  ],
  'other-framework': [
    'other-framework',
    'src/worker.ts:5:7 receives with @parcels/webhooks-cloudflare: scaffold it as `cloudflare`, not as `node`',
  ],
  'several-registrations': [
    'several-registrations',
    'src/inside.ts:5:25 creates a receiver; another place does too',
    'src/outside.ts:5:25 creates a receiver; another place does too',
  ],
  'syntax-error': [
    'syntax-error',
    "src/handlers/created.ts:4:48 has a syntax error: ')' expected.",
    'src/webhooks.ts:8:24 has a syntax error: Property assignment expected.',
  ],
};

it('says of every mangled application what becomes of it', () => {
  const tableNames = [grown, complete, refused].flatMap((table) => Object.keys(table));
  expect(tableNames.toSorted()).toEqual(mangledNames);
});

describe('an application that people have changed', () => {
  it.each(Object.entries(grown))(
    'grows by insertions alone: %s',
    async (name, { edited, added = lostAndReturned }) => {
      const { before, after } = await readMangled(name);
      const { plan, tree, again } = await growMangled(name);
      expect(tree).toEqual(after);
      expect(plan.creates.map(({ path }) => path)).toEqual(added);
      expect(plan.edits.map(({ path }) => path)).toEqual([edited]);

      const { [edited]: old = '', ...untouched } = before;
      expect(tree).toMatchObject(untouched);
      const text = tree[edited] ?? '';
      expect(isSubsequence(old, text)).toBe(true);
      expect(commentsOf(text)).toEqual(commentsOf(old));
      expect(lineEndsOf(text)).toEqual(lineEndsOf(old));
      expect(text.startsWith('\ufeff')).toBe(old.startsWith('\ufeff'));

      expect([...again.creates, ...again.edits]).toEqual([]);
    },
  );

  it.each(Object.entries(complete))(
    'is left as it is where there is nothing to add: %s',
    async (name, { removed, rest }) => {
      const { plan, tree } = await growMangled(name);
      expect(tree).toEqual((await readMangled(name)).before);
      if (plan.kind !== 'updated') throw new Error('it is taken for no application');
      expect(plan.removed.map((gone) => `${gone.name} at ${placeText(gone)}`)).toEqual(removed);
      expect(plan.rest).toEqual(rest);
    },
  );

  it.each(Object.entries(refused))(
    'is left unchanged where nothing can be inserted, and the places are reported: %s',
    async (name, [code, ...problems]) => {
      const folder = await temporaryFolder();
      const { before } = await readMangled(name);
      await writeTree(folder, before);
      const error = await growParcels(folder, frameworkOf(name)).then(
        () => undefined,
        (thrown: ScaffoldError) => thrown,
      );
      expect(error?.code).toBe(code);
      expect(error?.problems.map((problem) => `${placeText(problem)} ${problem.message}`)).toEqual(
        problems,
      );
      expect(await readTree(folder)).toEqual(before);
    },
  );

  it('gets handlers for what `otherwise` takes where it asks for all', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, (await readMangled('rest')).before);
    await growParcels(folder, 'node', { all: true });
    expect(await readTree(folder)).toMatchObject({
      'src/webhooks.ts': expect.stringContaining(
        'on: { created: onCreated, moved: onMoved, lost: onLost, returned: onReturned },',
      ),
    });
  });
});

interface Placed {
  readonly place?: { readonly path: string; readonly line: number; readonly column: number };
}

function placeText({ place }: Placed): string {
  return place === undefined ? '' : `${place.path}:${place.line}:${place.column}`;
}

/** Whether one text is left when something is taken out of the other. */
function isSubsequence(part: string, text: string): boolean {
  let length = 0;
  for (const unit of text) if (part.startsWith(unit, length)) length += unit.length;
  return length === part.length;
}

function commentsOf(text: string): readonly string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, false, undefined, text);
  const comments: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const isComment =
      kind === ts.SyntaxKind.SingleLineCommentTrivia ||
      kind === ts.SyntaxKind.MultiLineCommentTrivia;
    if (isComment) comments.push(scanner.getTokenText());
  }
  return comments;
}

function lineEndsOf(text: string): readonly string[] {
  return [...new Set(text.match(/\r\n|\n|\r/gu))];
}
