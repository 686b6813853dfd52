import { describePowerLoss } from './power-loss.ts';

describePowerLoss(100, 10);
