import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import type { LocatedProblem } from '../diagnostics/problem.ts';
import { referenceOf } from '../json/descend.ts';
import type { Shape, Walk } from './shapes.ts';

// Rules of OpenAPI beyond the types of members, as strict as the strictest tool.

/** A reference outside of schemas with the siblings that OpenAPI 3.1 allows. */
export const describedReference: Shape = (value) =>
  isJsonObject(value) &&
  Object.entries(value).every(
    ([name, member]) =>
      (name === '$ref' || name === 'summary' || name === 'description') &&
      typeof member === 'string',
  );

/** Returns whether the URL of a server names exactly the declared variables. */
export function declaresItsVariables({ url, variables = {} }: JsonObject): boolean {
  if (typeof url !== 'string' || !isJsonObject(variables)) return false;
  const named = new Set(url.match(/\{[^}]+\}/gu)?.map((name) => name.slice(1, -1)));
  const declared = Object.keys(variables);
  return named.size === declared.length && declared.every((name) => named.has(name));
}

/** Returns whether the components define every security scheme that is required. */
export function requiresKnown({ security }: JsonObject, { root }: Walk): boolean {
  if (!Array.isArray(security)) return security === undefined;
  const { components } = root;
  const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined;
  const requirements: readonly Json[] = security;
  return requirements.every((requirement) =>
    Object.keys(isJsonObject(requirement) ? requirement : {}).every(
      (name) => isJsonObject(schemes) && Object.hasOwn(schemes, name),
    ),
  );
}

/**
 * Returns whether a parameter or header has either a schema or one media type, and only the members for that choice.
 */
export function isSerialised(value: JsonObject): boolean {
  const { schema, content } = value;
  if ((schema === undefined) === (content === undefined)) return false;
  if (schema !== undefined) return hasOneExample(value);
  const others = ['style', 'explode', 'allowReserved', 'example', 'examples'];
  return (
    isJsonObject(content) &&
    Object.keys(content).length === 1 &&
    !others.some((name) => Object.hasOwn(value, name))
  );
}

const styles: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['path', ['matrix', 'label', 'simple']],
  ['query', ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']],
  ['header', ['simple']],
  ['cookie', ['form']],
]);

/** Returns whether a parameter has a known location and a style for it. A path parameter must also be required. */
export function isStyled({ in: place, style, required }: JsonObject): boolean {
  const known = styles.get(place);
  if (known === undefined || (place === 'path' && required !== true)) return false;
  return style === undefined || (typeof style === 'string' && known.includes(style));
}

export function hasOneExample(value: JsonObject): boolean {
  return !(Object.hasOwn(value, 'example') && Object.hasOwn(value, 'examples'));
}

/** Returns whether no two parameters of a list have the same name and location. */
export function areUnique(parameters: readonly Json[], walk: Walk): boolean {
  const identities = new Set(
    parameters.map((parameter) => {
      let value: Json | undefined = parameter;
      for (let reference = referenceOf(value); reference !== undefined;) {
        value = walk.target(reference);
        reference = referenceOf(value);
      }
      return isJsonObject(value) ? JSON.stringify([value['in'], value['name']]) : '';
    }),
  );
  return identities.size === parameters.length;
}

export function haveDistinctNames(tags: readonly JsonObject[]): boolean {
  return new Set(tags.map(({ name }) => name)).size === tags.length;
}

/** Returns problems for paths that differ only in the names of their parameters, with Redocly's message. */
export function findIdenticalPaths({ paths }: JsonObject): readonly LocatedProblem[] {
  const first = new Map<string, string>();
  const problems: LocatedProblem[] = [];
  for (const path of Object.keys(isJsonObject(paths) ? paths : {})) {
    const template = path.replaceAll(/\{.+?\}/gu, '{VARIABLE}');
    const known = first.get(template);
    if (known === undefined) {
      first.set(template, path);
      continue;
    }
    const message = `The path already exists which differs only by path parameter name(s): \`${known}\` and \`${path}\`.`;
    problems.push({ code: 'identical-paths', message, members: ['paths', path] });
  }
  return problems;
}
