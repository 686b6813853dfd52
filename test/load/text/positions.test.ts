import { expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../../generator/json/json.ts';
import type { Documents } from '../../../generator/documents/documents.ts';
import { load } from '../../../generator/load/load.ts';
import { toPointer, type Pointer } from '../../../generator/json/pointer.ts';
import { asyncapiWith, openapiWith, writeContract } from '../write-contract.ts';

const files = {
  'spec/openapi.yaml': openapiWith(
    "$ref: './schemas/Book.yaml'",
    `components:
  schemas:
    Page: &page
      type: object
      properties: { number: { type: integer } }
    Copy:
      allOf: [*page, { $ref: './schemas/all.json#/definitions/Loan' }]
security: []
'x-odd/na~me': { a: 1 }
`,
  ),
  'spec/asyncapi.yaml': asyncapiWith("$ref: './schemas/Book.yaml'").replace(
    'messages:\n      lent:',
    'messages:\n      back: { $ref: ./messages/Back.yaml }\n      lent:',
  ),
  'spec/messages/Back.yaml':
    '# What comes back\nname: back\nsummary: >\n  A book.\npayload:\n  $ref: ../schemas/Book.yaml\n',
  'spec/schemas/Book.yaml':
    "type: object\nproperties:\n  'title': { type: string }\n  authors:\n    type: array\n    items:\n      $ref: Author.yaml\nrequired:\n  - title\n  - authors\n",
  'spec/schemas/Author.yaml':
    'type: object\nproperties: { name: { type: string } }\nrequired: [name]\n',
  'spec/schemas/all.json':
    '{\n  "definitions": {\n    "Loan": {\n      "type": "object",\n      "required": [\n        "until"\n      ]\n    }\n  }\n}\n',
  'spec/overlay.yaml': `overlay: 1.0.0
info: { title: A, version: 1.0.0 }
extends: asyncapi.yaml
actions:
  - target: $.components.schemas.Book
    update:
      properties:
        year:
          type: integer
        title: { maxLength: 200 }
      required: [year]
      description: Said by the overlay.
  - target: $.components.schemas.Book.required[0]
    remove: true
`,
} as const;

const contract = {
  openapi: 'spec/openapi.yaml',
  asyncapi: 'spec/asyncapi.yaml',
  overlays: ['spec/overlay.yaml'],
};

async function loadContract(): Promise<Documents> {
  const documents = await load(contract, { folder: await writeContract(files) });
  expect(documents.diagnostics).toEqual([]);
  return documents;
}

const schemas = 'components/schemas';

test.each<[name: string, pointer: Pointer, place: string]>([
  ['a member of the entry file', 'openapi#/info/title', 'spec/openapi.yaml:2:9'],
  ['the whole document', 'openapi#', 'spec/openapi.yaml:1:1'],
  ['a key with escaped characters', 'openapi#/x-odd~1na~0me/a', 'spec/openapi.yaml:22:18'],
  ['a schema file', `openapi#/${schemas}/Book`, 'spec/schemas/Book.yaml:1:1'],
  ['a quoted key', `openapi#/${schemas}/Book/properties/title`, 'spec/schemas/Book.yaml:3:3'],
  [
    'a reference that became local',
    `openapi#/${schemas}/Book/properties/authors/items/$ref`,
    'spec/schemas/Book.yaml:7:7',
  ],
  ['an item of a list', `openapi#/${schemas}/Book/required/1`, 'spec/schemas/Book.yaml:10:5'],
  ['a flow item', `openapi#/${schemas}/Author/required/0`, 'spec/schemas/Author.yaml:3:12'],
  [
    'a schema in a JSON file of several',
    `openapi#/${schemas}/Loan/required/0`,
    'spec/schemas/all.json:6:9',
  ],
  [
    'what an alias repeats, where it is written',
    `openapi#/${schemas}/Copy/allOf/0/properties/number`,
    'spec/openapi.yaml:18:21',
  ],
  [
    'the same file in the other document',
    `asyncapi#/${schemas}/Author/properties`,
    'spec/schemas/Author.yaml:2:1',
  ],
  [
    'a message file that replaces its reference, at the position of the reference',
    'asyncapi#/channels/lent/messages/back',
    'spec/asyncapi.yaml:7:7',
  ],
  [
    'a scalar of that file',
    'asyncapi#/channels/lent/messages/back/summary',
    'spec/messages/Back.yaml:3:1',
  ],
  [
    'a reference of that file',
    'asyncapi#/channels/lent/messages/back/payload/$ref',
    'spec/messages/Back.yaml:6:3',
  ],
  ['a pointer deeper than the document', 'openapi#/info/title/a/b', 'spec/openapi.yaml:2:9'],
  ['a pointer beside the document', `openapi#/${schemas}/None/type`, 'spec/openapi.yaml:15:3'],
  [
    'an object that an overlay added',
    `asyncapi#/${schemas}/Book/properties/year`,
    'spec/overlay.yaml:8:9',
  ],
  [
    'a scalar that an overlay added',
    `asyncapi#/${schemas}/Book/description`,
    'spec/overlay.yaml:12:7',
  ],
  [
    'a scalar that an overlay added deep inside',
    `asyncapi#/${schemas}/Book/properties/title/maxLength`,
    'spec/overlay.yaml:10:18',
  ],
  [
    'what the overlay left as it was',
    `asyncapi#/${schemas}/Book/properties/title/type`,
    'spec/schemas/Book.yaml:3:14',
  ],
  [
    'an item that moved up when an overlay removed the one before',
    `asyncapi#/${schemas}/Book/required/0`,
    'spec/schemas/Book.yaml:10:5',
  ],
  [
    'an item that an overlay appended',
    `asyncapi#/${schemas}/Book/required/1`,
    'spec/overlay.yaml:11:18',
  ],
  [
    'the other document, which no overlay extends',
    `openapi#/${schemas}/Book/required/0`,
    'spec/schemas/Book.yaml:9:5',
  ],
])('%s has its place', async (_, pointer, place) => {
  const { locate } = await loadContract();
  const { file, line, column } = locate(pointer);
  expect(`${file}:${line}:${column}`).toBe(place);
});

test.each<[name: string, pointer: Pointer, place: string]>([
  ['the whole document', 'openapi#', 'spec/openapi.yaml'],
  [
    'a key with escaped characters',
    'openapi#/x-odd~1na~0me/a',
    'spec/openapi.yaml#/x-odd~1na~0me/a',
  ],
  ['a schema file', `asyncapi#/${schemas}/Book`, 'spec/schemas/Book.yaml'],
  ['a part of it', `openapi#/${schemas}/Book/required/1`, 'spec/schemas/Book.yaml#/required/1'],
  ['a part of a file', `openapi#/${schemas}/Loan`, 'spec/schemas/all.json#/definitions/Loan'],
  [
    'what an overlay added',
    `asyncapi#/${schemas}/Book/description`,
    'spec/overlay.yaml#/actions/0/update/description',
  ],
])('%s is cited without a line', async (_, pointer, place) => {
  const { cite } = await loadContract();
  expect(cite(pointer)).toBe(place);
});

test('every member of every document is found at a place where its key or its value is written', async () => {
  const documents = await loadContract();
  const texts = new Map(documents.files.map(({ path, text }) => [path, text.split('\n')]));
  let members = 0;
  const visit = (value: Json | undefined, pointer: Pointer): void => {
    const children = Array.isArray(value)
      ? value.map((item: Json, index): [number, Json] => [index, item])
      : isJsonObject(value)
        ? Object.entries(value)
        : [];
    for (const [member, child] of children) {
      const below = toPointer(pointer, member);
      visit(child, below);
      // The sections that bundling makes, and the schemas that are whole files, have no key anywhere.
      if (/^\w+#\/components(?:\/schemas(?:\/[^/]+)?)?$/u.test(below)) continue;
      members += 1;
      const { file, line, column } = documents.locate(below);
      const textAtPlace = texts.get(file)?.[line - 1]?.slice(column - 1) ?? '';
      const isAtMember =
        typeof member === 'number'
          ? /^[\w'"{[*$&]/u.test(textAtPlace)
          : textAtPlace.replace(/^['"]/u, '').startsWith(member);
      expect(isAtMember, `${below} at ${file}:${line}:${column}: ${textAtPlace}`).toBe(true);
    }
  };
  visit(documents.openapi?.root, 'openapi#');
  visit(documents.asyncapi?.root, 'asyncapi#');
  expect(members).toBeGreaterThan(90);
});
