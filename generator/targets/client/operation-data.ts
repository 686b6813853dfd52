import type { Content, Contract, Operation, Parameter } from '../../contract/contract.ts';
import { type SchemaIndex, indexSchemas } from '../../schema/references.ts';
import { repetitionOf } from '../../contract/lower/repetition.ts';
import type { NestedArrays } from '../target.ts';
import { type JsonObject, isJsonObject } from '../../json/json.ts';
import { type Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import {
  type BodyProperty,
  bodyProperties,
  hasOtherProperties,
  isFlat,
  isOfTypes,
  isScalar,
} from './body-properties.ts';
import { type BodyKind, kindOf, requestContent, responseContent } from './media-types.ts';
import { groupOf, isRequiredInput } from './parameters.ts';
import { headerValue } from './response-headers.ts';

/** The description of an operation as code, and the names that the code imports from the runtime. */
export interface OperationData {
  readonly text: Code;
  readonly imports: readonly string[];
}

/**
 * Creates the function that describes an operation for the runtime. A description consists of data and of only those
 * functions of the runtime that the operation needs.
 * @param nestedArrays the setting of the configuration
 */
export function createOperationData(
  contract: Contract,
  nestedArrays?: NestedArrays,
): (operation: Operation) => OperationData {
  const styles = stylesOf(contract, nestedArrays);
  const everyRequest = everyRequestNames(contract);
  return (operation) => {
    const imports = new Set<string>();
    const use = (name: string): Code => {
      imports.add(name);
      return identifier(name);
    };
    const parameters = operation.parameters
      .filter((parameter) => parameter.everyRequest === undefined)
      .map((parameter) => describeParameter(parameter, styles, use));
    const carried = operation.parameters.flatMap(({ name, everyRequest: made }) =>
      made === undefined ? [] : [name],
    );
    const members: (Code | undefined)[] = [
      code`id: ${literal(operation.id)}`,
      code`method: ${literal(operation.method)}`,
      code`path: ${literal(operation.path)}`,
      ownServer(operation),
      parameters.length === 0 ? undefined : code`parameters: [${joinCode(parameters, ', ')}]`,
      sameMembers(carried, everyRequest) ? undefined : code`everyRequest: ${literal(carried)}`,
      describeBody(operation, styles, use),
      code`responses: ${describeResponses(operation, styles.index, use)}`,
      describeHeaders(operation, styles.index, use),
      describeSecurity(operation, contract),
      isRepeatable(contract, operation) ? code`repeatable: true` : undefined,
    ];
    const text = joinCode(
      members.filter((member) => member !== undefined),
      ', ',
    );
    return { text: code`{ ${text} }`, imports: [...imports] };
  };
}

/** The parts of a contract and its configuration that decide how values are serialized. */
export interface Styles {
  readonly index: SchemaIndex;
  /** The function of the runtime that writes `deepObject`. */
  readonly deepObject: 'deepObject' | 'deepObjectBrackets' | 'deepObjectRepeat';
}

/** Returns the styles of a contract; `nestedArrays` is the setting of the configuration. */
export function stylesOf(contract: Contract, nestedArrays: NestedArrays = 'indices'): Styles {
  return { index: indexSchemas(contract), deepObject: deepObjects[nestedArrays] };
}

const deepObjects: Readonly<Record<NestedArrays, Styles['deepObject']>> = {
  indices: 'deepObject',
  brackets: 'deepObjectBrackets',
  repeat: 'deepObjectRepeat',
};

/** Returns the names of the parameters that the client fills in every request, each once, in order of appearance. */
export function everyRequestNames(contract: Contract): readonly string[] {
  return [...everyRequestParameters(contract).keys()];
}

/** Returns the parameters that the client fills in every request, by name. */
export function everyRequestParameters(contract: Contract): ReadonlyMap<string, Parameter> {
  const found = new Map<string, Parameter>();
  for (const parameter of contract.operations.flatMap((operation) => operation.parameters)) {
    if (parameter.everyRequest !== undefined && !found.has(parameter.name)) {
      found.set(parameter.name, parameter);
    }
  }
  return found;
}

/** Describes a parameter for the runtime; `more` are members to add to those that every parameter has. */
export function describeParameter(
  parameter: Parameter,
  styles: Styles,
  use: (name: string) => Code,
  more: readonly Code[] = [],
): Code {
  const { name, in: place, explode, allowReserved, mediaType } = parameter;
  const isText = mediaType === undefined || kindOf(mediaType) !== 'json';
  const members = [
    code`in: ${literal(groupOf[place])}`,
    code`name: ${literal(name)}`,
    code`style: ${use(styleOf(parameter, styles))}`,
    ...(isRequiredInput(parameter) ? [code`required: true`] : []),
    ...(isText && isScalar(styles.index, parameter.schema) ? [code`scalar: true`] : []),
    ...(explode ? [code`explode: true`] : []),
    ...(allowReserved && reservedIn[place] !== undefined
      ? [code`encode: ${use(reservedIn[place])}`]
      : []),
    ...more,
  ];
  return code`{ ${joinCode(members, ', ')} }`;
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

/** Returns the base URL of an operation whose first server has an absolute URL without variables. */
function ownServer({ servers: [server] }: Operation): Code | undefined {
  if (server === undefined || !isAddress(server)) return undefined;
  return code`baseUrl: ${literal(server.url)}`;
}

/** Returns whether a server has an absolute HTTP URL without variables. */
export function isAddress({ url, variables }: Operation['servers'][number]): boolean {
  return variables.length === 0 && /^https?:\/\//iu.test(url) && URL.canParse(url);
}

function describeBody(
  operation: Operation,
  styles: Styles,
  use: (name: string) => Code,
): Code | undefined {
  const content = requestContent(operation);
  if (content.length === 0) return undefined;
  const entries = content.map(
    (media) => code`${memberName(media.mediaType)}: ${encoderOf(media, styles, use)}`,
  );
  const required = operation.requestBody?.required === true ? code`required: true, ` : code``;
  return code`body: { ${required}content: { ${joinCode(entries, ', ')} } }`;
}

const encoders: Readonly<Record<BodyKind, string>> = {
  json: 'json',
  form: 'formBody',
  multipart: 'multipart',
  text: 'text',
  binary: 'binary',
  events: 'text',
  lines: 'binary',
};

function encoderOf(media: Content, styles: Styles, use: (name: string) => Code): Code {
  const kind = kindOf(media.mediaType);
  const properties = media.schema === undefined ? [] : bodyProperties(styles.index, media.schema);
  if (kind === 'multipart') {
    const parts = properties.flatMap(({ name }) => {
      const description = describePart(encodingOf(media, name));
      return description === undefined ? [] : [code`${memberName(name)}: ${description}`];
    });
    if (parts.length > 0) return code`${use('typedMultipart')}({ ${joinCode(parts, ', ')} })`;
  }
  if (kind === 'form') {
    const { fields, isOpen } = describeForm(media, styles);
    if (fields.length > 0 || isOpen) {
      const styled = fields.map(({ name, style, explode, reserved }) => {
        const parts = [
          code`style: ${use(style)}`,
          ...(explode ? [code`explode: true`] : []),
          ...(reserved ? [code`encode: ${use('reserved')}`] : []),
        ];
        return code`${memberName(name)}: { ${joinCode(parts, ', ')} }`;
      });
      const others = isOpen ? code`, ${use('jsonItems')}` : code``;
      return code`${use('styledForm')}({ ${joinCode(styled, ', ')} }${others})`;
    }
  }
  return use(encoders[kind]);
}

/** Returns the Encoding Object of a property; an empty object where there is none. */
function encodingOf({ encoding }: Content, name: string): JsonObject {
  const own = encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return isJsonObject(own) ? own : {};
}

/** Describes the parts of a multipart property from its Encoding Object; `undefined` where that adds nothing. */
function describePart({ contentType, headers }: JsonObject): Code | undefined {
  // For a list or a range of media types, the value itself determines the type.
  const type =
    typeof contentType === 'string' && /^[\w.+-]+\/[\w.+-]+$/u.test(contentType)
      ? contentType
      : undefined;
  const constants: Code[] = [];
  const required: string[] = [];
  for (const [name, header] of Object.entries(isJsonObject(headers) ? headers : {})) {
    if (!isJsonObject(header) || name.toLowerCase() === 'content-type') continue;
    const { schema } = header;
    const value = isJsonObject(schema) ? schema['const'] : undefined;
    if (typeof value === 'string') constants.push(code`${memberName(name)}: ${literal(value)}`);
    else if (header['required'] === true) required.push(name);
  }
  const members = [
    ...(type === undefined ? [] : [code`type: ${literal(type)}`]),
    ...(constants.length === 0 ? [] : [code`headers: { ${joinCode(constants, ', ')} }`]),
    ...(required.length === 0 ? [] : [code`required: ${literal(required)}`]),
  ];
  return members.length === 0 ? undefined : code`{ ${joinCode(members, ', ')} }`;
}

/** How the runtime serializes a form. */
export interface FormDescription {
  /** Properties that are not scalars or arrays of scalars, or have a style. */
  readonly fields: readonly FormField[];
  /** Whether `jsonItems` serializes undeclared properties. */
  readonly isOpen: boolean;
}

/** A property of a form; `style` is the name of the runtime's function that serializes it. */
export interface FormField {
  readonly name: string;
  readonly style: FormStyle | Styles['deepObject'] | 'jsonItems';
  readonly explode: boolean;
  readonly reserved: boolean;
}

/** Describes how the runtime serializes a form. */
export function describeForm(media: Content, styles: Styles): FormDescription {
  const properties = media.schema === undefined ? [] : bodyProperties(styles.index, media.schema);
  return {
    fields: properties.flatMap(
      (property) => describeField(property, encodingOf(media, property.name), styles) ?? [],
    ),
    isOpen: hasOtherProperties(styles.index, media.schema),
  };
}

/** Describes a property of a form; `undefined` for scalars and arrays of scalars that have no style. */
function describeField(
  { name, schema }: BodyProperty,
  encoding: JsonObject,
  { index, deepObject }: Styles,
): FormField | undefined {
  const { style: wanted = 'form', explode, allowReserved } = encoding;
  const hasStyle = ['style', 'explode', 'allowReserved'].some((key) =>
    Object.hasOwn(encoding, key),
  );
  const style = hasStyle ? formStyles.find((known) => known === wanted) : undefined;
  if (style === undefined) {
    return isFlat(index, schema)
      ? undefined
      : { name, style: 'jsonItems', explode: false, reserved: false };
  }
  return {
    name,
    style: style === 'deepObject' ? deepObject : style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    reserved: allowReserved === true,
  };
}

type FormStyle = (typeof formStyles)[number];

const formStyles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;

const decoders: Readonly<Record<BodyKind, string>> = {
  json: 'fromJson',
  form: 'fromText',
  multipart: 'fromBytes',
  text: 'fromText',
  binary: 'fromBinary',
  lines: 'fromLines',
  events: 'fromEvents',
};

/** Returns the runtime's function that decodes a body, or the call that creates it. */
function decoderOf(media: Content, index: SchemaIndex, use: (name: string) => Code): Code {
  const kind = kindOf(media.mediaType);
  const decoder = use(decoders[kind]);
  if (kind !== 'events') return decoder;
  const { itemSchema, hasJsonData } = media;
  if (itemSchema !== undefined)
    return code`${decoder}(${literal(hasJsonData === true ? 'json' : 'text')}, 'event')`;
  return code`${decoder}(${literal(hasTextData(media, index) ? 'text' : 'json')}, 'data')`;
}

/** Returns whether the data of events is text. It is JSON where its schema allows anything but strings. */
function hasTextData({ schema }: Content, index: SchemaIndex): boolean {
  const definition = schema === undefined ? true : index.get(schema)?.definition;
  return typeof definition === 'boolean' || isOfTypes(index, definition, new Set(['string']));
}

function describeResponses(
  operation: Operation,
  index: SchemaIndex,
  use: (name: string) => Code,
): Code {
  const responses = operation.responses.map((response) => {
    const content = responseContent(operation, response).map(
      (media) => code`${memberName(media.mediaType)}: ${decoderOf(media, index, use)}`,
    );
    return code`${literal(response.status)}: { ${joinCode(content, ', ')} }`;
  });
  return code`{ ${joinCode(responses, ', ')} }`;
}

function describeHeaders(
  { responses }: Operation,
  index: SchemaIndex,
  use: (name: string) => Code,
): Code | undefined {
  const statuses = responses.flatMap(({ status, headers }) => {
    if (headers.length === 0) return [];
    const readers = headers.map((header) => {
      const { kind, isList } = headerValue(index, header);
      const item = use(`${kind}Header`);
      const reader = isList ? code`${use('listHeader')}(${item})` : item;
      return code`${memberName(header.name)}: ${reader}`;
    });
    return [code`${literal(status)}: ${use('readHeaders')}({ ${joinCode(readers, ', ')} })`];
  });
  return statuses.length === 0 ? undefined : code`headers: { ${joinCode(statuses, ', ')} }`;
}

function describeSecurity({ security }: Operation, contract: Contract): Code | undefined {
  const alternatives = security.map((schemes) => schemes.map(({ scheme }) => scheme));
  const usual = (contract.defaultSecurity ?? []).map((schemes) =>
    schemes.map(({ scheme }) => scheme),
  );
  if (JSON.stringify(alternatives) === JSON.stringify(usual)) return undefined;
  return code`security: ${literal(alternatives)}`;
}

/** Returns whether the client may repeat a non-idempotent call: a token request, or stated by the contract. */
function isRepeatable(contract: Contract, operation: Operation): boolean {
  const { because } = repetitionOf(contract, operation);
  return because === 'stated' || because === 'token';
}

function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
