import { describeBodies } from './body-suite.ts';

describeBodies();
