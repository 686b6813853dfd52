import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../../generator/config/config.ts';
import type { FormatSetting } from '../../../generator/contract/format-setting.ts';
import { readContract } from '../../../generator/generate.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { writeTree } from '../../output/tree.ts';
import { compileApplication, createApplication, run } from './create-application.ts';

const openapi = `openapi: 3.1.2
info: { title: Loans, version: 1.0.0 }
paths:
  /loans/{id}:
    get:
      operationId: getLoan
      parameters:
        - { name: id, in: path, required: true, schema: { type: string, format: uuid } }
      responses:
        '200':
          description: A loan.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Loan' }
webhooks:
  lent:
    post:
      security: []
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Loan' }
            example: { id: 11111111-2222-4333-8444-555555555555, due: '2026-01-02', to: a@b }
      responses: { '200': { description: Thanks. } }
components:
  schemas:
    Loan:
      type: object
      required: [id, due, to]
      properties:
        id: { type: string, format: uuid }
        due: { type: string, format: date }
        to: { type: string, format: mailbox }
        others: { type: array, items: { type: string, format: uuid } }
        before: { type: [string, 'null'], format: uuid }
        count: { type: integer, format: int32 }
        kind: { type: string, format: uuid, enum: [none] }
`;

const config = {
  contract: { openapi: 'openapi.yaml' },
  targets: ['contract', 'client', 'webhooks'],
  formats: {
    uuid: 'Uuid',
    mailbox: '`${string}@${string}`',
    date: { type: 'Day', from: './src/day.ts' },
  },
} satisfies Partial<Config>;

const program = `import { createClient } from './generated/client/index.js';
import { isLoan, isUuid, type Loan, type Uuid } from './generated/contract/index.js';
import { createWebhooks, type Delivered, type LentEvent } from './generated/webhooks/index.js';
import { deliver } from './generated/webhooks/testing.js';
import type { Day } from './day.js';

const text: string = '11111111-2222-4333-8444-555555555555';
// @ts-expect-error Not every text is one.
export const refused: Uuid = text;
if (!isUuid(text)) throw new Error(text);
export const id: Uuid = text;
export const read = (loan: Loan): readonly [string, Day, Uuid | undefined | null, 'none' | undefined] => [
  loan.id,
  loan.due,
  loan.others?.[0] ?? loan.before,
  loan.kind,
];
// @ts-expect-error A number stays a number.
export const count: Uuid | undefined = undefined as Loan['count'];
// @ts-expect-error A text without @ is not a mailbox.
export const mailbox: Loan['to'] = 'a.example';
export const sound: Loan['to'] = 'a@b';
export const event = (lent: Delivered<LentEvent, 'text'>): Uuid => lent.data.id;
const client = createClient({ baseUrl: 'http://127.0.0.1' });
export const call = (): unknown => client.getLoan({ path: { id } });
// @ts-expect-error The call takes what the contract asks for.
export const wrong = (): unknown => client.getLoan({ path: { id: 'x' as string } });
const request = await deliver('lent', { body: { id } });
console.log(
  JSON.stringify({
    uuid: isUuid('x'),
    wire: [isLoan({ id: 'x', due: '2026-01-02', to: 'a@b' }), isLoan({ id, due: '2026-01-02', to: 'a' })],
    functions: [createClient, createWebhooks].map((one) => typeof one),
    sent: await request.json(),
  }),
);
`;

describe('texts of a format', () => {
  test('have the type of their own wherever they stand, and are checked as they travel', async () => {
    const { folder, generation } = await createApplication(
      {
        'openapi.yaml': openapi,
        'src/main.ts': program.replaceAll(".js'", ".ts'"),
        'src/day.ts': 'export type Day = `${number}-${number}-${number}`;\n',
      },
      { ...config, importExtension: '.ts' },
    );
    expect(generation.diagnostics).toEqual([]);
    await compileApplication(folder, 'nodenext');
    const formats = await readFile(join(folder, 'src/generated/contract/formats.ts'), 'utf8');
    expect(formats).toContain("from '../../day.ts'");
    expect(await run(folder, 'src/main.ts')).toEqual({
      uuid: false,
      wire: [false, true],
      functions: ['function', 'function'],
      sent: { id: '11111111-2222-4333-8444-555555555555', due: '2026-01-02', to: 'a@b' },
    });
  });

  test('cannot be given a type that no text has: what is generated does not compile', async () => {
    const { folder } = await createApplication(
      { 'openapi.yaml': openapi, 'src/day.ts': 'export type Day = Date;\n' },
      { ...config, targets: ['contract'] },
    );
    await expect(compileApplication(folder, 'nodenext')).rejects.toThrow(
      /Type 'Date' does not satisfy the constraint 'string'/u,
    );
  });

  const problems: readonly (readonly [Record<string, FormatSetting>, RegExp, string])[] = [
    [
      { uuidd: 'Uuid' },
      /unused-format .*no text of the contract has the format "uuidd"/u,
      'Did you mean "uuid"?',
    ],
    [{ int32: 'Count' }, /unused-format .*"int32"/u, 'remove the entry'],
    [
      { uuid: 'Loan' },
      /name-collision .*"Loan", for the format "uuid", is the name of "Loan"/u,
      'another name',
    ],
    [
      { uuid: 'Text', date: 'Text' },
      /name-collision .*for the format "date".*"uuid"/u,
      'another name',
    ],
  ];

  test.for(problems)('%j is said to be wrong', async ([formats, says, help]) => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'openapi.yaml': openapi });
    const { diagnostics } = await readContract({ ...config, output: 'generated', formats }, folder);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`).join()).toMatch(says);
    expect(diagnostics[0]?.help).toContain(help);
  });

  test('that a package types bring that package along', async () => {
    const formats = { uuid: { type: 'Uuid', from: '@acme/ids/uuid' } };
    const { folder, generation } = await createApplication(
      { 'openapi.yaml': openapi },
      {
        ...config,
        targets: ['contract'],
        layout: 'packages',
        scope: '@loans',
        output: 'generated',
        formats,
      },
    );
    expect(generation.status).toBe('written');
    const manifest: unknown = JSON.parse(
      await readFile(join(folder, 'generated/contract/package.json'), 'utf8'),
    );
    expect(manifest).toMatchObject({ peerDependencies: { '@acme/ids': '*' } });
  });
});
