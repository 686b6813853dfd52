import { afterAll } from 'vitest';
import { describeBodies } from './body-suite.ts';
import { removeNode } from '../without-node.ts';

afterAll(removeNode());

describeBodies();
