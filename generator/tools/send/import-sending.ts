import type * as Sending from '@countersign/simulator/sending';
import { fromSource } from '../../execution/from-source.ts';

/** Imports the module of the simulator that sends requests. */
export async function importSending(): Promise<typeof Sending> {
  return await fromSource(() => import('@countersign/simulator/sending'));
}
