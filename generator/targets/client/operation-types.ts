import type { Content, Contract, Operation, Parameter } from '../../contract/contract.ts';
import { failuresOf, type Outcome, successesOf } from '../../contract/outcomes.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { indexSchemas, toReference, type SchemaIndex } from '../../schema/references.ts';
import { Code, code, joinCode } from '../code.ts';
import { typeNamed } from '../printing/types/types.ts';
import { identifier, literal, literalUnion, memberName } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import { isBinaryString, isOfTypes } from '../../schema/declared-properties.ts';
import type { ConnectionCode } from '../printing/connection-code.ts';
import { isSequence, requestContent, responseContent } from '../../contract/media-types.ts';
import { multipartFiles } from './multipart-files.ts';
import {
  groupOf,
  groupSchema,
  inputParameters,
  isRequiredInput,
  type Group,
} from '../../contract/inputs.ts';
import { type Call, callsOf, namespace } from '../../contract/calls.ts';
import { toTypeName } from '../../contract/names.ts';
import type { Share } from '../printing/repeated-code.ts';
import { headersSchema } from '../printing/response-headers.ts';

/** The types of an operation's input and of its responses. */
interface OperationTypes {
  /** The declaration of the input type. */
  readonly input: Code;
  /** The type of what a call returns: a union with one member for each success and media type. */
  readonly response: Code;
  /** The type of the errors of the declared failures, a union likewise; `undefined` without any. */
  readonly failure: Code | undefined;
}

const groups: readonly Group[] = Object.values(groupOf);

/** The length of a short group. Where it is used, an editor shows its members, and not a name. */
const maxInline = 120;

/** How many parameters of a group are in its name. */
const maxNamed = 3;

const bytes = new Code('Blob | ArrayBuffer | Uint8Array');

/**
 * Creates the function that writes the types of an operation. Named schemas have the types of the contract's package. A
 * body that the client can fill from credentials is optional.
 */
export function typeOperations(
  contract: Contract,
  { security: { inputs } }: ConnectionCode,
): (call: Call, share: Share) => OperationTypes {
  const calls = callsOf(contract);
  const index = indexSchemas(contract);
  const asked = calls.flatMap(({ operation, inputType, responseType }) => [
    ...groups.flatMap((group) => {
      const parameters = parametersOf(contract, operation, group);
      const definition = groupSchema(contract, parameters);
      return parameters.length === 0 ? [] : [{ name: `${inputType} ${group}`, definition }];
    }),
    ...operation.responses.flatMap((response) => {
      const definition = headersSchema(contract, response);
      return definition === undefined
        ? []
        : [{ name: `${responseType} ${response.status}`, definition }];
    }),
  ]);
  const types = typeNamed(contract, asked, `${namespace}.`);
  const textOf = (name: string): Code | undefined => {
    const type = types.get(name);
    return type && new Code(type.text);
  };
  return (call, share) => {
    const { operation, inputType } = call;
    const members = groups.flatMap((group) => {
      const text = textOf(`${inputType} ${group}`);
      if (text === undefined) return [];
      const parameters = parametersOf(contract, operation, group);
      const optional = !parameters.some(isRequiredInput);
      const type =
        text.text.length > maxInline ? share('type', groupName(parameters, group), text) : text;
      return [code`readonly ${identifier(group)}${mark(optional)}: ${type};`];
    });
    const bodyOf = (media: Content): Code => bodyType(media, contract);
    const input = declareInput(call, members, bodyOf, inputs.has(operation.id));
    return { input, ...typeOutcomes(call, textOf, index, share) };
  };
}

/** Returns the name of a group of parameters that several operations have. */
function groupName(parameters: readonly Parameter[], group: Group): string {
  const named = parameters.length > maxNamed ? parameters.slice(0, 1) : parameters;
  const others = parameters.length - named.length;
  const names = named.map(({ name }) => name).join(' and ');
  return toTypeName(`${names}${others === 0 ? '' : ` and ${others} more`} ${group}`);
}

/** Returns the parameters of a group. The client always creates timestamps, so the input has no members for these. */
function parametersOf(
  contract: Contract,
  operation: Operation,
  group: Group,
): readonly Parameter[] {
  return inputParameters(contract, operation).filter(
    ({ in: place, everyRequest }) =>
      groupOf[place] === group && everyRequest?.value !== 'timestamp',
  );
}

function declareInput(
  { operation, inputType }: Call,
  members: readonly Code[],
  bodyOf: (media: Content) => Code,
  isGiven: boolean,
): Code {
  const name = identifier(inputType);
  const content = requestContent(operation);
  const { deprecated } = operation;
  const comment = jsdoc({ deprecated });
  const required = operation.requestBody?.required === true && !isGiven;
  const about = jsdoc({ description: operation.requestBody?.description });
  const bodies = content.map((media, position) => {
    const type = literal(media.mediaType);
    const mediaType =
      position === 0 ? code`readonly mediaType?: ${type};` : code`readonly mediaType: ${type};`;
    const optional = !required && position === 0;
    return code`${mediaType}\n${about}\nreadonly body${mark(optional)}: ${bodyOf(media)};`;
  });
  if (bodies.length < 2) {
    // A type without members would accept everything, such as a parameter that the contract no longer has.
    const none = new Code('readonly query?: never;');
    const all = members.length + bodies.length === 0 ? [none] : [...members, ...bodies];
    return code`${comment}\nexport interface ${name} {\n${joinCode(all, '\n')}\n}`;
  }
  const union = joinCode(
    bodies.map((body) => code`{ ${body} }`),
    ' | ',
  );
  return code`${comment}\nexport type ${name} = {\n${joinCode(members, '\n')}\n} & (${union});`;
}

function bodyType(media: Content, contract: Contract): Code {
  const index = indexSchemas(contract);
  const { kind } = media;
  if (kind === 'binary' || kind === 'lines') return code`${bytes} | ReadableStream<Uint8Array>`;
  const named = namedType(media.schema, index);
  if (kind === 'text' && isText(media.schema, index)) return named;
  if (kind === 'text' || kind === 'events') return new Code('string');
  if (kind !== 'multipart' || media.schema === undefined) return named;
  return code`MultipartBody<${withFiles(named, media.schema, contract)}>`;
}

/** Returns whether a schema accepts only strings. */
function isText(schema: string | undefined, index: SchemaIndex): boolean {
  return isOfTypes(index, schema === undefined ? true : toReference(schema), new Set(['string']));
}

/** Returns the type of a multipart body, where what is a file has the type of bytes. */
function withFiles(named: Code, schemaName: string, contract: Contract): Code {
  const { properties, body } = multipartFiles(indexSchemas(contract), schemaName);
  const write = (definition: JsonSchema): Code =>
    new Code(
      typeNamed(contract, [{ name: '', definition }], `${namespace}.`, {
        types: ['Blob', 'ArrayBuffer', 'Uint8Array'],
        isFile: isBinaryString,
      }).get('')?.text ?? 'unknown',
    );
  if (body !== undefined) return write(body);
  if (properties.length === 0) return named;
  const omitted = literalUnion(properties.map(({ name }) => name));
  const members = properties.map(({ name, schema, required }) => {
    return code`readonly ${memberName(name)}${mark(!required)}: ${write(schema)};`;
  });
  return code`Omit<${named}, ${omitted}> & { ${joinCode(members, ' ')} }`;
}

function typeOutcomes(
  { operation, responseType }: Call,
  textOf: (name: string) => Code | undefined,
  index: SchemaIndex,
  share: Share,
): Pick<OperationTypes, 'response' | 'failure'> {
  const none = new Code('undefined');
  const typesOf = (outcome: Outcome, isFailure: boolean): readonly Code[] => {
    const { response } = outcome;
    const { status } = response;
    const headers = textOf(`${responseType} ${status}`);
    const more = headers === undefined ? [] : [headers];
    const bodies = responseContent(operation, response).map((media) => ({
      media,
      types: [
        literal(media.mediaType),
        isFailure ? failureType(media, index) : answerType(media, index),
      ],
    }));
    // The contract declares no body, but many services describe their failures in one.
    const undeclared = isFailure && operation.method !== 'HEAD' ? new Code('unknown') : none;
    const noBody = { media: undefined, types: [none, undeclared] };
    return (bodies.length === 0 ? [noBody] : bodies).map(({ media, types }) => {
      const members = [statusType(outcome), literal(status), ...types, ...more];
      if (!isFailure) return code`Answer<${members}>`;
      return share('type', failureName(status, media, index), code`Failure<${members}>`);
    });
  };
  const answers = successesOf(operation).flatMap((outcome) => typesOf(outcome, false));
  const errors = failuresOf(operation).flatMap((outcome) => typesOf(outcome, true));
  return {
    response: answers.length === 0 ? new Code('never') : joinCode(answers, ' | '),
    failure: errors.length === 0 ? undefined : joinCode(errors, ' | '),
  };
}

/** Returns the name of a failure that several operations have: its status, and the schema of its body. */
function failureName(status: string, media: Content | undefined, index: SchemaIndex): string {
  const typeName = index.get(media?.schema ?? '')?.typeName;
  return toTypeName(`failure ${status}${typeName === undefined ? '' : ` of ${typeName}`}`);
}

/** Returns the type of the statuses that a response describes: numbers. */
function statusType({ statuses }: Outcome): Code {
  if (typeof statuses === 'number') return new Code(`${statuses}`);
  const { ranges, without } = statuses;
  const declared = without.length === 0 ? [] : [new Code(without.join(' | '))];
  return code`StatusIn<${[literalUnion(ranges), ...declared]}>`;
}

/** Returns the type of the body of a failure, which is no stream. */
function failureType(media: Content, index: SchemaIndex): Code {
  return isSequence(media.kind) ? new Code('Uint8Array') : answerType(media, index);
}

function answerType(media: Content, index: SchemaIndex): Code {
  const { schema, itemSchema, kind } = media;
  if (kind === 'json' || kind === 'value' || kind === 'string') return namedType(schema, index);
  const item = namedType(itemSchema ?? schema, index);
  if (kind === 'lines' || (kind === 'events' && itemSchema !== undefined))
    return code`AsyncIterable<${item}>`;
  if (kind === 'events') {
    const data = schema === undefined ? code`` : code`<${item}>`;
    return code`AsyncIterable<ServerSentEvent${data}>`;
  }
  return new Code(kind === 'text' || kind === 'form' ? 'string' : 'Uint8Array');
}

function namedType(schema: string | undefined, index: SchemaIndex): Code {
  const typeName = index.get(schema ?? '')?.typeName;
  return typeName === undefined
    ? new Code('unknown')
    : code`${identifier(namespace)}.${identifier(typeName)}`;
}

function mark(optional: boolean): Code {
  return new Code(optional ? '?' : '');
}
