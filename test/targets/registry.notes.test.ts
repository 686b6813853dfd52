import { beforeAll, expect, test } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import { resolveTargets } from '../../generator/targets/registry.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { emitFiles } from './emit-project.ts';

/** Each note names the part of the contract that it is about. */
const documents = {
  'openapi.yaml': `openapi: 3.1.2
info: { title: Library, version: 1.0.0, x-countersign: 1, x-note: Of the service. }
servers: [{ url: https://library.test, x-note: Of the server. }]
paths:
  /books:
    post:
      operationId: addBook
      summary: Adds a book.
      description: The book is kept.
      x-note: [Of the call., Of the call too.]
      security: [{ key: [] }]
      parameters:
        - { name: shelf, in: query, x-note: Of the parameter., schema: { type: string } }
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
      responses:
        '200': { description: Added., x-note: Of the answer. }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: x-key, description: The key., x-note: Of the key. }
  schemas:
    Genre: { enum: [a, b], description: A genre., x-note: Of the enumeration. }
    Book:
      type: object
      description: A book.
      x-note: Of the type.
      required: [isbn]
      properties:
        isbn: { type: string, description: Its number., x-note: Of the member. }
        lost:
          type: boolean
          x-note: Of the widened member.
          x-variants: { 'null': { schema: { type: 'null' }, as: absent } }
`,
  'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Library, version: 1.0.0, x-countersign: 1 }
defaultContentType: application/json
channels:
  news:
    address: /news
    x-note: Of the channel.
    messages: { arrived: { $ref: '#/components/messages/arrived' } }
operations: { tell: { action: send, channel: { $ref: '#/channels/news' } } }
components:
  messages:
    arrived:
      summary: A book arrived.
      x-note: Of the message.
      headers: { type: object, properties: { x-id: { type: string, x-note: Of the header. } } }
      payload: { $ref: 'openapi.yaml#/components/schemas/Book' }
`,
};

let contract: Contract;

beforeAll(async () => {
  const lowered = await lowerFiles(documents);
  expect(lowered.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  contract = lowered.contract;
});

/** Returns what has a note in a file: as a line of a comment or a cell, after "Note:". */
function notesIn(text: string): readonly string[] {
  const plain = text.replaceAll(/<[^>]*>/gu, '');
  const notes = Array.from(plain.matchAll(/Note: (Of [^.]*)\./gu), ([, note = '']) => note);
  return [...new Set(notes)].toSorted();
}

test.for<readonly [target: string, file: RegExp, notes: readonly string[]]>([
  [
    'contract',
    /src\/index\.ts$/u,
    [
      'Of the enumeration',
      'Of the header',
      'Of the member',
      'Of the type',
      'Of the widened member',
    ],
  ],
  ['contract', /README\.md$/u, ['Of the enumeration', 'Of the type']],
  ['client', /operations\.ts$/u, ['Of the call', 'Of the call too', 'Of the parameter']],
  ['client', /options\.ts$/u, ['Of the key']],
  ['client', /README\.md$/u, ['Of the call', 'Of the call too']],
  ['webhooks', /events\.ts$/u, ['Of the message']],
  ['webhooks', /README\.md$/u, ['Of the message']],
  [
    'reference',
    /index\.html$/u,
    [
      'Of the answer',
      'Of the call',
      'Of the call too',
      'Of the enumeration',
      'Of the header',
      'Of the key',
      'Of the member',
      'Of the message',
      'Of the parameter',
      'Of the server',
      'Of the service',
      'Of the type',
      'Of the widened member',
    ],
  ],
])('the target %s shows notes in %s', async ([name, file, expected]) => {
  const targets = await resolveTargets(['contract', 'client', 'webhooks', 'reference']);
  const target = targets.find((candidate) => candidate.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  const files = await emitFiles(target, contract);
  const [text, ...furtherTexts] = [...files].flatMap(([path, content]) =>
    file.test(path) ? [content] : [],
  );
  expect(furtherTexts).toEqual([]);
  expect(notesIn(text ?? '')).toEqual(expected);
});

test('published documents keep every note', () => {
  const { openapi, asyncapi } = contract.documents;
  const sourceNotes = Object.values(documents).flatMap((text) =>
    Array.from(text.matchAll(/Of the [a-z ]+\./gu), ([note]) => note),
  );
  expect(sourceNotes).toHaveLength(14);
  const published = JSON.stringify([openapi, asyncapi]);
  for (const note of sourceNotes) expect(published).toContain(JSON.stringify(note));
  expect(openapi?.['webhooks']).toMatchObject({
    arrived: {
      post: { 'x-note': 'Of the message.', parameters: [{ 'x-note': ['Of the header.'] }] },
    },
  });
});
