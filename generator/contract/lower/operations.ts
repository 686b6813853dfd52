import { isJsonObject, optional } from '../../json/json.ts';
import type { Parameter, Repeatable, SecurityRequirement, StatedContent } from '../contract.ts';
import type { StatedOperation, StatedResponse } from '../complete.ts';
import { type Cursor, optionalTexts } from '../../json/cursor.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { vocabularyDocuments } from '../../documents/declared-vocabulary.ts';
import { NameRegistry, toMemberName, toTypeName } from '../names.ts';
import { operationId, type OperationPlace, placeId } from '../../specification/operation-places.ts';
import { readPagination } from '../pagination.ts';
import { templateNames } from '../path-template.ts';
import { lowerExamples } from './examples.ts';
import { lowerItems } from './sequences.ts';
import { lowerServers } from './servers.ts';
import type { LoweringContext } from './lowering-context.ts';
import { namesOfSchemas } from './shared-path-items.ts';
import { takeNames } from './take-names.ts';
import { lowerHeaders, lowerParameters } from './parameters.ts';

/** Returns the operations of an OpenAPI document that the integrator calls. */
export function lowerOperations(
  places: readonly OperationPlace[],
  root: Cursor,
  context: LoweringContext,
): readonly StatedOperation[] {
  const ids = operationIds(places);
  const names = takeNames(
    places.map(({ operation: { pointer } }, index) => ({ id: ids[index] ?? '', pointer })),
    toMemberName,
    { kind: 'operations', becomes: 'function', repeatedIds: 'reported' },
    context,
  );
  // In documents without the vocabulary, the key can mean anything, and a call must not be repeated by mistake.
  const isDeclared = vocabularyDocuments(context.documents).includes('openapi');
  const typeNames = names.map((name, index) => {
    const id = ids[index] ?? '';
    return toTypeName(name === toMemberName(id) ? id : name);
  });
  const schemaNames = namesOfSchemas(places, typeNames, operationId);
  return places.map((place, index) => {
    const { operation, pathItem, method, key } = place;
    const { pointer } = operation;
    const id = ids[index] ?? '';
    const name = names[index] ?? '';
    const repeatable = isDeclared
      ? context.ledger.settle<Repeatable>(operation.child('x-repeatable'))
      : undefined;
    const schemaName = schemaNames[index] ?? '';
    const servers = [operation, pathItem].map((at) => lowerServers(at.child('servers')));
    const body = operation.child('requestBody').follow();
    return {
      kind: 'operation',
      pointer,
      ...operation.annotations(),
      id,
      name,
      method,
      path: key,
      ...optionalTexts(['summary', 'description'], operation, pathItem),
      deprecated: operation.isTrue('deprecated'),
      tags: operation.texts('tags'),
      parameters: inTemplate(key, operation, lowerParameters(pathItem, operation, context)),
      ...(body.value === undefined
        ? {}
        : {
            requestBody: {
              required: body.isTrue('required'),
              ...optionalTexts(['description'], body),
              content: lowerContent(
                body.child('content'),
                sharedName(body, 'RequestBody') ?? `${schemaName}Request`,
                context,
              ),
            },
          }),
      responses: lowerResponses(operation.child('responses'), schemaName, context),
      security: lowerSecurityRequirements(operation.child('security'), root),
      servers: servers.find(({ length }) => length > 0) ?? [],
      ...optional('repeatable', repeatable),
      ...optional('pagination', readPagination(operation.valueIn('x-pagination'))),
    };
  });
}

/** Returns the ids of operations. An id that several have is that of none: method and path distinguish them. */
function operationIds(places: readonly OperationPlace[]): readonly string[] {
  const byId = Map.groupBy(places, operationId);
  return places.map((place) => {
    const id = operationId(place);
    return (byId.get(id)?.length ?? 0) > 1 ? placeId(place) : id;
  });
}

/**
 * Returns the name of the content of a response or a body in `components`: its own name, whatever has it. `undefined` for
 * one that is written in place.
 */
export function sharedName({ pointer }: Cursor, suffix: string): string | undefined {
  const [section, , name, ...below] = pointerMembers(pointer);
  if (section !== 'components' || name === undefined || below.length > 0) return undefined;
  const typeName = toTypeName(name);
  const known = ['RequestBody', 'ResponseBody', 'Request', 'Response'];
  const end = known.find((word) => suffix.startsWith(word) && typeName.endsWith(word)) ?? '';
  return `${typeName}${suffix.slice(end.length)}`;
}

/**
 * Returns the parameters of an operation with exactly the path parameters that its template names. Leaves out a path
 * parameter that the template does not name, because it cannot be sent. Adds an undeclared one as a string.
 */
function inTemplate(
  template: string,
  operation: Cursor,
  parameters: readonly Parameter[],
): readonly Parameter[] {
  const names = templateNames(template);
  const wanted = new Set(names);
  const sent = parameters.filter(
    (parameter) => parameter.in !== 'path' || wanted.has(parameter.name),
  );
  const inPath = new Set(
    sent.flatMap((parameter) => (parameter.in === 'path' ? [parameter.name] : [])),
  );
  const taken = new NameRegistry<string>();
  for (const { propertyName, name } of sent) taken.claim(propertyName, name);
  const missing = names
    .filter((name) => !inPath.has(name))
    .map((name): Parameter => ({
      kind: 'parameter',
      pointer: operation.pointer,
      source: [],
      name,
      propertyName: taken.claimFree(toMemberName(name), name),
      in: 'path',
      required: true,
      deprecated: false,
      schema: { type: 'string' },
      style: 'simple',
      explode: false,
      allowReserved: false,
      examples: [],
    }));
  return [...sent, ...missing];
}

/**
 * Returns the contents by media type. An inline schema is named `wanted` in JSON, and `wanted` and the media type in any
 * other one, so that no other media type changes its name.
 */
export function lowerContent(
  content: Cursor,
  wanted: string,
  context: LoweringContext,
): readonly StatedContent[] {
  return content.entries().map(([mediaType, entry]) => {
    const at = entry.follow();
    const schema = at.child('schema');
    const name = `${wanted} ${wordOf(mediaType)}`.trimEnd();
    const encoding = lowerEncoding(at.child('encoding'));
    return {
      mediaType,
      ...(schema.value === undefined ? {} : { schema: context.schemas.nameAt(schema, name) }),
      ...lowerItems(mediaType, at, name, context.schemas),
      ...optional('encoding', encoding),
      examples: lowerExamples(at),
    };
  });
}

/** The words for media types that are frequent, in the names of their schemas. */
const mediaWords: Readonly<Record<string, string>> = {
  'application/json': '',
  'application/x-www-form-urlencoded': 'Form',
  'multipart/form-data': 'Multipart',
  'text/event-stream': 'Stream',
  '*/*': 'Any',
};

/** Returns the word for a media type. Its parameters belong to it, except the encoding. */
function wordOf(mediaType: string): string {
  const type = mediaType
    .toLowerCase()
    .replaceAll(/\s*;\s*charset=[^;]*/gu, '')
    .trim();
  return mediaWords[type] ?? type.replace(/^application\//u, '').replaceAll('*', 'Any');
}

/** Returns Encoding Objects with the references to headers resolved. */
function lowerEncoding(encoding: Cursor): StatedContent['encoding'] {
  if (!isJsonObject(encoding.value)) return undefined;
  return Object.fromEntries(
    encoding.entries().map(([name, at]) => {
      const headers = at.entries('headers').map(([header, entry]) => {
        const { value } = entry.follow();
        const schema = entry.follow().child('schema').follow().value;
        return [
          header,
          isJsonObject(value) && schema !== undefined ? { ...value, schema } : value,
        ] as const;
      });
      if (headers.length === 0 || !isJsonObject(at.value)) return [name, at.value];
      return [name, { ...at.value, headers: Object.fromEntries(headers) }];
    }),
  );
}

function lowerResponses(
  responses: Cursor,
  typeName: string,
  context: LoweringContext,
): readonly StatedResponse[] {
  return responses
    .entries()
    .filter(([status]) => /^(?:[1-5](?:\d\d|XX)|default)$/i.test(status))
    .map(([status, response]) => {
      const at = response.follow();
      return {
        kind: 'response',
        pointer: at.pointer,
        ...at.annotations(),
        status: /^default$/i.test(status) ? 'default' : status.toUpperCase(),
        description: at.text('description') ?? '',
        headers: lowerHeaders(at.child('headers'), context),
        content: lowerContent(
          at.child('content'),
          sharedName(at, 'ResponseBody') ?? `${typeName} Response ${status}`,
          context,
        ),
      };
    });
}

/**
 * Returns the operation's own security requirements, or the document's where it has none. Leaves out schemes that the
 * document does not define.
 */
export function lowerSecurityRequirements(
  security: Cursor,
  root: Cursor,
): readonly SecurityRequirement[] {
  return lowerOwnRequirements(
    security.value === undefined ? root.child('security') : security,
    root,
  );
}

/** Returns the requirements of a list. Leaves out schemes that the document does not define. */
export function lowerOwnRequirements(list: Cursor, root: Cursor): readonly SecurityRequirement[] {
  const schemes = root.child('components', 'securitySchemes');
  return list.items().map((requirement) =>
    requirement
      .entries()
      .filter(([scheme]) => schemes.valueIn(scheme) !== undefined)
      .map(([scheme, scopes]) => ({ scheme, scopes: scopes.texts() })),
  );
}
