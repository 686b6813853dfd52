import { pointerMembers } from '../json/pointer.ts';
import type { Unstated } from './contract.ts';

/**
 * Returns what the answer to a ledger entry changes, in words: an option of generated code, or places of the contract,
 * such as `schemas Order, Item`. Returns an empty list where the entry is documentation only.
 */
export function describeChanges(entry: Unstated): readonly string[] {
  const { optionName, usedBy, answers, choices } = entry;
  const places = [
    ...(usedBy.length > 0 ? [{ one: 'option', many: 'options', name: optionName }] : []),
    ...answers.map((pointer) => placeAt(pointerMembers(pointer))),
    ...choices.flatMap(({ changes = [] }) => changes.map((path) => placeAt(stepsOf(path)))),
  ];
  return [...Map.groupBy(places, ({ many }) => many)].map(([many, group]) => {
    const [first] = group;
    const names = new Set(group.map(({ name }) => name));
    if (names.has(undefined)) return many;
    return `${names.size === 1 ? (first?.one ?? many) : many} ${[...names].join(', ')}`;
  });
}

/** A named part of a contract, or all parts of its kind. */
interface ChangedPlace {
  readonly one: string;
  readonly many: string;
  /** Left out where a wildcard or a filter selects the parts. */
  readonly name?: string | undefined;
}

/** The name of a member, or `undefined` for a wildcard, a filter or an index. */
type Step = string | undefined;

function placeAt(path: readonly Step[]): ChangedPlace {
  const [section = 'document', name, ...inside] = path[0] === 'components' ? path.slice(1) : path;
  const kind = (one: string, named: Step = name): ChangedPlace => ({
    one,
    // Such as `labels of channels`.
    many: one.replace(/^(?:label|binding)\b/u, '$&s').concat('s'),
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
    default:
      return { one: section, many: section };
  }
}

/** One step of a JSONPath. The last alternative is the rest of a filter that contains brackets. */
const step =
  /\.\.|\.?\*|\.(?<name>[^.[*]+)|\[(?:'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?:[^\]'"]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")*)\]|[^.[]/guy;

/** Returns the steps of a JSONPath. */
function stepsOf(path: string): readonly Step[] {
  return Array.from(path.slice(1).matchAll(step), ({ groups }) => {
    const { name, single, double } = groups ?? {};
    return name ?? (single ?? double)?.replaceAll(/\\(.)/gu, '$1');
  });
}
