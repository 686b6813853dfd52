import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Tree } from '../output/tree.ts';
import { changedFiles, type Edit, generateEdited } from './generate-edited.ts';

const schemaFiles = readdirSync(
  join(fileURLToPath(new URL('../../spec/', import.meta.url)), 'schemas'),
);

/** Replaces the first occurrence of a text in a file. */
function replace(file: string, from: string, to: string): Edit {
  return [file, (text) => text.replace(from, () => to)];
}

/** Inserts a text before the first occurrence of another one in a file. */
function insert(file: string, before: string, added: string): Edit {
  return replace(file, before, `${added}${before}`);
}

/** Moves the lines from one text up to another in a file, and puts them before a third one. */
function move(file: string, begin: string, end: string, before: string): Edit {
  return [
    file,
    (text) => {
      const from = text.indexOf(begin);
      const lines = text.slice(from, text.indexOf(end, from));
      const rest = text.replace(lines, '');
      const to = rest.indexOf(before, from);
      return `${rest.slice(0, to)}${lines}${rest.slice(to)}`;
    },
  ];
}

const operation = `  /status:
    get:
      operationId: getStatus
      summary: Returns the status of the service.
      x-source: '4.1'
      responses:
        '200':
          description: The status.
          content:
            application/json:
              schema: { type: object, properties: { status: { type: string, x-source: '4.1' } } }
`;

const channel = `  refund:
    address: /v2/apm/pix/refunds
    description: Refund notifications.
    messages: { refund: { $ref: '#/components/messages/refund' } }
    x-source: '4.4'
`;

const sending = `  sendRefund:
    action: send
    channel: { $ref: '#/channels/refund' }
    summary: Sent when a refund is completed.
    messages: [{ $ref: '#/channels/refund/messages/refund' }]
    bindings: { http: { method: POST, bindingVersion: 0.3.0 } }
    x-source: '4.4'
`;

const message = `    refund:
      name: refund
      title: Refund
      summary: A refund is completed.
      contentType: application/json
      payload:
        type: object
        properties: { refundId: { type: string, x-source: '4.4' } }
        required: [refundId]
      x-source: '4.4'
      x-identified-by:
        - $request.body#/refundId: {}
          $request.body#/Pix: false
      examples:
        - { name: one, summary: A refund., payload: { refundId: a } }
        - { name: two, summary: Another refund., payload: { refundId: b } }
`;

const member = `properties:
  channel:
    type: string
    description: The channel of the payment.
    x-source: '2.4'
`;

/** A small change, and the most files and lines of the output that it may change, with those of the manifest. */
type Row = readonly [what: string, files: number, lines: number, edits: readonly Edit[]];

const rows: readonly Row[] = [
  [
    'a comment at the top of every file',
    0,
    0,
    ['openapi.yaml', 'asyncapi.yaml', ...schemaFiles.map((file) => `schemas/${file}`)].map(
      (file): Edit => [file, (text) => `# A comment.\n${text}`],
    ),
  ],
  [
    'keywords of a schema in another order',
    0,
    0,
    [move('schemas/ChargePix.yaml', 'type: object\n', 'description:', 'allOf:\n')],
  ],
  [
    // An entry of the ledger that a message has moves with it, in the lists of all entries.
    'parameters and messages in another order',
    6,
    60,
    [
      move('openapi.yaml', '    Timestamp:\n', '    RequestId:\n', '  securitySchemes:\n'),
      move('asyncapi.yaml', '    customer:\n      name', '    charge:\n', '    dueDateCharge:\n'),
    ],
  ],
  [
    'channels, and with them the files of schemas, in another order',
    3,
    10,
    [move('asyncapi.yaml', '  charge:\n', '  dueDateCharge:\n', 'operations:\n')],
  ],
  ['an optional member', 8, 111, [replace('schemas/ChargePix.yaml', 'properties:\n', member)]],
  [
    'a value of an enumeration',
    3,
    9,
    [
      replace('schemas/PixStatus.yaml', 'enum: [0, 1, 2]', 'enum: [0, 1, 2, 3]'),
      replace('schemas/PixStatus.yaml', 'Canceled]', 'Canceled, Expired]'),
    ],
  ],
  ['a new operation', 18, 466, [insert('openapi.yaml', '  /token:\n', operation)]],
  [
    'another summary',
    6,
    26,
    [replace('openapi.yaml', 'Issues the access token.', 'Returns an access token.')],
  ],
  [
    'another description of a member',
    5,
    22,
    [
      replace(
        'schemas/ChargePix.yaml',
        'The transaction identifier.',
        'The id of the transaction.',
      ),
    ],
  ],
  [
    'a new notification',
    31,
    1206,
    [
      insert('asyncapi.yaml', '  charge:\n', channel),
      insert('asyncapi.yaml', '  sendCharge:\n', sending),
      insert('asyncapi.yaml', '    charge:\n      name', message),
    ],
  ],
];

describe('a small change of the contract is a small change of the output', () => {
  let before: Tree;

  beforeAll(async () => {
    before = await generateEdited([]);
  });

  it.each(rows)('%s: %i files, %i lines', async (_, files, lines, edits) => {
    const changes = await changedFiles(before, await generateEdited(edits));
    const list = changes.map(({ path, lines }) => `${path} ${lines}`).join('\n');
    expect(changes.length, list).toBeLessThanOrEqual(files);
    const changedLines = changes.reduce((sum, change) => sum + change.lines, 0);
    expect(changedLines, list).toBeLessThanOrEqual(lines);
  });
});
