import { describeKills } from '../kills.ts';
import { openKilled } from './open-killed.ts';

describeKills(1, openKilled);
