import type { MediaData, OperationData, ParameterData, ResponseData } from '@countersign/simulator';
import type { Content, Contract, Operation, Parameter, Response } from '../../contract/contract.ts';
import { type Json, optional, pick } from '../../json/json.ts';
import { SchemaNode } from '../../schema/node.ts';
import { indexSchemas, type SchemaIndex, toReference } from '../../schema/references.ts';
import { describeForm, stylesOf } from '../printing/operation-data.ts';
import { requestContent, responseContent } from '../../contract/media-types.ts';
import { kindOf } from '../../specification/media-type.ts';
import { callsOf } from '../../contract/calls.ts';
import type { ParameterSchemas } from './parameter-schemas.ts';
import type { Samples } from './samples.ts';
import { shapeOf } from '../value-shape.ts';

/** Describes the calls of a contract: those that the generated client can make. */
export function describeOperations(
  contract: Contract,
  { byOperation }: ParameterSchemas,
  samples: Samples,
): readonly OperationData[] {
  const index = indexSchemas(contract);
  return callsOf(contract).map(({ operation, name }) => {
    const content = requestContent(operation);
    const body = content.map((media) => ({
      ...describeMedia(media, index),
      ...describeFields(media, contract),
      samples: [],
    }));
    return {
      name,
      ...pick(operation, 'id', 'method', 'path', 'summary', 'security'),
      parameters: operation.parameters.map((parameter) => describeParameter(parameter, index)),
      ...optional('parameterCheck', byOperation.get(operation.name)?.name),
      ...(body.length === 0
        ? {}
        : { requestBody: { required: operation.requestBody?.required === true, content: body } }),
      responses: operation.responses.map((response) =>
        describeResponse(operation, response, index, samples),
      ),
    };
  });
}

function describeParameter(parameter: Parameter, index: SchemaIndex): ParameterData {
  return {
    ...pick(parameter, 'name', 'in', 'required', 'style', 'explode', 'mediaType', 'everyRequest'),
    shape: shapeOf(index, parameter.schema),
  };
}

function describeResponse(
  operation: Operation,
  response: Response,
  index: SchemaIndex,
  samples: Samples,
): ResponseData {
  return {
    ...pick(response, 'status', 'description'),
    headers: Object.fromEntries(
      response.headers.flatMap((header) => {
        const value = header.required ? exampleOf(header) : undefined;
        return value === undefined ? [] : [[header.name, value] as const];
      }),
    ),
    content: responseContent(operation, response).map((media) => {
      const described = describeMedia(media, index);
      const isShown = described.examples.length > 0 || media.schema === undefined;
      return { ...described, samples: isShown ? [] : samples(media.schema) };
    }),
  };
}

/** Returns the text of a header's example, constant or only listed value. */
function exampleOf({ examples, schema }: Parameter): string | undefined {
  const node = new SchemaNode(schema);
  const value: Json | undefined =
    examples[0] ?? node.values?.[0] ?? node.list('examples')?.[0] ?? node.keywords['default'];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function describeMedia(media: Content, index: SchemaIndex): Omit<MediaData, 'samples'> {
  const { mediaType, schema, examples } = media;
  const isFlat = ['form', 'multipart'].includes(kindOf(mediaType));
  return {
    ...pick(media, 'mediaType', 'schema'),
    ...(schema === undefined || !isFlat ? {} : { shape: shapeOf(index, toReference(schema)) }),
    examples: examples.map((example) => pick(example, 'name', 'value')),
  };
}

function describeFields(media: Content, contract: Contract): Pick<MediaData, 'fields'> {
  if (kindOf(media.mediaType) !== 'form') return {};
  const { fields } = describeForm(media, stylesOf(contract));
  if (fields.length === 0) return {};
  return {
    fields: Object.fromEntries(
      fields.map(({ name, style, explode }) => [
        name,
        { style: style.startsWith('deepObject') ? 'deepObject' : style, explode },
      ]),
    ),
  };
}
