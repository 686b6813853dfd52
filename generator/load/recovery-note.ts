import type { LocatedProblem } from '../diagnostics/problem.ts';
import { schemaKeywords } from '../specification/schema-keywords.ts';

/**
 * Returns how generation reads a place that violates the specification, as the end of a sentence; undefined where the
 * meaning cannot be guessed. Applies to contracts that were written for other tools, which accept such places.
 */
export function recoveryNote({ code, message, members }: LocatedProblem): string | undefined {
  if (code === 'invalid-schema') {
    const [, keyword] = /^Property `([^]*?)` is not expected here/u.exec(message) ?? [];
    return (
      (keyword === undefined ? undefined : otherKeyword(keyword)) ??
      'only the valid part of the keyword is used'
    );
  }
  const [member = '', holder] = members.toReversed();
  const version = message.startsWith('Property ') ? versionWith(members) : undefined;
  if (version !== undefined) return `it is read as in OpenAPI ${version}`;
  if (holder === 'responses' && /^(?:[1-5]xx|default)$/iu.test(member)) {
    const status = /^default$/iu.test(member) ? 'default' : member.toUpperCase();
    return `it is read as \`${status}\``;
  }
  if (/^Expected type .* but got `(?:null|.*\bnull\b)/u.test(message))
    return 'it is treated as missing';
  if (/^Expected type `(?:Example|ExternalDocs|Link|MessageExample|Tag)`/u.test(message))
    return unread;
  if (message.startsWith('Expected type ')) {
    // Values of server variables, and in AsyncAPI of parameters, are texts. Many documents have numbers there.
    const isItem = holder === 'enum' || holder === 'examples';
    const section = members.at(isItem ? -4 : -3);
    const isOfTexts =
      section === 'variables' || (code === 'invalid-asyncapi' && section === 'parameters');
    if (isOfTexts && (isItem || member === 'default')) return 'it is read as text';
    if (holder === 'examples') return unread;
    return mistyped.get(member);
  }
  if (/^The `.*` variable is not defined in the `variables` objects/su.test(message))
    return undeclaredVariable(members);
  for (const [pattern, until] of harmless) if (pattern.test(message)) return until;
  return undefined;
}

/** Returns the version of OpenAPI with a member, if generation reads the member in older documents too. */
function versionWith(members: readonly string[]): string | undefined {
  const place = members.join(' ');
  if (place === 'webhooks' || place === 'components pathItems') return '3.1';
  return members.length === 3 && members[0] !== 'components' && members[2] === 'query'
    ? '3.2'
    : undefined;
}

/** Returns how generation reads a keyword that the version of the specification does not have. */
function otherKeyword(keyword: string): string | undefined {
  if (keyword === 'nullable') return 'it is honoured as in OpenAPI 3.0: `null` is valid too';
  if (keyword === '$recursiveRef') return 'it is ignored, and any value is accepted';
  const definition = schemaKeywords.get(keyword);
  if (definition?.role === 'assertion') return 'it is honoured as JSON Schema defines it';
  return definition === undefined || definition.role === 'identity' ? unread : undefined;
}

/** Returns the effect of a variable without a default, which depends on the server that has it. */
function undeclaredVariable(members: readonly string[]): string {
  const at = members.lastIndexOf('servers');
  if (members[at + 1] !== '0') return 'no generated client has a default for it';
  if (at === 0) return 'clients have no default base URL, so each one has to set it';
  return 'its calls need an address in `baseUrls`, or a value in `serverVariables`';
}

/** How generation reads a member that it ignores where the member has the wrong type. */
const unread = 'it is ignored';
const mistyped: ReadonlyMap<string, string> = new Map([
  ['version', 'it is read as text'],
  ['title', 'it is read as text'],
  ...(
    'bearerFormat contact deprecated description example examples explode externalDocs license links ' +
    'operationId summary tags termsOfService xml allowReserved allowEmptyValue'
  )
    .split(' ')
    .map((member): [string, string] => [member, unread]),
]);

const harmless: readonly (readonly [RegExp, string])[] = [
  [/^Property `.*` is not expected here/su, unread],
  [
    /^The field `(?:description|responses|title|url|scopes|tokenUrl|authorizationUrl|name|version|license|mapping|summary|operationRef|schema|flows|content|paths|info)` must be present/u,
    'it is treated as empty',
  ],
  [/^A parameter in the path has to be `required: true`/u, 'it is treated as required'],
  [/^Must contain at least one of the following fields: schema, content/u, 'any value is accepted'],
  [/^The `.*` variable is not used in the server's `url` field/su, unread],
  [/^The field `default` must be present/u, 'the variable has no value'],
  [/^A license has either/u, 'the URL is left out of package.json'],
  [/^Operations must have unique `name`/u, 'the last one is used'],
  [/^There is no `.*` security scheme defined/su, 'no credentials are required for it'],
  [/^The map key in .* does not match the regular expression/su, 'the name is used unchanged'],
  [/ must have at least 1 member/u, 'it is treated as missing'],
  [/^Duplicate tag name found/u, 'both are treated as one tag'],
  [/^Don't put query string items in the path/u, 'they are sent unchanged'],
];
