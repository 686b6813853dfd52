import { didYouMean, similarNames } from '../diagnostics/did-you-mean.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
import { quote } from '../diagnostics/quote.ts';
import { memoize } from '../execution/memoize.ts';
import { childOf, descend } from '../json/descend.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import { splitReference } from '../json/split-reference.ts';

/** The sections of documents whose components have the name of a target more often than any other object. */
const sections = ['components', 'definitions'];

/**
 * Returns a suggestion for a reference to a member that a file does not have: a reference with one similar name that
 * has a target there, or the component with the same name in another section.
 * @param root the value of the file that the reference names
 */
export function suggestReference(root: Json | undefined, reference: string): string | undefined {
  const { uri, members } = splitReference(reference);
  if (root === undefined || members.length === 0) return undefined;
  const { value, depth } = descend(root, members);
  const name = members[depth];
  if (name === undefined) return undefined;
  const write = (path: readonly string[]): string =>
    `${uri}#${path.map((member) => `/${escapeMember(member)}`).join('')}`;
  const rest = members.slice(depth + 1);
  const similar = (isJsonObject(value) ? similarNames(name, membersOf(value)) : []).find(
    (sibling) => descend(childOf(value, sibling) ?? null, rest).depth === rest.length,
  );
  if (similar !== undefined)
    return `Did you mean ${quote(write([...members.slice(0, depth), similar, ...rest]))}?`;
  const same = isJsonObject(root) ? (componentsOf(root).get(members.at(-1) ?? '') ?? []) : [];
  return didYouMean(write(members), same.map(write), 1, Infinity);
}

const membersOf = memoize((value: JsonObject) => new NameIndex(Object.keys(value)));

/** More components with one name are no help. */
const maxSameName = 10;

/** Returns the paths of the first components with each name. */
const componentsOf = memoize(
  (root: JsonObject): ReadonlyMap<string, readonly (readonly string[])[]> => {
    const paths = new Map<string, (readonly string[])[]>();
    const add = (...path: readonly string[]): void => {
      const name = path.at(-1) ?? '';
      const same = paths.get(name);
      if (same === undefined) paths.set(name, [path]);
      else if (same.length < maxSameName) same.push(path);
    };
    for (const section of sections) {
      const holder = root[section];
      if (!isJsonObject(holder)) continue;
      for (const [kind, components] of Object.entries(holder)) {
        add(section, kind);
        if (isJsonObject(components))
          for (const name of Object.keys(components))
            if (!Object.hasOwn(holder, name)) add(section, kind, name);
      }
    }
    return paths;
  },
);
