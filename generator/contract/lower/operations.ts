import { isJsonObject, optional } from '../../json/json.ts';
import type { Parameter, Repeatable, SecurityRequirement, StatedContent } from '../contract.ts';
import type { StatedOperation, StatedResponse } from '../complete.ts';
import { type Cursor, optionalTexts } from '../../json/cursor.ts';
import { vocabularyDocuments } from '../../documents/declared-vocabulary.ts';
import { NameRegistry, toMemberName, toTypeName } from '../names.ts';
import { operationId, type OperationPlace, placeId } from '../../specification/operation-places.ts';
import { templateNames } from '../path-template.ts';
import { lowerExamples } from './examples.ts';
import { lowerItems } from './sequences.ts';
import { lowerServers } from './servers.ts';
import type { LoweringContext } from './lowering-context.ts';
import { takeName } from './take-name.ts';
import { lowerHeaders, lowerParameters } from './parameters.ts';

/** Returns the operations of an OpenAPI document that the integrator calls. */
export function lowerOperations(
  places: readonly OperationPlace[],
  root: Cursor,
  context: LoweringContext,
): readonly StatedOperation[] {
  const names = new NameRegistry<string>();
  const ids = new Set<string>();
  // In documents without the vocabulary, the key can mean anything, and a call must not be repeated by mistake.
  const isDeclared = vocabularyDocuments(context.documents).includes('openapi');
  return places.map((place) => {
    const wantedId = operationId(place);
    // The first operation with an id keeps it, so that operations added after it do not change its id.
    const id = ids.has(wantedId) ? placeId(place) : wantedId;
    ids.add(id);
    const { operation, pathItem, method, key } = place;
    const { pointer } = operation;
    const nameable = { id, pointer, kind: 'operations', becomes: 'function' };
    const name = takeName(names, toMemberName(id), nameable, context);
    const repeatable = isDeclared
      ? context.ledger.settle<Repeatable>(operation.child('x-repeatable'))
      : undefined;
    const typeName = toTypeName(id);
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
              content: lowerContent(body.child('content'), `${typeName}Request`, context),
            },
          }),
      responses: lowerResponses(operation.child('responses'), typeName, context),
      security: lowerSecurityRequirements(operation.child('security'), root),
      servers: servers.find(({ length }) => length > 0) ?? [],
      ...optional('repeatable', repeatable),
    };
  });
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
 * Returns the contents by media type. An inline schema is named `wanted`, followed by the media type where there are
 * several.
 */
export function lowerContent(
  content: Cursor,
  wanted: string,
  context: LoweringContext,
): readonly StatedContent[] {
  const media = content.entries();
  return media.map(([mediaType, entry]) => {
    const at = entry.follow();
    const schema = at.child('schema');
    const name = media.length > 1 ? `${wanted} ${mediaType.replace(/^application\//, '')}` : wanted;
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
        content: lowerContent(at.child('content'), `${typeName} Response ${status}`, context),
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
