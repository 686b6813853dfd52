/**
 * Runs a task for every item, several at a time, and returns the results in the order of the items. If a task throws,
 * no other task starts. The first error is thrown after all running tasks have finished.
 * @param width how many tasks run at a time
 */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
  width: number,
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
