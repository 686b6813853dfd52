import { parse, stringify } from 'yaml';

type Value = unknown;

/** Turns a name into another of the same length, case and punctuation, of which no substring of letters survives. */
export function rename(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/**
 * Renames, in one file of a contract, everything that its author named: members on the wire, schemas, kinds,
 * channels, operations, headers, parameters, security schemes, credentials, enumeration names and ledger ids.
 * Keywords of the specifications and of the vocabulary stay.
 */
export function renameFile(
  path: string,
  text: string,
): { readonly path: string; readonly text: string } {
  if (path.endsWith('.json'))
    return { path, text: JSON.stringify(renameData(JSON.parse(text) as Value)) };
  if (path.startsWith('schemas/')) {
    return {
      path: renameSchemaPath(path),
      text: stringify(renameNode(parse(text) as Value, 'schema')),
    };
  }
  return { path, text: stringify(renameNode(parse(text) as Value, 'document')) };
}

/** Every member name of an example is a name on the wire; its values stay. */
function renameData(value: Value): Value {
  if (Array.isArray(value)) return value.map(renameData);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), renameData(inner)]),
  );
}

function renameNode(node: Value, place: 'schema' | 'document'): Value {
  if (Array.isArray(node)) return node.map((item) => renameNode(item, place));
  if (!isObject(node)) return typeof node === 'string' ? renameExpression(node) : node;
  const isParameter = typeof node['in'] === 'string' && typeof node['name'] === 'string';
  const result = Object.entries(node).map(([key, value]): [string, Value] => {
    if (key === '$ref' && typeof value === 'string') return [key, renameReference(value)];
    if (key === 'properties') return [key, renameKeys(value, 'schema')];
    if (key === 'required' && Array.isArray(value))
      return [key, value.map((name) => rename(String(name)))];
    if (authored.has(key) && isObject(value)) return [key, renameKeys(value, place)];
    if (key === 'examples' || key === 'x-invalid-examples') return [key, renameExamples(value)];
    if (key === 'example') return [key, renameData(value)];
    if (key === 'x-enum-varnames' && Array.isArray(value))
      return [key, value.map((name) => rename(String(name)))];
    if (key === 'x-variants') return [key, renameVariants(value)];
    if (key === 'x-unstated') return [key, renameKeys(value, place)];
    if (key === 'actions' || key === 'x-presumes') return [key, value];
    if (key === 'choices' && isObject(value)) return [key, value];
    if (key === 'unstated' || key === 'credential') return [key, rename(String(value))];
    if (key === 'operationId' || key === 'operation')
      return [key, typeof value === 'string' ? rename(value) : renameNode(value, place)];
    if (key === 'header' && typeof value === 'string') return [key, rename(value)];
    if (key === 'name' && isParameter) return [key, rename(String(value))];
    if (key === 'address' && typeof value === 'string') return [key, rename(value)];
    if (key === 'security' && Array.isArray(value)) {
      return [
        key,
        value.map((requirement: Value) =>
          '$ref' in (requirement as object)
            ? renameNode(requirement, place)
            : renameKeys(requirement, place),
        ),
      ];
    }
    if (key === 'paths') return [key, renameKeys(value, place)];
    return [renameExpression(key), renameNode(value, place)];
  });
  return Object.fromEntries(
    result.map(([key, value]) => [key, key === 'choices' ? renameChoices(value) : value]),
  );
}

/** Choices keep their names, which the vocabulary gives a meaning where they are values; expressions in them change. */
function renameChoices(choices: Value): Value {
  if (!isObject(choices)) return choices;
  return Object.fromEntries(
    Object.entries(choices).map(([name, choice]) => [
      name,
      isObject(choice)
        ? {
            ...choice,
            ...('value' in choice ? { value: renameNode(choice['value'], 'document') } : {}),
            ...('requires' in choice ? { requires: renameIds(choice['requires']) } : {}),
            ...('actions' in choice ? { actions: renameReferences(choice['actions']) } : {}),
          }
        : choice,
    ]),
  );
}

/** The names of choices stay, as in `choices`. */
function renameIds(requires: Value): Value {
  if (!isObject(requires)) return requires;
  return Object.fromEntries(Object.entries(requires).map(([id, choice]) => [rename(id), choice]));
}

/** Actions apply only when a choice is settled, which no test of renaming does; their references must lead somewhere. */
function renameReferences(value: Value): Value {
  if (Array.isArray(value)) return value.map(renameReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? renameReference(inner)
        : renameReferences(inner),
    ]),
  );
}

function renameExamples(examples: Value): Value {
  if (Array.isArray(examples)) return examples.map(renameExample);
  if (!isObject(examples)) return examples;
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [name, renameExample(example)]),
  );
}

function renameExample(example: Value): Value {
  if (!isObject(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([key, value]): [string, Value] => {
      if (key === 'violates' && isObject(value)) {
        return [key, { ...value, at: String(value['at']).replaceAll(/[^/]+/g, rename) }];
      }
      const isFile = isObject(value) && typeof value['$ref'] === 'string';
      return [key, (key === 'payload' || key === 'value') && !isFile ? renameData(value) : value];
    }),
  );
}

function renameVariants(variants: Value): Value {
  if (!isObject(variants)) return variants;
  return Object.fromEntries(
    Object.entries(variants).map(([name, variant]) => {
      if (!isObject(variant)) return [rename(name), variant];
      const { when, each, as, rename: aliases, ...rest } = variant;
      return [
        rename(name),
        {
          ...rest,
          ...(when === undefined ? {} : { when: renameNode(when, 'document') }),
          ...(typeof each === 'string' ? { each: each.replaceAll(/[^/]+/g, rename) } : {}),
          ...(typeof as === 'string'
            ? { as: as === 'absent' || as === 'number' ? as : as.replaceAll(/[^/]+/g, rename) }
            : {}),
          ...(isObject(aliases)
            ? {
                rename: Object.fromEntries(
                  Object.entries(aliases).map(([from, to]) => [rename(from), rename(String(to))]),
                ),
              }
            : {}),
        },
      ];
    }),
  );
}

function renameKeys(value: Value, place: 'schema' | 'document'): Value {
  if (!isObject(value)) return renameNode(value, place);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), renameNode(inner, place)]),
  );
}

/** `./schemas/Charge.yaml` and `#/components/messages/charge`: file and last member are names, the rest is structure. */
function renameReference(reference: string): string {
  if (!reference.startsWith('#')) return renameSchemaPath(reference);
  const [, ...members] = reference.split('/');
  return ['#', ...members.map((member) => (structure.has(member) ? member : rename(member)))].join(
    '/',
  );
}

function renameSchemaPath(path: string): string {
  return path.replace(/(?<name>[^/]+)\.yaml$/, (_, name: string) => `${rename(name)}.yaml`);
}

/** The names in a runtime expression: a header, a query or path parameter, the members of a body. */
function renameExpression(text: string): string {
  const match =
    /^(?<head>\$(?:request|response)\.(?:header|query|path)\.|\$(?:request|response)\.body#)(?<tail>.*)$/.exec(
      text,
    );
  if (match?.groups === undefined) return text;
  return `${match.groups['head']}${match.groups['tail']?.replaceAll(/[^/]+/g, rename)}`;
}

function isObject(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maps whose keys the author chose. */
const authored: ReadonlySet<string> = new Set([
  'channels',
  'headers',
  'messages',
  'operations',
  'parameters',
  'schemas',
  'securitySchemes',
]);

const structure: ReadonlySet<string> = new Set([...authored, 'components']);
