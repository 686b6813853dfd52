import { describeKills } from './kills.ts';

describeKills(10);
