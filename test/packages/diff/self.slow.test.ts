import { describe, expect, test } from 'vitest';
import { changesBetween, readDocument, rewritings } from './self.ts';

describe.each(['adyen', 'pix-callback', 'slack', 'stripe'])('the example %s', (name) => {
  test.each(Object.entries(rewritings))('is unchanged %s', async (_, rewrite) => {
    const document = await readDocument(`examples/${name}/openapi.yaml`);
    expect(await changesBetween(document, rewrite(document))).toEqual([]);
  });
});
