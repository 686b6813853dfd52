import { expect, it } from 'vitest';
import { toPackageName } from '../../../../packages/create/src/scaffold/package-name.ts';

it.each([
  ['receiver', 'receiver'],
  ['nestjs', 'nestjs'],
  ['express', 'express-receiver'],
  ['hono', 'hono-receiver'],
  ['react-dom', 'react-dom-receiver'],
  ['typescript', 'typescript-receiver'],
  ['wrangler', 'wrangler-receiver'],
  ['countersign', 'countersign-receiver'],
  ['http', 'http-receiver'],
  ['string_decoder', 'string_decoder-receiver'],
  ['pg', 'pg-receiver'],
])('the package of an application in %s is named %s', (folder, want) => {
  expect(toPackageName(folder, 'receiver')).toBe(want);
});
