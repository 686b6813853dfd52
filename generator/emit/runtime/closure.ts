import { posix } from 'node:path';
import type { RuntimeSources } from '../../targets/package/runtime-sources.ts';

/** The modules that some entries consist of. */
export interface RuntimeClosure {
  /** The text of each module, by its path, in the order of the paths. */
  readonly modules: ReadonlyMap<string, string>;
  /** The packages and modules of Node that the modules import. */
  readonly imports: ReadonlySet<string>;
}

/**
 * The specifiers that a module of the runtime refers to: of imports, and of the file of a thread. The sources are
 * formatted, so that specifiers are in single quotes, and no line of a comment has this form.
 */
const references =
  /^(?:import |(?:import|export|\})[^'\n]* from )'(?<whole>[^'\n]+)';$|^(?:.*\W)?import\('(?<later>[^'\n]+)'\)|new URL\([`'](?<thread>\.[^`'$]+?)\.(?:\$\{|ts|js)/gmu;

/** Returns the modules that entries need: theirs, and all that these import, and nothing else. */
export function closeOver(
  entries: Iterable<string>,
  { entries: known, read }: Pick<RuntimeSources, 'entries' | 'read'>,
): RuntimeClosure {
  const texts = new Map<string, string>();
  const imports = new Set<string>();
  const waiting = Array.from(entries, (entry) => {
    const path = known.get(entry);
    if (path === undefined) throw new TypeError(`the runtime has no part "${entry}"`);
    return path;
  });
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const text = read(path);
    texts.set(path, text);
    for (const { groups = {} } of text.matchAll(references)) {
      const { whole, later, thread } = groups;
      const specifier = whole ?? later ?? `${thread}.ts`;
      if (specifier.startsWith('.')) waiting.push(posix.join(posix.dirname(path), specifier));
      else imports.add(specifier);
    }
  }
  const ordered = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { modules: new Map(ordered), imports };
}
