import { registerHooks } from 'node:module';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { readOpenapi } from '../client/emit-client.ts';
import { emitFiles } from '../emit-project.ts';

let loads = 0;

registerHooks({
  load(url, context, next) {
    if (url.endsWith('/generator/patterns/decimal-pattern.ts')) loads += 1;
    return next(url, context);
  },
});

const amount: JsonObject = { type: 'string', pattern: String.raw`^\d+\.\d\d$` };
const plain: JsonObject = { type: 'string' };

async function emit(called: JsonObject, received: JsonObject): Promise<void> {
  const body = (schema: JsonObject): JsonObject => ({
    requestBody: {
      content: { 'application/json': { schema: { type: 'object', properties: { a: schema } } } },
    },
    responses: { 200: { description: 'Done.' } },
  });
  const contract = await readOpenapi({
    openapi: '3.1.1',
    info: { title: 'Prints', version: '1.0.0' },
    paths: { '/prints': { post: { operationId: 'print', ...body(called) } } },
    webhooks: { printed: { post: body(received) } },
  });
  await emitFiles(webhooksTarget, contract);
}

test('the analysis of decimal patterns is loaded for a pattern in what is received, and not for one in what is called', async () => {
  await emit(amount, plain);
  expect(loads).toBe(0);
  await emit(plain, amount);
  expect(loads).toBe(1);
});
