import { toIdentified } from 'countersign/companion/deliveries';
import { CommandError } from 'countersign/companion/terminal';
import type { Contract, Json, Notification } from 'countersign/kit';
import { SampleMaker } from '../samples/sample-maker.ts';

/** One value with the required members, and one with all of the upper levels. */
const count = 2;

/**
 * Returns a sample of the payload of a notification, with all members of its upper levels where one can be made. It is
 * the same in each run.
 * @throws CommandError `usage` where none can be made, with the reason
 */
export async function makeSchemaSample(
  contract: Contract,
  notification: Notification,
): Promise<Json> {
  const maker = new SampleMaker(contract);
  try {
    const { values, failure = '' } = await maker.make(notification.payload, count);
    const sample = values.at(-1);
    if (sample !== undefined) return toIdentified(notification, sample);
    throw new CommandError(
      'usage',
      `No sample of ${notification.name} can be made from its schema: ${failure} Give its body with --data.`,
    );
  } finally {
    maker.close();
  }
}
