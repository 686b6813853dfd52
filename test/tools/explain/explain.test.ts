import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run as runCli } from '../../../generator/cli/run.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import type { Run } from '../../cli/project.ts';
import { readTree, writeTree } from '../../output/tree.ts';

const asyncapi = `asyncapi: 3.0.0
info:
  title: Parcels
  version: 1.0.0
  x-countersign: 1
  x-source-document: The parcel handbook
defaultContentType: application/json
channels:
  moves:
    address: /parcels
    x-source: '2'
    messages: { parcelLost: { $ref: '#/components/messages/parcelLost' } }
operations:
  tell:
    action: send
    channel: { $ref: '#/channels/moves' }
    x-source: '2'
    bindings: { http: { method: POST } }
components:
  messages:
    parcelLost:
      summary: A parcel was lost.
      x-source: '2.1'
      payload: { $ref: './schemas/Parcel.yaml' }
      x-dedupe-by: { unstated: same-delivery }
      x-unstated:
        same-delivery:
          source: '2.1'
          question: What makes two deliveries the same?
          choices:
            every: { value: [], meaning: each is another }
            id: { value: [$request.body#/id], meaning: its id }
          assumed: id
`;
const openapi = `openapi: 3.1.2
info: { title: Parcels, version: 1.0.0, x-countersign: 1, x-source-document: The parcel handbook }
servers: [{ url: 'https://parcels.example' }]
paths:
  /parcels/{id}:
    get:
      operationId: getParcel
      x-source: '3'
      parameters:
        - { name: id, in: path, required: true, x-source: '3.1', schema: { type: string } }
      responses:
        '200':
          description: The parcel.
          content: { application/json: { schema: { $ref: './schemas/Parcel.yaml' } } }
`;
const files = {
  'asyncapi.yaml': asyncapi,
  'openapi.yaml': openapi,
  'schemas/Parcel.yaml': `type: object
x-source: '1'
required: [id, state]
properties:
  id: { type: string, x-source: '1.1' }
  state: { allOf: [{ $ref: './ParcelState.yaml' }], x-source: '1.2' }
  size:
    type: object
    x-source: '1.3'
    properties:
      weight: { type: number, x-source: '1.3' }
`,
  'schemas/ParcelState.yaml': `type: integer
x-source: '1.2'
x-extensible-enum: [1, 2]
x-enum-varnames: [Moving, Lost]
x-unstated:
  more-states:
    source: '1.2'
    question: Which other states are there?
`,
  'countersign.config.json': JSON.stringify({
    contract: { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' },
    scope: '@parcels',
    output: 'out',
    targets: ['contract', 'client', 'webhooks', 'webhooks-nestjs'],
  }),
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-explain-'));
  await writeTree(folder, files);
  const { code, error } = await runInProcess(folder, ['generate', '--quiet']);
  expect({ code, error }).toEqual({ code: 0, error: '' });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const explain = async (...parameters: readonly string[]): Promise<Run> =>
  await runInProcess(folder, ['explain', ...parameters]);

interface Told {
  readonly declarations: readonly { readonly name: string; file: string; line: number }[];
  readonly explained: readonly {
    readonly kind: string;
    readonly name: string;
    readonly pointer: string;
    readonly file: string;
    readonly line: number;
    readonly source: readonly string[];
    readonly unstated: readonly { readonly id: string }[];
    readonly declarations: readonly { readonly name: string; file: string; line: number }[];
    readonly files: readonly string[];
  }[];
}

async function ask(name: string): Promise<Told> {
  const { code, out, error } = await explain(name, '--json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out).results[0];
}

describe('from a generated name to the contract', () => {
  it.each<[string, string, string, readonly string[], readonly string[]]>([
    ['a type', 'Parcel', 'schema Parcel schemas/Parcel.yaml:1', ['1'], []],
    ['a guard', 'isParcel', 'schema Parcel schemas/Parcel.yaml:1', ['1'], []],
    ['an assertion', 'assertParcel', 'schema Parcel schemas/Parcel.yaml:1', ['1'], []],
    [
      'a longer name, not the shorter that it begins with',
      'isKnownParcelState',
      'schema ParcelState schemas/ParcelState.yaml:1',
      ['1.2'],
      ['more-states'],
    ],
    [
      'an enumeration value',
      'ParcelState.Lost',
      'value ParcelState.Lost schemas/ParcelState.yaml:3',
      ['1.2'],
      ['more-states'],
    ],
    ['a member', 'Parcel.id', 'member Parcel.id schemas/Parcel.yaml:5', ['1.1'], []],
    [
      'a member of a member',
      'Parcel.size.weight',
      'member Parcel.size.weight schemas/Parcel.yaml:11',
      ['1.3'],
      [],
    ],
    ['a function', 'getParcel', 'call getParcel openapi.yaml:6', ['3'], []],
    ['its input', 'GetParcelInput', 'call getParcel openapi.yaml:6', ['3'], []],
    [
      'an event',
      'parcelLost',
      'notification parcelLost asyncapi.yaml:21',
      ['2.1'],
      ['same-delivery'],
    ],
    [
      "an event's type",
      'ParcelLostEvent',
      'notification parcelLost asyncapi.yaml:21',
      ['2.1'],
      ['same-delivery'],
    ],
    [
      'a handler',
      'Handlers.parcelLost',
      'notification parcelLost asyncapi.yaml:21',
      ['2.1'],
      ['same-delivery'],
    ],
    [
      'a decorator',
      'OnParcelLost',
      'notification parcelLost asyncapi.yaml:21',
      ['2.1'],
      ['same-delivery'],
    ],
    [
      'an option',
      'sameDelivery',
      'question same-delivery asyncapi.yaml:27',
      ['2.1'],
      ['same-delivery'],
    ],
    [
      'whatever case is typed',
      'PARCELSTATE',
      'schema ParcelState schemas/ParcelState.yaml:1',
      ['1.2'],
      ['more-states'],
    ],
  ])('%s: %s', async (_, name, subject, source, unstated) => {
    const { explained } = await ask(name);
    expect(
      explained.map((entry) => `${entry.kind} ${entry.name} ${entry.file}:${entry.line}`),
    ).toEqual([subject]);
    expect(explained[0]?.source).toEqual(source);
    expect(explained[0]?.unstated.map(({ id }) => id)).toEqual(unstated);
  });

  it('gives the line at which the name is declared on disk', async () => {
    const tree = await readTree(folder);
    for (const name of ['isParcel', 'GetParcelInput', 'ParcelLostEvent', 'OnParcelLost']) {
      const { declarations } = await ask(name);
      expect(declarations).not.toEqual([]);
      for (const { file, line } of declarations)
        expect(tree[file]?.split('\n')[line - 1], `${file}:${line}`).toContain(name);
    }
  });

  it('says of a name that no word of the contract is in what its file comes from', async () => {
    const { explained } = await ask('createWebhooks');
    expect(explained.map(({ name }) => name)).toContain('parcelLost');
  });

  it('says of a name that every contract has that it is the same for all', async () => {
    const { out } = await explain('ValidationError');
    expect(out).toContain('It does not depend on the contract.');
  });
});

describe('from the contract to what is generated', () => {
  it.each<[string, string, readonly string[]]>([
    ['a label', 'GET /parcels/{id}', ['getParcel']],
    ['a path', '/parcels', ['parcelLost']],
    ['a pointer', 'asyncapi#/components/messages/parcelLost', ['parcelLost']],
    ['a pointer inside', 'asyncapi#/components/messages/parcelLost/summary', ['parcelLost']],
    ['a pointer without a document', '#/paths/~1parcels~1{id}/get/operationId', ['getParcel']],
    ['what a comment cites', 'openapi.yaml#/paths/~1parcels~1{id}/get', ['getParcel']],
    ['what a comment cites of a file', 'schemas/Parcel.yaml#/properties/id', ['Parcel.id']],
    ['a line', 'schemas/Parcel.yaml:5', ['Parcel.id']],
    ['a line and a column', 'openapi.yaml:10:40', ['getParcel.id']],
    ['a line inside', 'openapi.yaml:13', ['getParcel']],
    ['a file', 'schemas/ParcelState.yaml', ['ParcelState']],
  ])('%s: %s', async (_, place, names) => {
    const { explained } = await ask(place);
    expect([...new Set(explained.map(({ name }) => name))]).toEqual(names);
  });

  it('finds the schema of a line of generated code', async () => {
    const file = 'out/contract/src/index.ts';
    const lines = ((await readTree(folder))[file] ?? '').split('\n');
    const line = lines.findIndex((text) => text.includes('export const isParcel:')) + 1;
    const { explained } = await ask(`${file}:${line}`);
    expect(explained.map(({ name }) => name)).toEqual(['Parcel']);
  });

  it.each(['schemas/Parcel.yaml', 'out/contract/src/index.ts'])(
    'refuses a line that %s does not have',
    async (file) => {
      const text = (await readTree(folder))[file] ?? '';
      const length = text.trimEnd().split('\n').length;
      const last = await runInProcess(folder, ['explain', `${file}:${length}`]);
      expect(last.code, last.error).toBe(0);
      for (const line of [0, length + 1, 999]) {
        const { code, out, error } = await runInProcess(folder, ['explain', `${file}:${line}`]);
        expect({ code, out }).toEqual({ code: 2, out: '' });
        expect(error).toContain(`${file} has ${length} lines; there is no line ${line}.\n`);
      }
    },
  );

  it('lists names and files that a schema becomes', async () => {
    const [state] = (await ask('schemas/ParcelState.yaml:1')).explained;
    expect(state?.declarations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ParcelState', 'KnownParcelState', 'isParcelState']),
    );
    expect(state?.files).toContain('out/contract/src/index.ts');
    const tree = await readTree(folder);
    for (const file of state?.files ?? []) expect(tree).toHaveProperty([file]);
  });

  it('takes lines as they are seen from the folder it is called in', async () => {
    let out = '';
    const terminal = {
      folder: join(folder, 'schemas'),
      environment: {},
      outIsTerminal: false,
      errorIsTerminal: false,
      columns: 80,
      out: (text: string) => void (out += text),
      error: () => undefined,
    };
    const config = join(folder, 'countersign.config.json');
    await runCli(['explain', 'Parcel.yaml:5', '--config', config, '--json'], terminal);
    expect(JSON.parse(out).results[0].explained[0].name).toBe('Parcel.id');
  });
});

describe('for people', () => {
  it('says place, source, open questions and generated names', async () => {
    const { out } = await explain('ParcelState');
    expect(out).toContain('ParcelState  schema\n  contract   schemas/ParcelState.yaml:1');
    expect(out).toContain('  source     The parcel handbook, 1.2\n');
    expect(out).toContain('  unstated   more-states  open  schemas/ParcelState.yaml:6\n');
    expect(out).toContain('Which other states are there?');
    expect(out).toMatch(/isKnownParcelState {2}function {2}out\/contract\/src\/index\.ts:\d+/);
  });

  it('says what decides that a delivery is a notification, and of nothing else', async () => {
    const { out } = await explain('parcelLost');
    expect(out).toContain(
      '  decision   The label "POST /parcels": "parcelLost".\n             Every value: "parcelLost".\n',
    );
    const { out: json } = await explain('parcelLost', '--json');
    expect(JSON.parse(json).results[0].explained[0].recognition).toEqual([
      'The label "POST /parcels": "parcelLost".',
      'Every value: "parcelLost".',
    ]);
    expect((await explain('Parcel')).out).not.toContain('  decision  ');
  });

  it.each([
    ['isParcle', 'Did you mean "isParcel"'],
    ['parcelLots', 'Did you mean "parcelLost"'],
    ['POST /parcel', 'Did you mean "POST /parcels"'],
    [
      'zzzzzzzzzzzz',
      'Give the code of a diagnostic, a generated name, an event, an operation, a label, a pointer, file#pointer, file:line, or a path into the model.',
    ],
    ['../../elsewhere.yaml:3', 'Give the code of a diagnostic, a generated name'],
    ['asyncapi#/nowhere', 'Give the code of a diagnostic, a generated name'],
    [
      'x'.repeat(1000),
      'is not a known name or place. Give the code of a diagnostic, a generated name',
    ],
  ])('%s is misuse, with the nearest names', async (name, hint) => {
    const { code, out, error } = await explain(name);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(hint);
  });

  it('writes nothing', async () => {
    const before = await readTree(folder);
    await explain('Parcel');
    expect(await readTree(folder)).toEqual(before);
  });
});
