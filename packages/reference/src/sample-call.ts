import { isRequiredInput } from 'countersign/companion/contract';
import { requestContent } from 'countersign/companion/deliveries';
import type { Content, Json, Operation, Parameter } from 'countersign/kit';
import type { Page } from './page.ts';
import { sampleOf } from './sample.ts';

/** The required parts of a call, with a value for each. */
export interface SampleCall {
  readonly parameters: readonly { readonly parameter: Parameter; readonly value: Json }[];
  readonly body?: { readonly content: Content; readonly value: Json };
}

/** Creates the sample call of an operation from its examples, or from its schemas where there are none. */
export function sampleCall({ index }: Page, operation: Operation): SampleCall {
  const parameters = operation.parameters.filter(isRequiredInput).map((parameter) => ({
    parameter,
    value: parameter.examples[0] ?? sampleOf(index, parameter.schema),
  }));
  const [content] = requestContent(operation);
  if (operation.requestBody?.required !== true || content === undefined) return { parameters };
  const schema = index.get(content.schema ?? '');
  const value = content.examples[0]?.value ?? sampleOf(index, schema?.definition);
  return { parameters, body: { content, value } };
}
