import { expect, test } from 'vitest';
import all from '../../vitest.all.config.ts';
import config from '../../vitest.config.ts';
import slow from '../../vitest.slow.config.ts';

test.each([
  ['npm test', config],
  ['npm run test:slow', slow],
  ['npm run test:all', all],
])('%s refuses a test that asserts nothing', (_, { test: options }) => {
  expect(options).toMatchObject({
    expect: { requireAssertions: true },
    projects: [{ extends: true }, { extends: true }],
  });
});
