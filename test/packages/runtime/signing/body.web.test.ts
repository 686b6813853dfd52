import { vi } from 'vitest';
import { describeBodies } from './body-suite.ts';

vi.mock(
  '../../../../packages/runtime/signing/hmac-node.ts',
  () => import('../../../../packages/runtime/signing/hmac-web.ts'),
);

describeBodies();
