/** Open files at a time: enough to keep a disk busy, far below what systems allow a process. */
const openFiles = 16;

/**
 * Runs a task for every item, a fixed few at a time, and answers in the order of the items. Where a task throws, no
 * other is begun, and the error comes when those under way have ended: nothing goes on behind the caller's back.
 * @param width how many at a time; as many as files may be open where it is left out
 */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
  width: number = openFiles,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const errors: unknown[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (errors.length > 0) return;
      try {
        results[index] = await task(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  if (errors.length > 0) throw errors[0];
  return results;
}
