import type { Content, Contract, Operation, Parameter } from '../../contract/contract.ts';
import { indexSchemas, type SchemaIndex } from '../../schema/references.ts';
import { Code, code, joinCode } from '../code.ts';
import { typeNamed } from '../contract/types.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import { binaryForm, bodyProperties } from './body-properties.ts';
import { kindOf, requestContent, responseContent } from './media-types.ts';
import { groupOf, groupSchema, isRequiredInput, isGenerated, type Group } from './parameters.ts';
import type { PlannedOperation } from './plan.ts';
import { headersSchema } from './response-headers.ts';

/** The name under which the modules of operations import the contract's package. */
export const namespace = 'contract';

/** The types of an operation's input and of its responses. */
export interface OperationTypes {
  /** The declaration of the input type. */
  readonly input: Code;
  /** The type of the responses: a union with one member for each status and media type. */
  readonly response: Code;
}

const groups: readonly Group[] = Object.values(groupOf);
const bytes = new Code('Blob | ArrayBuffer | Uint8Array');

/**
 * Writes the types of every operation. Named schemas have the types of the contract's package.
 * @param withInputs ids of the operations whose body the client can fill from credentials, so that it is optional
 */
export function typeOperations(
  contract: Contract,
  planned: readonly PlannedOperation[],
  withInputs: ReadonlySet<string>,
): ReadonlyMap<PlannedOperation, OperationTypes> {
  const index = indexSchemas(contract);
  const asked = planned.flatMap(({ operation, inputType, responseType }) => [
    ...groups.flatMap((group) => {
      const parameters = parametersOf(operation, group);
      if (parameters.length === 0) return [];
      const name = `${inputType} ${group}`;
      return [{ name, typeName: name, definition: groupSchema(contract, parameters) }];
    }),
    ...operation.responses.flatMap((response) => {
      const definition = headersSchema(contract, response);
      if (definition === undefined) return [];
      const name = `${responseType} ${response.status}`;
      return [{ name, typeName: name, definition }];
    }),
  ]);
  const texts = typeNamed(contract, asked, `${namespace}.`);
  return new Map(
    planned.map((plan) => {
      const { operation, inputType } = plan;
      const members = groups.flatMap((group) => {
        const text = texts.get(`${inputType} ${group}`);
        if (text === undefined) return [];
        const optional = !parametersOf(operation, group).some(isRequiredInput);
        return [code`readonly ${identifier(group)}${mark(optional)}: ${new Code(text.text)};`];
      });
      const input = declareInput(plan, members, index, withInputs.has(operation.id));
      return [plan, { input, response: typeResponses(plan, texts, index) }];
    }),
  );
}

function parametersOf({ parameters }: Operation, group: Group): readonly Parameter[] {
  return parameters.filter(
    (parameter) => groupOf[parameter.in] === group && !isGenerated(parameter),
  );
}

function declareInput(
  { operation, inputType }: PlannedOperation,
  members: readonly Code[],
  index: SchemaIndex,
  given: boolean,
): Code {
  const name = identifier(inputType);
  const content = requestContent(operation);
  const { deprecated } = operation;
  const comment = jsdoc({ summary: `What \`${operation.name}\` takes.`, deprecated });
  const required = operation.requestBody?.required === true && !given;
  const about = jsdoc({ description: operation.requestBody?.description });
  const bodies = content.map((media, position) => {
    const type = literal(media.mediaType);
    const mediaType =
      position === 0 ? code`readonly mediaType?: ${type};` : code`readonly mediaType: ${type};`;
    const optional = !required && position === 0;
    return code`${mediaType}\n${about}\nreadonly body${mark(optional)}: ${bodyType(media, index)};`;
  });
  if (bodies.length < 2) {
    const all = [...members, ...bodies.map((body) => code`${body}`)];
    return code`${comment}\nexport interface ${name} {\n${joinCode(all, '\n')}\n}`;
  }
  const union = joinCode(
    bodies.map((body) => code`{ ${body} }`),
    ' | ',
  );
  return code`${comment}\nexport type ${name} = {\n${joinCode(members, '\n')}\n} & (${union});`;
}

function bodyType(media: Content, index: SchemaIndex): Code {
  const kind = kindOf(media.mediaType);
  if (kind === 'binary' || kind === 'lines') return code`${bytes} | ReadableStream<Uint8Array>`;
  if (kind === 'text' || kind === 'events') return new Code('string');
  const named = namedType(media, index);
  if (kind !== 'multipart' || media.schema === undefined) return named;
  return code`MultipartBody<${withFiles(named, media.schema, index)}>`;
}

/** Returns the type of a multipart body, where the properties that are files have the type of bytes. */
function withFiles(named: Code, schemaName: string, index: SchemaIndex): Code {
  const files = bodyProperties(index, schemaName).flatMap(({ name, schema, required }) => {
    const form = binaryForm(index, schema);
    return form === 'none' ? [] : [{ name, form, required }];
  });
  if (files.length === 0) return named;
  const omitted = joinCode(
    files.map(({ name }) => literal(name)),
    ' | ',
  );
  const members = files.map(
    ({ name, form, required }) =>
      code`readonly ${memberName(name)}${mark(!required)}: ${
        form === 'list' ? code`readonly (${bytes})[]` : bytes
      };`,
  );
  return code`Omit<${named}, ${omitted}> & { ${joinCode(members, ' ')} }`;
}

function typeResponses(
  { operation, responseType }: PlannedOperation,
  texts: ReadonlyMap<string, { readonly text: string }>,
  index: SchemaIndex,
): Code {
  const answers = operation.responses.flatMap((response) => {
    const status = literal(response.status);
    const number = /^\d+$/u.test(response.status) ? new Code(response.status) : new Code('number');
    const headers = texts.get(`${responseType} ${response.status}`);
    const more = headers === undefined ? code`` : code`, ${new Code(headers.text)}`;
    const content = responseContent(operation, response);
    if (content.length === 0)
      return [code`Answer<${status}, ${number}, undefined, undefined${more}>`];
    return content.map(
      (media) =>
        code`Answer<${status}, ${number}, ${literal(media.mediaType)}, ${answerType(media, index)}${more}>`,
    );
  });
  return answers.length === 0 ? new Code('never') : joinCode(answers, ' | ');
}

function answerType(media: Content, index: SchemaIndex): Code {
  const kind = kindOf(media.mediaType);
  if (kind === 'json') return namedType(media, index);
  const name = media.itemSchema ?? media.schema;
  const item = namedType(name === undefined ? {} : { schema: name }, index);
  if (kind === 'lines') return code`AsyncIterable<${item}>`;
  if (kind === 'events' && media.itemSchema !== undefined) return code`AsyncIterable<${item}>`;
  if (kind === 'events') {
    return code`AsyncIterable<ServerSentEvent${media.schema === undefined ? code`` : code`<${item}>`}>`;
  }
  return new Code(kind === 'text' || kind === 'form' ? 'string' : 'Uint8Array');
}

function namedType({ schema }: Pick<Content, 'schema'>, index: SchemaIndex): Code {
  const typeName = schema === undefined ? undefined : index.get(schema)?.typeName;
  if (typeName === undefined) return new Code('unknown');
  return code`${identifier(namespace)}.${identifier(typeName)}`;
}

function mark(optional: boolean): Code {
  return new Code(optional ? '?' : '');
}
