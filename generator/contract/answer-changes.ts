import { pointerMembers } from '../json/pointer.ts';
import type { Unstated } from './contract.ts';

/** What the answer to an entry changes for which the contract declares no effect. */
export const byHand = 'the contract, by hand';

/** The maximum number of names in a list. A wildcard can select thousands of parts. */
const maxNames = 10;

/**
 * Returns what the answer to a ledger entry changes, in words: an option of generated code, or places of the contract,
 * such as `schemas Order, Item`. Returns an empty list where the entry is documentation only.
 */
export function describeChanges(entry: Unstated): readonly string[] {
  const { optionName, usedBy, answers, affects, documentation, settled } = entry;
  const places = [
    ...(usedBy.length > 0 ? [{ singular: 'option', plural: 'options', name: optionName }] : []),
    ...[...answers, ...affects].map((pointer) => placeAt(pointerMembers(pointer))),
  ];
  if (places.length === 0) return documentation === true || settled !== undefined ? [] : [byHand];
  return [...Map.groupBy(places, ({ plural }) => plural)].map(([plural, group]) => {
    const [first] = group;
    const names = new Set(group.flatMap(({ name }) => name ?? []));
    if (names.size === 0 || names.size > maxNames) return plural;
    return `${names.size === 1 ? (first?.singular ?? plural) : plural} ${[...names].join(', ')}`;
  });
}

/** A part of a contract. Without a name, it is a section of a document. */
interface ChangedPlace {
  readonly singular: string;
  readonly plural: string;
  readonly name?: string | undefined;
}

function placeAt(path: readonly string[]): ChangedPlace {
  const [section = 'document', name, ...inside] = path[0] === 'components' ? path.slice(1) : path;
  const kind = (singular: string, named = name): ChangedPlace => ({
    singular,
    // Such as `labels of channels`.
    plural: singular.replace(/^(?:label|binding)\b/u, '$&s').concat('s'),
    name: named,
  });
  switch (section) {
    case 'schemas': {
      const members = inside.filter((_, index) => inside[index - 1] === 'properties');
      return members.length === 0 || name === undefined
        ? kind('schema')
        : kind('member', [name, ...members].join('.'));
    }
    case 'messages':
    case 'webhooks': {
      const noun = section.slice(0, -1);
      return kind(inside.includes('x-identified-by') ? `identification of ${noun}` : noun);
    }
    case 'channels':
      return kind(
        inside[0] === 'address' || inside[0] === 'parameters' ? 'label of channel' : 'channel',
      );
    case 'operations':
      return kind(inside[0] === 'bindings' ? 'binding of operation' : 'operation');
    case 'paths': {
      const [method] = inside;
      return kind('operation', method && name && `${method.toUpperCase()} ${name}`);
    }
    case 'securitySchemes':
      return kind('security scheme');
    case 'parameters':
      return kind('parameter');
    case 'x-conditions':
      return kind('condition');
    default:
      return { singular: section, plural: section };
  }
}
