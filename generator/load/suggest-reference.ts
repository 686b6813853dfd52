import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { childOf, descend } from '../json/descend.ts';
import { isJsonObject, type Json } from '../json/json.ts';
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
  const similar = namesIn(value).filter(
    (sibling) => descend(childOf(value, sibling) ?? null, rest).depth === rest.length,
  );
  const limit = Math.max(1, Math.floor(name.length / 3));
  const candidates = similar.map((sibling) =>
    write([...members.slice(0, depth), sibling, ...rest]),
  );
  return (
    didYouMean(write(members), candidates, 1, limit) ??
    didYouMean(write(members), sameNames(root, members.at(-1) ?? '').map(write), 1, Infinity)
  );
}

/** Returns the paths of all components with a name. */
function sameNames(root: Json, name: string): readonly (readonly string[])[] {
  return sections.flatMap((section) => {
    const holder = childOf(root, section);
    if (childOf(holder, name) !== undefined) return [[section, name]];
    return namesIn(holder).flatMap((kind) =>
      childOf(childOf(holder, kind), name) === undefined ? [] : [[section, kind, name]],
    );
  });
}

function namesIn(value: Json | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}
