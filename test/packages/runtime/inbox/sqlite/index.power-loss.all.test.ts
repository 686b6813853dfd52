import { describePowerLoss } from './power-loss.ts';

describePowerLoss(3000, 300);
