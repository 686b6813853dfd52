import type {
  BodyKind,
  Content,
  Contract,
  FormField,
  Operation,
  Parameter,
} from '../../contract/contract.ts';
import { type SchemaIndex, indexSchemas } from '../../schema/references.ts';
import { repetitionOf } from '../../contract/repetition.ts';
import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import { isSameJson } from '../../json/same-json.ts';
import { type Code, code, imported, pureCall } from '../code.ts';
import { ownServerOf } from '../../contract/servers.ts';
import { alternativesOf } from '../../contract/used-schemes.ts';
import { encodingOf } from '../../contract/form.ts';
import { literal, object, objectUnlessEmpty } from '../escape.ts';
import { isOfTypes, isScalar } from '../../schema/declared-properties.ts';
import { requestContent, responseContent } from '../../contract/media-types.ts';
import { isMediaType, isRange, kindOf } from '../../specification/media-type.ts';
import type { NestedArrays } from './client-options.ts';
import { groupOf, inputParameters, isRequiredInput } from '../../contract/inputs.ts';
import { toMemberName } from '../../contract/names.ts';
import { type Share, shareNothing } from './repeated-code.ts';
import { describePages } from './pages-data.ts';
import { headerValue } from './response-headers.ts';

/**
 * Creates the function that describes an operation for the runtime. A description consists of data and of only those
 * functions of the runtime that the operation needs.
 * @param nestedArrays the option of the target
 */
export function createOperationData(
  contract: Contract,
  nestedArrays?: NestedArrays,
): (operation: Operation, share?: Share) => Code {
  const styles = stylesOf(contract, nestedArrays);
  const { index } = styles;
  const everyRequest = [...everyRequestParameters(contract).keys()];
  return (operation, share = shareNothing) => {
    const parameters = inputParameters(contract, operation)
      .filter((parameter) => parameter.everyRequest === undefined)
      .map((parameter) =>
        share('value', parameterName(parameter), describeParameter(parameter, styles)),
      );
    const carried = operation.parameters
      .filter((parameter) => parameter.everyRequest !== undefined)
      .map(({ name }) => name);
    return object({
      id: literal(operation.id),
      method: literal(operation.method),
      path: literal(operation.path),
      server: ownServer(contract, operation),
      parameters: parameters.length === 0 ? undefined : code`[${parameters}]`,
      everyRequest: sameMembers(carried, everyRequest) ? undefined : literal(carried),
      body: describeBody(operation, styles),
      responses: describeResponses(operation, index, share),
      headers: describeHeaders(operation, index),
      security: describeSecurity(operation, contract),
      repeatable: describeRepetition(contract, operation),
      pages: describePages(contract, operation),
    });
  };
}

/** The parts of a contract and its configuration that decide how values are serialized. */
export interface Styles {
  readonly index: SchemaIndex;
  /** The function of the runtime that writes `deepObject`. */
  readonly deepObject: 'deepObject' | 'deepObjectBrackets' | 'deepObjectRepeat';
}

/** Returns the styles of a contract; `nestedArrays` is the option of the target. */
export function stylesOf(contract: Contract, nestedArrays: NestedArrays = 'indices'): Styles {
  return { index: indexSchemas(contract), deepObject: deepObjects[nestedArrays] };
}

const deepObjects: Readonly<Record<NestedArrays, Styles['deepObject']>> = {
  indices: 'deepObject',
  brackets: 'deepObjectBrackets',
  repeat: 'deepObjectRepeat',
};

/** Returns the parameters that the client fills in every request, by name. */
export function everyRequestParameters(contract: Contract): ReadonlyMap<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const parameter of contract.operations.flatMap((operation) => operation.parameters)) {
    if (parameter.everyRequest !== undefined && !parameters.has(parameter.name)) {
      parameters.set(parameter.name, parameter);
    }
  }
  return parameters;
}

/** Returns the name of a parameter that several operations have. */
function parameterName({ name, in: place }: Parameter): string {
  return toMemberName(`${name} in ${place}`);
}

/** Describes a parameter for the runtime; `more` are members to add to those that every parameter has. */
export function describeParameter(
  parameter: Parameter,
  styles: Styles,
  more: Readonly<Record<string, Code | undefined>> = {},
): Code {
  const { name, in: place, explode, allowReserved, mediaType } = parameter;
  const isText = mediaType === undefined || kindOf(mediaType) !== 'json';
  // The style `cookie` of OpenAPI 3.2 sends values as they are.
  const isPlainCookie = place === 'cookie' && parameter.style === 'cookie' && isText;
  const encode = isPlainCookie ? 'cookieValue' : allowReserved ? reservedIn[place] : undefined;
  return object({
    in: literal(groupOf[place]),
    name: literal(name),
    style: imported(styleOf(parameter, styles)),
    required: flag(isRequiredInput(parameter)),
    scalar: flag(isText && isScalar(styles.index, parameter.schema)),
    explode: flag(explode),
    encode: encode === undefined ? undefined : imported(encode),
    ...more,
  });
}

/** Returns the value of a member that is only written where it is true. */
function flag(value: boolean): Code | undefined {
  return value ? code`true` : undefined;
}

/** The functions of the runtime for `allowReserved`, by `in`. OpenAPI 3.2 defines it for paths as well. */
const reservedIn: Readonly<Partial<Record<Parameter['in'], string>>> = {
  path: 'reservedPath',
  query: 'reserved',
};

/** Returns the name of the runtime's function that serializes a parameter. */
export function styleOf(
  { in: place, style, mediaType }: Parameter,
  { deepObject }: Styles,
): string {
  const isPair = place === 'query' || place === 'cookie';
  if (mediaType !== undefined && kindOf(mediaType) === 'json') {
    return isPair ? 'jsonPair' : 'jsonValue';
  }
  if (mediaType !== undefined) return place === 'query' ? 'form' : isPair ? 'cookie' : 'simple';
  if (style === 'deepObject') return deepObject;
  return place === 'cookie' ? 'cookie' : style;
}

/** Returns the name of the operation's own server; `undefined` where it has none. */
function ownServer(contract: Contract, operation: Operation): Code | undefined {
  const server = ownServerOf(contract, operation);
  return server && literal(server.key);
}

function describeBody(operation: Operation, styles: Styles): Code | undefined {
  const content = requestContent(operation);
  if (content.length === 0) return undefined;
  return object({
    required: flag(operation.requestBody?.required === true),
    content: object(content.map((media) => [media.mediaType, encoderOf(media, styles)])),
  });
}

const encoders: Readonly<Record<BodyKind, string>> = {
  json: 'json',
  form: 'formBody',
  multipart: 'multipart',
  text: 'text',
  binary: 'binary',
  events: 'text',
  lines: 'binary',
  value: 'json',
  string: 'text',
};

function encoderOf(media: Content, styles: Styles): Code {
  const { kind, form } = media;
  if (kind === 'multipart') {
    const parts = objectUnlessEmpty(
      Object.keys(media.encoding ?? {}).map((name) => [
        name,
        describePart(encodingOf(media, name)),
      ]),
    );
    if (parts !== undefined) return pureCall(imported('typedMultipart'), parts);
  }
  if (form !== undefined && (form.fields.length > 0 || form.isOpen)) {
    const fallbacks = form.isOpen ? [imported('jsonItems')] : [];
    const fields = form.fields.map((field) => describeField(field, styles));
    return pureCall(imported('styledForm'), object(fields), ...fallbacks);
  }
  return imported(encoders[kind]);
}

/** Describes the parts of a multipart property from its Encoding Object; `undefined` where that adds nothing. */
function describePart({ contentType, headers }: JsonObject): Code | undefined {
  const types = mediaTypesIn(contentType);
  const [type = ''] = types;
  const isOne = types.length === 1 && !isRange(type);
  const constants: (readonly [string, Code])[] = [];
  const required: string[] = [];
  for (const [name, header] of Object.entries(isJsonObject(headers) ? headers : {})) {
    if (!isJsonObject(header) || name.toLowerCase() === 'content-type') continue;
    const { schema } = header;
    const value = isJsonObject(schema) ? schema['const'] : undefined;
    if (typeof value === 'string') constants.push([name, literal(value)]);
    else if (header['required'] === true) required.push(name);
  }
  return objectUnlessEmpty({
    type: isOne ? literal(type) : undefined,
    types: isOne || types.length === 0 ? undefined : literal(types),
    headers: objectUnlessEmpty(constants),
    required: required.length === 0 ? undefined : literal(required),
  });
}

/** Returns the valid media types and ranges in a list that is separated by commas. */
function mediaTypesIn(list: Json | undefined): readonly string[] {
  if (typeof list !== 'string') return [];
  const types = list.split(',').map((type) => type.trim());
  return types.filter(isMediaType);
}

/** Returns the code of a field of a form. */
function describeField(
  { name, style, explode, reserved }: FormField,
  { deepObject }: Styles,
): readonly [string, Code] {
  const writer = imported(style === 'deepObject' ? deepObject : style);
  const encode = reserved ? imported('reserved') : undefined;
  return [name, object({ style: writer, explode: flag(explode), encode })];
}

const decoders: Readonly<Record<BodyKind, string>> = {
  json: 'fromJson',
  form: 'fromText',
  multipart: 'fromBytes',
  text: 'fromText',
  binary: 'fromBinary',
  lines: 'fromLines',
  events: 'fromEvents',
  value: 'fromContent',
  string: 'fromTextContent',
};

/** Returns the runtime's function that decodes a body, or the call that creates it. */
function decoderOf(media: Content, index: SchemaIndex): Code {
  const { kind } = media;
  const decoder = imported(decoders[kind]);
  if (kind !== 'events') return decoder;
  const { itemSchema, hasJsonData } = media;
  const isText = itemSchema === undefined ? hasTextData(media, index) : hasJsonData !== true;
  const item = itemSchema === undefined ? 'data' : 'event';
  return pureCall(decoder, literal(isText ? 'text' : 'json'), literal(item));
}

/** Returns whether the data of events is text. It is JSON where its schema allows anything but strings. */
function hasTextData({ schema }: Content, index: SchemaIndex): boolean {
  const definition = schema === undefined ? true : index.get(schema)?.definition;
  return typeof definition === 'boolean' || isOfTypes(index, definition, new Set(['string']));
}

function describeResponses(operation: Operation, index: SchemaIndex, share: Share): Code {
  return object(
    operation.responses.map((response) => {
      const content = responseContent(operation, response);
      const decoders = content.map((media) => [media.mediaType, decoderOf(media, index)] as const);
      const name = toMemberName(`${content.map(({ kind }) => kind).join(' or ')} answer`);
      const answer = object(decoders);
      return [
        literal(response.status),
        content.length === 0 ? answer : share('value', name, answer),
      ];
    }),
  );
}

function describeHeaders({ responses }: Operation, index: SchemaIndex): Code | undefined {
  return objectUnlessEmpty(
    responses.map(({ status, headers }) => {
      const readers = headers.map((header) => {
        const { kind, isList } = headerValue(index, header);
        const item = imported(`${kind}Header`);
        return [header.name, isList ? pureCall(imported('listHeader'), item) : item] as const;
      });
      const reader = pureCall(imported('readHeaders'), object(readers));
      return [literal(status), readers.length === 0 ? undefined : reader];
    }),
  );
}

function describeSecurity(operation: Operation, contract: Contract): Code | undefined {
  const alternatives = alternativesOf(contract, operation);
  return isSameJson(alternatives, alternativesOf(contract)) ? undefined : literal(alternatives);
}

/** Describes whether the client may repeat a call, where its method does not decide it alone. */
function describeRepetition(contract: Contract, operation: Operation): Code | undefined {
  const repetition = repetitionOf(contract, operation);
  if (repetition.because === 'kept') return object({ keeps: literal(repetition.keeps) });
  if (repetition.because === 'never' && operation.repeatable === false) return literal(false);
  return flag(repetition.because === 'stated' || repetition.because === 'token');
}

function sameMembers(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((name) => second.includes(name));
}
