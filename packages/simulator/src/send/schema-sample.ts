import { toReference } from 'countersign/companion/contract';
import { toIdentified } from 'countersign/companion/deliveries';
import { CommandError } from 'countersign/companion/terminal';
import { JudgeError, ValidatorCompiler, withExampleCheck } from 'countersign/companion/validators';
import type { Contract, Json, Notification } from 'countersign/kit';
import { SampleMaker } from '../samples/sample-maker.ts';
import { leavesOf, replaceAt } from '../sending/json-path.ts';

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
    if (sample !== undefined)
      return toIdentified(notification, await tellTextsApart(contract, notification, sample));
    throw new CommandError(
      'usage',
      `No sample of ${notification.name} can be made from its schema: ${failure} Give its body with --data.`,
    );
  } finally {
    maker.close();
  }
}

/** The most texts that are told apart, because each is judged. */
const maxTold = 100;

/**
 * Returns a sample in which texts that are equal are the names of their members, where the schema accepts these: a member
 * with a text of its own is recognized in what an application shows, and no other one follows it if it is an identity.
 */
async function tellTextsApart(
  contract: Contract,
  { payload }: Notification,
  sample: Json,
): Promise<Json> {
  const texts = leavesOf(sample).filter(({ value }) => typeof value === 'string');
  const equal = [...Map.groupBy(texts, ({ value }) => value).values()]
    .filter(({ length }) => length > 1)
    .flat();
  if (equal.length === 0) return sample;
  return await withExampleCheck(contract, new ValidatorCompiler(), async (check) => {
    const accepts = async (value: Json): Promise<boolean> => {
      try {
        return (await check(toReference(payload), value)).length === 0;
      } catch (error) {
        if (error instanceof JudgeError) return false;
        throw error;
      }
    };
    let told = sample;
    for (const { path } of equal.slice(0, maxTold)) {
      const named = replaceAt(told, path, path.join('-'));
      if (await accepts(named)) told = named;
    }
    return told;
  });
}
