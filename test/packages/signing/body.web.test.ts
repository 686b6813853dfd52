import { vi } from 'vitest';
import { describeBodies } from './body-suite.ts';

vi.mock(
  '../../../packages/signing/src/hmac-node.ts',
  () => import('../../../packages/signing/src/hmac-web.ts'),
);

describeBodies();
