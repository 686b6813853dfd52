import { OutputError } from '../../generator/emit/output-error.ts';
import { reconcile } from '../../generator/output/reconcile.ts';

/** Whether an output folder is served to who reads it, or refused as incomplete. */
export async function stateOf(folder: string): Promise<'whole' | 'interrupted'> {
  try {
    await reconcile([], { folder, mode: 'check', waitMs: 0 });
    return 'whole';
  } catch (error) {
    if (error instanceof OutputError && error.code === 'interrupted') return 'interrupted';
    throw error;
  }
}
