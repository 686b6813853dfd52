import { expect, test } from 'vitest';
import {
  defaultAuthentication,
  planAuthentication,
} from '../../../../packages/create/src/scaffold/authentication.ts';
import { shopDocument } from '../../../cli/shop-contract.ts';
import { lowerFiles } from '../../../contract/lower/lower-files.ts';

test.each([
  ['header', 'header', ['--header-env', 'X-Key=WEBHOOK_SECRET']],
  ['query', 'query', []],
  ['bearer', 'bearer', []],
  ['signature', 'signature', []],
  ['bodySignature', 'bodySignature', []],
  [
    'mutualTLS',
    'shared-secret',
    ['--header-env', 'x-webhook-secret=WEBHOOK_SECRET', '--no-signature'],
  ],
  [
    'oauth2',
    'shared-secret',
    ['--header-env', 'x-webhook-secret=WEBHOOK_SECRET', '--no-signature'],
  ],
])('for %s, an application verifies %s, and its commands have %j', async (id, choice, words) => {
  const { contract } = await lowerFiles({
    'openapi.yaml': shopDocument({ own: `security: [{ ${id}: [] }], ` }),
  });
  expect(defaultAuthentication(contract)).toBe(choice);
  expect(planAuthentication(contract, choice, new Map()).sendOptions).toEqual(words);
});
