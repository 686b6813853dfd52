import { afterAll } from 'vitest';
import { describeBodies } from './body-suite.ts';
import { removeNode } from '../without-node.ts';
import { isEveryTestRun } from '../../../some.ts';

afterAll(removeNode());

// With WebCrypto, each element takes a task of its own.
describeBodies(isEveryTestRun ? 20_000 : 100);
