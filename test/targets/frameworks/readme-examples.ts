import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The examples of a generated page: of a receiver, and of a delivery where the contract has an example to deliver. */
export async function readmeExamples(project: string, target: string): Promise<readonly string[]> {
  const page = await readFile(join(project, target, 'README.md'), 'utf8');
  const blocks = Array.from(page.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code);
  if (blocks.length === 0) throw new Error(`The page of ${target} has no example`);
  return blocks;
}
