import { childOf, referenceOf } from '../json/descend.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { DocumentName } from '../json/pointer.ts';
import { grammars } from './grammars.ts';
import type { Grammar, ObjectGrammar, ObjectName, ValueGrammar } from './object-grammar.ts';

/** Members of which an object has at most one, or exactly one where the specification requires one of them. */
const alternatives: Readonly<
  Partial<
    Record<
      ObjectName,
      readonly { readonly either: string; readonly or: string; readonly isRequired: boolean }[]
    >
  >
> = {
  parameter: [
    { either: 'schema', or: 'content', isRequired: true },
    { either: 'example', or: 'examples', isRequired: false },
  ],
  header: [
    { either: 'schema', or: 'content', isRequired: true },
    { either: 'example', or: 'examples', isRequired: false },
  ],
  'media-type': [{ either: 'example', or: 'examples', isRequired: false }],
  example: [{ either: 'value', or: 'externalValue', isRequired: false }],
  link: [{ either: 'operationId', or: 'operationRef', isRequired: true }],
  license: [{ either: 'identifier', or: 'url', isRequired: false }],
};

/**
 * Describes what the specification expects at a place, and which member of the value contradicts it, as the end of a
 * sentence: `a parameter or a reference to one: it has both "schema" and "content"`. Returns `undefined` for a place
 * that the grammar does not describe.
 */
export function describeExpectation(
  root: JsonObject,
  name: DocumentName,
  members: readonly string[],
): string | undefined {
  const place = grammarAt(root, name, members);
  if (place === undefined) return undefined;
  const expected = nameGrammar(place.grammar, grammars[name]);
  if (expected === undefined) return undefined;
  const fault = findFault(place.value, place.grammar, grammars[name]);
  return fault === undefined ? expected : `${expected}: ${fault}`;
}

/** Returns the names of the members that the specification defines for the object at a place. */
export function expectedMembers(
  root: JsonObject,
  name: DocumentName,
  members: readonly string[],
): readonly string[] {
  const place = grammarAt(root, name, members);
  const object = place && objectOf(place.grammar, grammars[name]);
  return object === undefined ? [] : [...object.grammar.members.keys()];
}

/** Returns the value at a place and its grammar, where functions and options are already chosen by the value. */
function grammarAt(
  root: JsonObject,
  name: DocumentName,
  members: readonly string[],
): { readonly value: Json | undefined; readonly grammar: ValueGrammar } | undefined {
  let value: Json | undefined = root;
  let grammar: ValueGrammar = 'document';
  for (const member of members) {
    const child: Json | undefined = childOf(value, member);
    const next = memberGrammar(grammar, member, child, grammars[name]);
    if (next === undefined) return undefined;
    value = child;
    grammar = next;
  }
  return { value, grammar };
}

function memberGrammar(
  grammar: ValueGrammar,
  member: string,
  value: Json | undefined,
  specification: Grammar,
): ValueGrammar | undefined {
  const declaredGrammar = findMember(grammar, member, specification);
  return declaredGrammar === undefined ? undefined : choose(declaredGrammar, value);
}

function findMember(
  grammar: ValueGrammar,
  member: string,
  specification: Grammar,
): ValueGrammar | undefined {
  if (typeof grammar === 'string') {
    const { members, otherMembers } = specification.objects[grammar] ?? {};
    return (
      members?.get(member) ??
      (otherMembers?.names.test(member) === true ? otherMembers.value : undefined)
    );
  }
  if (typeof grammar === 'function') return undefined;
  if (grammar.type === 'list') return grammar.items;
  return grammar.type === 'map' ? grammar.values : undefined;
}

/** Returns the part of a grammar that concerns a value: the chosen object, or the option for its JSON type. */
function choose(grammar: ValueGrammar, value: Json | undefined): ValueGrammar {
  if (typeof grammar === 'function') return grammar(value ?? null);
  if (typeof grammar === 'string') return grammar;
  if (grammar.type === 'only') return choose(grammar.value, value);
  if (grammar.type !== 'any-of') return grammar;
  const options = grammar.options.map((option) => choose(option, value));
  const isList = Array.isArray(value);
  const wanted = options.find((option) => isListGrammar(option) === isList && holdsMembers(option));
  return (isList || isJsonObject(value) ? wanted : undefined) ?? options[0] ?? grammar;
}

function isListGrammar(grammar: ValueGrammar): boolean {
  return typeof grammar === 'object' && grammar.type === 'list';
}

function holdsMembers(grammar: ValueGrammar): boolean {
  return typeof grammar !== 'object' || grammar.type === 'list' || grammar.type === 'map';
}

function objectOf(
  grammar: ValueGrammar,
  { objects }: Grammar,
): { readonly name: ObjectName; readonly grammar: ObjectGrammar } | undefined {
  const objectGrammar = typeof grammar === 'string' ? objects[grammar] : undefined;
  return typeof grammar !== 'string' || objectGrammar === undefined
    ? undefined
    : { name: grammar, grammar: objectGrammar };
}

/** Names what a grammar describes, with its article; `undefined` for scalars and data. */
function nameGrammar(grammar: ValueGrammar, specification: Grammar): string | undefined {
  if (typeof grammar === 'string') {
    const object = objectOf(grammar, specification);
    const name = withArticle(object?.grammar.kind ?? grammar);
    return object?.grammar.reference === undefined ? name : `${name} or a reference to one`;
  }
  if (typeof grammar === 'function') return undefined;
  switch (grammar.type) {
    case 'reference':
      return `a reference to ${withArticle(grammar.refersTo)}`;
    case 'list':
      return 'a list';
    case 'map':
      return 'an object with names of your choice';
    default:
      return undefined;
  }
}

/** Returns what is wrong with a value of a grammar, if its members show it. */
function findFault(
  value: Json | undefined,
  grammar: ValueGrammar,
  specification: Grammar,
): string | undefined {
  const object = objectOf(grammar, specification);
  if (object === undefined) {
    const isReference = typeof grammar === 'object' && grammar.type === 'reference';
    return isReference && isJsonObject(value) ? 'it has no `$ref`' : undefined;
  }
  if (!isJsonObject(value)) return value === undefined ? undefined : `it is ${typeName(value)}`;
  if (referenceOf(value) !== undefined) return undefined;
  const { members, otherMembers, required = [] } = object.grammar;
  const unknown = Object.keys(value).filter(
    (member) =>
      !members.has(member) && !member.startsWith('x-') && otherMembers?.names.test(member) !== true,
  );
  const faults = [
    ...required
      .filter((member) => !Object.hasOwn(value, member))
      .map((member) => `\`${member}\` is missing`),
    ...unknown.map((member) => `\`${member}\` is not a member of it`),
    ...(alternatives[object.name] ?? []).flatMap(({ either, or, isRequired }) => {
      const [first, second] = [Object.hasOwn(value, either), Object.hasOwn(value, or)];
      if (first && second) return [`it has both \`${either}\` and \`${or}\``];
      return isRequired && !first && !second ? [`it has neither \`${either}\` nor \`${or}\``] : [];
    }),
  ];
  return faults.length === 0 ? undefined : faults.slice(0, 3).join(', ');
}

function withArticle(kind: string): string {
  const words = kind.replaceAll('-', ' ');
  return `${/^[aeiou]/u.test(words) ? 'an' : 'a'} ${words}`;
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
