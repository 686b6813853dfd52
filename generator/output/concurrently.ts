/** Open files at a time: enough to keep a disk busy, far below what systems allow a process. */
const width = 16;

/** Runs a task for every item, a fixed few at a time, and answers in the order of the items. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
