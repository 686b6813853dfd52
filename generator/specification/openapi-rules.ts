import { type Json, type JsonObject, isJsonObject, toObject } from '../json/json.ts';
import type { LocatedProblem } from '../diagnostics/problem.ts';
import { referenceOf } from '../json/descend.ts';
import type { GrammarRule, ValidatedDocument } from './object-grammar.ts';

// Rules of OpenAPI beyond the types of members, as strict as the strictest tool.

/** Returns whether the URL of a server names exactly the declared variables. */
export function declaresItsVariables({ url, variables = {} }: JsonObject): boolean {
  if (typeof url !== 'string' || !isJsonObject(variables)) return false;
  const named = new Set(url.match(/\{[^}]+\}/gu)?.map((name) => name.slice(1, -1)));
  const declared = Object.keys(variables);
  return named.size === declared.length && declared.every((name) => named.has(name));
}

/** Returns whether the components define every security scheme that is required. */
export function requiresKnownSchemes(
  { security }: JsonObject,
  { root }: ValidatedDocument,
): boolean {
  if (!Array.isArray(security)) return security === undefined;
  const { components } = root;
  const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined;
  const requirements: readonly Json[] = security;
  return requirements.every((requirement) =>
    Object.keys(toObject(requirement)).every(
      (name) => isJsonObject(schemes) && Object.hasOwn(schemes, name),
    ),
  );
}

/** The members of a security scheme that are required for its type. */
const schemeMembers: ReadonlyMap<Json | undefined, readonly string[]> = new Map([
  ['apiKey', ['name', 'in']],
  ['http', ['scheme']],
  ['oauth2', ['flows']],
  ['openIdConnect', ['openIdConnectUrl']],
  ['mutualTLS', []],
]);

/** Returns whether a security scheme has the members for its type, and no others. */
export const hasMembersOfItsType: GrammarRule<JsonObject> = (value, { dialect }) => {
  const { type, scheme } = value;
  const required = schemeMembers.get(type);
  if (required === undefined || (type === 'mutualTLS' && dialect === 'openapi 3.0')) return false;
  const memberNames = [...schemeMembers.values()].flat();
  return (
    memberNames.every((name) => Object.hasOwn(value, name) === required.includes(name)) &&
    (!Object.hasOwn(value, 'bearerFormat') || (type === 'http' && scheme === 'bearer'))
  );
};

/** The URLs that an OAuth flow requires; the others are not allowed. */
const flowUrls: ReadonlyMap<string, readonly string[]> = new Map([
  ['implicit', ['authorizationUrl']],
  ['password', ['tokenUrl']],
  ['clientCredentials', ['tokenUrl']],
  ['authorizationCode', ['authorizationUrl', 'tokenUrl']],
]);

/** Returns whether each OAuth flow has the URLs that it requires, and no others. */
export function hasItsUrls(flows: JsonObject): boolean {
  return Object.entries(flows).every(([name, flow]) => {
    const required = flowUrls.get(name);
    if (required === undefined || !isJsonObject(flow)) return true;
    return ['authorizationUrl', 'tokenUrl'].every(
      (url) => Object.hasOwn(flow, url) === required.includes(url),
    );
  });
}

/**
 * Returns whether a parameter or header has either a schema or one media type, and only the members for that choice.
 */
export function isSerialized(value: JsonObject): boolean {
  const { schema, content } = value;
  if ((schema === undefined) === (content === undefined)) return false;
  if (schema !== undefined) return hasOneExample(value);
  const membersBesideSchema = ['style', 'explode', 'allowReserved', 'example', 'examples'];
  return (
    isJsonObject(content) &&
    Object.keys(content).length === 1 &&
    !membersBesideSchema.some((name) => Object.hasOwn(value, name))
  );
}

const styles: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['path', ['matrix', 'label', 'simple']],
  ['query', ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']],
  ['header', ['simple']],
  ['cookie', ['form']],
]);

/** Returns whether a parameter has a known location and a style for it. A path parameter must also be required. */
export function isStyled({ in: location, style, required }: JsonObject): boolean {
  const locationStyles = styles.get(location);
  if (locationStyles === undefined || (location === 'path' && required !== true)) return false;
  return style === undefined || (typeof style === 'string' && locationStyles.includes(style));
}

export function hasOneExample(value: JsonObject): boolean {
  return !(Object.hasOwn(value, 'example') && Object.hasOwn(value, 'examples'));
}

/** Returns whether no two parameters of a list have the same name and location. */
export const areUnique: GrammarRule<readonly Json[]> = (parameters, document) => {
  const identities = new Set(
    parameters.map((parameter) => {
      let value: Json | undefined = parameter;
      for (let reference = referenceOf(value); reference !== undefined;) {
        value = document.target(reference);
        reference = referenceOf(value);
      }
      return isJsonObject(value) ? JSON.stringify([value['in'], value['name']]) : '';
    }),
  );
  return identities.size === parameters.length;
};

export function haveDistinctNames(tags: readonly Json[]): boolean {
  const names = tags.map((tag) => (isJsonObject(tag) ? tag['name'] : undefined));
  return new Set(names).size === tags.length;
}

/** Returns problems for paths that differ only in the names of their parameters, with Redocly's message. */
export function findIdenticalPaths({ paths }: JsonObject): readonly LocatedProblem[] {
  const first = new Map<string, string>();
  const problems: LocatedProblem[] = [];
  for (const path of Object.keys(toObject(paths))) {
    const template = path.replaceAll(/\{.+?\}/gu, '{VARIABLE}');
    const earlier = first.get(template);
    if (earlier === undefined) {
      first.set(template, path);
      continue;
    }
    const message = `The path already exists which differs only by path parameter name(s): \`${earlier}\` and \`${path}\`.`;
    problems.push({ code: 'identical-paths', message, members: ['paths', path] });
  }
  return problems;
}
