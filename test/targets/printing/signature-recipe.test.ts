import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeRecipes } from '../../../generator/targets/printing/signature-recipe.ts';
import { isJsonObject, type Json } from '../../../generator/json/json.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { readFile } from 'node:fs/promises';
import { readOpenapi } from '../client/emit-client.ts';
import { emitFiles } from '../emit-project.ts';

const id = { name: 'x-id', in: 'header', required: true, schema: { type: 'string' } };

const document = (signature: Json): Json => ({
  openapi: '3.1.2',
  info: { title: 'Parcels', version: '1', 'x-countersign': 1 },
  security: [{ signed: [] }],
  paths: {
    '/parcels': { post: { parameters: [id], responses: { '200': { description: 'Done.' } } } },
  },
  components: {
    securitySchemes: {
      signed: { type: 'apiKey', in: 'header', name: 'x-signature', 'x-signature': signature },
    },
  },
});

const hmac = {
  algorithm: 'hmac-sha256',
  key: { credential: 'secret', encoding: 'utf-8' },
  over: [
    '$request.header.x-id',
    { text: '' },
    { text: '.' },
    '$timestamp',
    { text: '.' },
    '$request.body',
  ],
  encoding: 'hex',
  value: 't={timestamp},v1={signature}',
  separator: ',',
  timestamp: { format: 'unix-seconds', tolerance: 300 },
};

async function recipeOf(signature: Json) {
  const stated = document(signature);
  if (!isJsonObject(stated)) throw new TypeError('no document');
  const contract = await readOpenapi(stated);
  const [recipe] = await describeRecipes(contract, contract.security);
  if (recipe === undefined) throw new Error('no recipe');
  return recipe;
}

test('the parts are named in their order, without empty texts', async () => {
  const { parts, header, value } = await recipeOf(hmac);
  expect(parts).toEqual([
    { words: 'the header', text: 'x-id' },
    { words: 'the text', text: '"."' },
    { words: 'the timestamp', text: '' },
    { words: 'the text', text: '"."' },
    { words: 'the body, byte for byte', text: '' },
  ]);
  expect([header, value]).toEqual(['x-signature', 't={timestamp},v1={signature}']);
});

test('the example is what another implementation computes', async () => {
  const { example } = await recipeOf(hmac);
  if (example === undefined) throw new Error('no example');
  const signature = createHmac('sha256', example.key).update(example.signed).digest('hex');
  expect(example.signature).toContain(`v1=${signature}`);
  expect(example.signed).toContain(example.body);
});

test('a key pair has no example, whose keys would have many lines', async () => {
  const { encoding: _, ...key } = hmac.key;
  const recipe = await recipeOf({ ...hmac, algorithm: 'ecdsa-p256-sha256', format: 'der', key });
  expect([recipe.isKeyPair, recipe.example]).toEqual([true, undefined]);
});

test('the README of the client has a recipe that is right', async () => {
  const readme = await readmeOf('client');
  const row = (title: string): string =>
    new RegExp(`^\\| ${title} +\\| \`(.*)\` +\\|$`, 'mu').exec(readme)?.[1] ?? '';
  const signature = createHmac('sha256', row('Key')).update(row('Signed text')).digest('base64');
  expect(row('Result')).toBe(`x-hmac-signature: ${signature}`);
  expect(readme).toContain('1. the header `apikey`\n1. the header `x-timestamp`\n');
  expect(readme).toContain('`signed-path` (`path`)');
});

test('the README of a receiver has the recipe if the contract states it for notifications', async () => {
  const recipe = 'is computed from these parts';
  // Whether the notifications of this repository's contract are signed is an open question.
  expect(await readmeOf('webhooks')).not.toContain(recipe);
  const signed = document(hmac);
  if (!isJsonObject(signed)) throw new TypeError('no document');
  const body = { content: { 'application/json': { schema: { type: 'object' } } } };
  const arrived = {
    security: [{ signed: [] }],
    parameters: [id],
    requestBody: body,
    responses: { '200': { description: 'Done.' } },
  };
  const contract = await readOpenapi({ ...signed, webhooks: { arrived: { post: arrived } } });
  const files = await emitFiles(webhooksTarget, contract);
  const readme = [...files].find(([path]) => path.endsWith('README.md'))?.[1];
  expect(readme).toContain(`The header \`x-signature\` ${recipe}`);
});

async function readmeOf(name: string): Promise<string> {
  return await readFile(new URL(`../../../generated/${name}/README.md`, import.meta.url), 'utf8');
}
