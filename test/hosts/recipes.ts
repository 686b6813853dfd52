import { readFile } from 'node:fs/promises';

/** The document for users that says how a receiver is put on each host. */
const document: URL = new URL('../../packages/runtime/webhooks/HOSTS.md', import.meta.url);

/** The files that a section of the document shows, by the path in their first line. */
export async function readRecipes(section: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(document, 'utf8');
  const sectionText = text.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const fences = sectionText.matchAll(/^```(?:ts|js)\n\/\/ (\S+)\n([\s\S]*?)^```$/gm);
  const recipes = new Map(Array.from(fences, ([, path = '', code = '']) => [path, code]));
  if (recipes.size === 0) throw new Error(`The document has no recipe for ${section}.`);
  return recipes;
}

/** The sections of the document that show code. */
export async function recipeSections(): Promise<readonly string[]> {
  const text = await readFile(document, 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .filter((part) => part.includes('\n```'))
    .map((part) => part.slice(0, part.indexOf('\n')));
}
