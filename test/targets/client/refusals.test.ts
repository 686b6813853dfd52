import { beforeAll, expect, test } from 'vitest';
import { clientTarget } from '../../../generator/targets/client/target.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { readAnswered } from '../../spec/answered-contract.ts';
import { emitFiles } from '../emit-project.ts';

/** Returns the README of a client, as sections by their headings. */
async function sectionsOf(contract: Contract): Promise<ReadonlyMap<string, string>> {
  const files = await emitFiles(clientTarget, contract);
  const readme = [...files].find(([path]) => path.endsWith('README.md'))?.[1] ?? '';
  return new Map(
    readme
      .split(/^#+ (?=.+\n)/mu)
      .map((section) => [
        section.slice(0, section.indexOf('\n')),
        section.slice(section.indexOf('\n')),
      ]),
  );
}

async function answered(answers: Readonly<Record<string, string>>): Promise<Contract> {
  const { contract } = await readAnswered(answers);
  if (contract === undefined) throw new Error('no contract');
  return contract;
}

let open: ReadonlyMap<string, string>;

beforeAll(async () => {
  open = await sectionsOf(await answered({}));
});

test('a 401 leads to the credentials, and to every option that decides what proves a call', () => {
  const section = open.get('After a 401') ?? '';
  for (const name of ['`issueToken`', '`apiKey`', '`clientSecret`', '`signingSecret`', '`baseUrl`'])
    expect(section).toContain(name);
  const asked = [...(open.get('Open questions of the contract') ?? '').matchAll(/^\| `(\w+)`/gmu)];
  const deciding = asked.map(([, name]) => name).filter((name) => name !== 'requestIdOnRetry');
  expect(deciding).toHaveLength(6);
  for (const name of deciding) expect(section).toContain(`\`${name}\``);
});

test('what is settled is neither open nor an option to try', async () => {
  const settled = await sectionsOf(
    await answered({
      'authorization-form': 'bearer',
      'timestamp-format': 'unix-seconds',
      'signed-path': 'path',
      'key-rotation': 'Both work for a day.',
      'error-responses': 'Always 400.',
      'signed-body': 'The bytes that are sent.',
    }),
  );
  const text = ['After a 401', 'After another status, such as 422', 'Replace a secret', 'Signature']
    .map((name) => settled.get(name))
    .join('\n');
  for (const name of ['authorizationForm', 'timestampFormat', 'signedPath'])
    expect(text).not.toContain(name);
  for (const id of ['key-rotation', 'error-responses', 'signed-body'])
    expect(text).not.toContain(id);
  expect(text).toContain('signedSeparator');
});

test('the README names what is open about failures and secrets, and who has to know a new key first', () => {
  expect(open.get('After another status, such as 422')).toContain('`error-responses`');
  expect(open.get('Failures')).toContain('declares no failures');
  expect(open.get('Replace a secret')).toContain('`key-rotation`');
  expect(open.get('Replace a secret')).toContain('`verifySignature`');
  expect(open.get('Signature')).toContain('Without choices: `signed-body`');
  expect(open.get('Signature')).toContain('`apikey`, `Authorization`, `x-hmac-signature`');
});

test('a contract without credentials has no section about them', async () => {
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Tides, version: '1' }
paths:
  /tides:
    get:
      operationId: listTides
      responses: { '200': { description: Tides. }, '404': { description: None. } }
`,
  });
  const sections = await sectionsOf(contract);
  expect([...sections.keys()]).not.toContain('After a 401');
  expect([...sections.keys()]).not.toContain('Replace a secret');
  expect(sections.get('After another status, such as 422')).toContain('`invalid-request`');
});
