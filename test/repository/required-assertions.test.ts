import { expect, test } from 'vitest';
import all from '../../vitest.all.config.ts';
import config from '../../vitest.config.ts';
import slow from '../../vitest.slow.config.ts';

test.each([
  ['npm test', config],
  ['npm run test:slow', slow],
  ['npm run test:all', all],
])(
  '%s refuses a test that asserts nothing, and waits longer than a slow machine takes',
  (_, { test: options }) => {
    expect(options).toMatchObject({
      expect: { requireAssertions: true, poll: { timeout: 30_000 } },
      projects: [{ extends: true }, { extends: true }],
    });
  },
);
