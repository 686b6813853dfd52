import { type Config, Source as RedoclySource, lintDocument } from '@redocly/openapi-core';
import type { DiagnosticCode } from '../../diagnostics/catalogue.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { NameIndex } from '../../diagnostics/name-index.ts';
import { isJsonObject, type JsonObject, optional } from '../../json/json.ts';
import {
  decodeReference,
  type DocumentName,
  pointerMembers,
  toPointer,
} from '../../json/pointer.ts';
import type { UnbundledDocument } from './check-references.ts';
import { descend, referenceOf } from '../../json/descend.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';
import { grammars } from '../../specification/grammars.ts';
import { readSchemaFormat } from '../../specification/schema-format.ts';
import { SchemaFormats } from '../../specification/schema-formats.ts';
import { schemaKeywords } from '../../specification/schema-keywords.ts';
import { ClosedResolver, createRedoclyConfig } from './redocly-config.ts';
import { suggestMember } from './suggest-member.ts';

/**
 * Redocly's rules that restate a specification. Rules about style, and rules that `lower` checks itself, are left out.
 */
const rules = {
  struct: 'error',
  'spec-components-invalid-map-name': 'error',
  'operation-parameters-unique': 'error',
  'path-declaration-must-exist': 'error',
  'path-not-include-query': 'error',
  'no-identical-paths': 'error',
  'no-undefined-server-variable': 'error',
  'no-duplicated-tag-names': 'error',
  'security-defined': 'error',
} as const;

/** The problems in the structure of a document, and whether a place in it is in a schema. */
export interface Linted {
  readonly problems: readonly LocatedProblem[];
  readonly isInSchema: (members: readonly string[]) => boolean;
}

/** Checks the structure of a bundled document in depth, including its schemas. */
export async function lint(
  root: JsonObject,
  document: DocumentName,
  { entry, types, specVersion }: UnbundledDocument,
): Promise<Linted> {
  const schemas = new Set<string>();
  const parsed = withoutDangling(root);
  const run = async (chosen: Partial<typeof rules>): ReturnType<typeof lintDocument> =>
    await lintDocument({
      document: { source: new RedoclySource(entry.path, entry.text), parsed },
      config: await configure(chosen, schemas),
      customTypes: types,
      externalRefResolver: new ClosedResolver(),
    });
  const redoclyProblems = await run(rules);
  // Redocly passes no node with a `struct` problem to other rules, so the schemas are collected again without `struct`.
  if (redoclyProblems.some(({ ruleId }) => ruleId === 'struct')) await run({});
  let formats: SchemaFormats | undefined;
  const schemes = schemesIn(root);
  const schemeIndex = new NameIndex(schemes);
  const problems = redoclyProblems.flatMap(({ ruleId, message, location, suggest }) => {
    const pointer = location[0]?.pointer;
    if (pointer === undefined) return [];
    // A missing security requirement is a matter of style; a scheme that is not defined is an error.
    if (ruleId === 'security-defined' && !message.startsWith('There is no')) return [];
    // Redocly does not see a scheme whose reference has no target, which is a separate problem.
    if (ruleId === 'security-defined' && schemes.has(nameAt(pointer))) return [];
    // Servers, channels and messages of AsyncAPI have their own tags, which Redocly treats as one list.
    if (ruleId === 'no-duplicated-tag-names' && document === 'asyncapi') return [];
    // OpenAPI restricts the names of components. JSON Schema restricts none in `$defs`, which Redocly treats alike.
    const isDefinition = pointerMembers(pointer).at(-2) === '$defs';
    if (ruleId === 'spec-components-invalid-map-name' && isDefinition) return [];
    // Redocly treats an extension in `x-webhooks` as a webhook.
    if (/^#\/x-webhooks\/x-[^/]*$/u.test(pointer)) return [];
    // Outside OpenAPI 3.0, `true` and `false` are valid schemas.
    if (specVersion !== 'oas3_0' && /^Expected type `Schema`.*`boolean`/.test(message)) return [];
    const place = pointer === '#/' ? '#' : pointer;
    if (document === 'asyncapi' && canBeOfFormat(message, pointerMembers(place))) {
      if (isFormatOfWrapper(root, pointerMembers(place))) return [];
      formats ??= new SchemaFormats(root);
      const format = formats.of(toPointer('asyncapi#', ...pointerMembers(place))) ?? '';
      if (isOfFormat(message, format)) return [];
    }
    const inSchema = ruleId === 'struct' && isInSchema(place, schemas);
    const code: DiagnosticCode = inSchema ? 'invalid-schema' : `invalid-${document}`;
    const members = pointerMembers(place);
    const help =
      ruleId === 'security-defined' ? didYouMean(nameAt(pointer), schemeIndex) : undefined;
    return [
      {
        code: ruleId === 'no-identical-paths' ? 'identical-paths' : code,
        message: withSuggestion(message, suggest),
        members,
        ...optional('help', help),
      } satisfies LocatedProblem,
    ];
  });
  return {
    problems,
    isInSchema(members) {
      const pointer = toPointer(`${document}#`, ...members);
      return isInSchema(pointer.slice(document.length), schemas);
    },
  };
}

/** Adds the most similar name that the specification has at the place, if the name is not too different. */
function withSuggestion(message: string, [nearest, ...otherNames]: readonly string[]): string {
  if (nearest === undefined) return message;
  const [, member] = /^Property `(.*)` is not expected here/su.exec(message) ?? [];
  if (member !== undefined) return `${message}${suggestMember(member, [nearest, ...otherNames])}`;
  return `${message} Did you mean \`${nearest}\`?`;
}

/** Returns the names of the security schemes that a document declares. */
function schemesIn(root: JsonObject): ReadonlySet<string> {
  const { value, depth } = descend(root, ['components', 'securitySchemes']);
  return new Set(depth === 2 && isJsonObject(value) ? Object.keys(value) : []);
}

function nameAt(pointer: string): string {
  return pointerMembers(pointer).at(-1) ?? '';
}

/**
 * Returns a document in which a reference without a target leads nowhere for Redocly, too: it takes `constructor` and
 * `__proto__` for members of every object, and would check what is there. It also follows references in extensions, and
 * throws for a circle of them. Most documents are returned as they are.
 */
function withoutDangling(root: JsonObject): JsonObject {
  let isFound = false;
  const copy = JSON.parse(JSON.stringify(root), (_, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith('#/')) return value;
    if (!leadsNowhere(root, value)) return value;
    isFound = true;
    return '#/x-nowhere';
  }) as JsonObject;
  return isFound ? copy : root;
}

/** Returns whether a local reference has no target, or leads back to itself. */
function leadsNowhere(root: JsonObject, reference: string): boolean {
  const seen = new Set<string>();
  for (let next: string | undefined = reference; next?.startsWith('#/') === true;) {
    if (seen.has(next)) return true;
    seen.add(next);
    const members = pointerMembers(decodeReference(next));
    const { value, depth } = descend(root, members);
    if (depth < members.length) return true;
    next = referenceOf(value);
  }
  return false;
}

async function configure(chosen: Partial<typeof rules>, schemas: Set<string>): Promise<Config> {
  const collect = () => ({
    Schema: (_: unknown, { location }: { location: { pointer: string } }): void => {
      schemas.add(location.pointer);
    },
  });
  return await createRedoclyConfig({
    rules: { ...chosen, 'contract/schemas': 'error' },
    plugins: [
      {
        id: 'contract',
        rules: {
          oas3: { schemas: collect },
          async2: { schemas: collect },
          async3: { schemas: collect },
        },
      },
    ],
  });
}

/**
 * Returns whether a message is about a keyword that AsyncAPI schemas do not have, or that has another type there, while
 * schemas of other formats can have it.
 */
function canBeOfFormat(message: string, members: readonly string[]): boolean {
  if (keywordIn(message) !== undefined) return true;
  switch (members.at(-1)) {
    case 'discriminator':
      return message === 'Expected type `string` but got `object`.';
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return message.startsWith('Expected type `number` but got `boolean`');
    default:
      return false;
  }
}

/** Returns whether schemas of a format have the keyword that a message is about. */
function isOfFormat(message: string, format: string): boolean {
  const keyword = keywordIn(message);
  const { of, version = '' } = readSchemaFormat(format) ?? {};
  if (of === 'openapi') return keyword === undefined || openapiKeywords.has(keyword);
  const isModern = of === 'json-schema' && /20(?:19-09|20-12)/u.test(version);
  return isModern && keyword !== undefined && jsonSchemaKeywords.has(keyword);
}

/** Returns the keyword that a message reports as not allowed. */
function keywordIn(message: string): string | undefined {
  const [, keyword] = /^Property `(.*)` is not expected here/su.exec(message) ?? [];
  return keyword;
}

const openapiKeywords: ReadonlySet<string> = new Set(
  grammars.openapi.objects.schema?.members.keys(),
);

const jsonSchemaKeywords: ReadonlySet<string> = new Set(
  [...schemaKeywords.keys()].filter((keyword) => keyword !== 'example' && keyword !== 'xml'),
);

/** Returns whether a place is the `schemaFormat` of a Multi Format Schema Object, which Redocly took for a schema. */
function isFormatOfWrapper(root: JsonObject, members: readonly string[]): boolean {
  if (members.at(-1) !== 'schemaFormat') return false;
  const holder = descend(root, members.slice(0, -1)).value;
  return isJsonObject(holder) && holder.schema !== undefined;
}

/**
 * Returns whether a place is in a schema. Redocly skips some invalid schemas, so any place in a component schema or
 * below a member `schema` counts too.
 */
function isInSchema(pointer: string, places: ReadonlySet<string>): boolean {
  if (/^#\/(?:components\/schemas\/[^/]+|[^]*\/schema)(?:\/|$)/u.test(pointer)) return true;
  for (let at = pointer; at.includes('/'); at = at.slice(0, at.lastIndexOf('/'))) {
    if (places.has(at)) return true;
  }
  return false;
}
