import type { Contract, Operation } from '../../contract/contract.ts';
import { groupOf } from '../../contract/inputs.ts';
import { responseContent } from '../../contract/media-types.ts';
import { successesOf } from '../../contract/outcomes.ts';
import { bodyPath } from '../../contract/pagination.ts';
import { parameterAt } from '../../contract/repetition.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { alternativesAt, isRequiredAt, typesOfAll } from '../../schema/member-alternatives.ts';
import { SchemaNode } from '../../schema/node.ts';
import { indexSchemas, toReference } from '../../schema/references.ts';
import { code, type Code } from '../code.ts';
import { literal, object } from '../escape.ts';

/** Describes for the runtime how the list of an operation goes on; `undefined` if the contract does not state it. */
export function describePages(contract: Contract, operation: Operation): Code | undefined {
  const { pagination } = operation;
  if (pagination === undefined) return undefined;
  const { items, cursor, page, offset, lastItem } = pagination;
  const carrier = cursor ?? page ?? offset;
  return object({
    items: literal(itemsPath(operation)),
    optional: canLack(contract, operation, bodyPath(items) ?? []) ? code`true` : undefined,
    into: carrier === undefined ? undefined : literal(inputPath(operation, carrier)),
    next: answerPlace(pagination.nextCursor ?? pagination.nextLink),
    lastItem: lastItem === undefined ? undefined : literal(pointerMembers(lastItem)),
    counts: page ? literal('pages') : offset ? literal('items') : undefined,
    first: page === undefined ? undefined : firstPage(operation, page),
    total: answerPlace(pagination.totalPages ?? pagination.totalItems),
    more: answerPlace(pagination.hasMore),
  });
}

/** Returns the path of the list in the body of a page; `[]` if the body is the list. */
export function itemsPath({ pagination }: Operation): readonly string[] {
  return bodyPath(pagination?.items ?? '') ?? [];
}

/** Returns the code of a place in a response that an expression names. */
export function answerPlace(expression: string): Code;
export function answerPlace(expression: string | undefined): Code | undefined;
export function answerPlace(expression: string | undefined): Code | undefined {
  if (expression === undefined) return undefined;
  const header = /^\$response\.header\.(.+)$/u.exec(expression)?.[1];
  if (header !== undefined) return code`{ header: ${literal(header)} }`;
  return code`{ body: ${literal(bodyPath(expression) ?? [])} }`;
}

/** Returns the path in the input of a call that an expression names, such as `query`, `after`. */
function inputPath(operation: Operation, expression: string): readonly string[] {
  const parameter = parameterAt(operation, expression);
  if (parameter !== undefined) return [groupOf[parameter.in], parameter.name];
  return ['body', ...pointerMembers(expression)];
}

/** Returns the number of the first page: what the contract states, or the default of the parameter. */
function firstPage(operation: Operation, expression: string): Code | undefined {
  const { schema } = parameterAt(operation, expression) ?? {};
  const stated = schema === undefined ? undefined : new SchemaNode(schema).keywords['default'];
  const first = operation.pagination?.firstPage ?? stated;
  return typeof first === 'number' && first !== 1 ? literal(first) : undefined;
}

/** Returns whether a page can be valid without its list: where the list is not required, or can be `null`. */
function canLack(contract: Contract, operation: Operation, path: readonly string[]): boolean {
  const index = indexSchemas(contract);
  const schemas = successesOf(operation)
    .flatMap(({ response }) => responseContent(operation, response))
    .flatMap(({ schema }) => (schema === undefined ? [] : toReference(schema)));
  return schemas.some(
    (schema) =>
      (path.length > 0 && isRequiredAt(schema, path, index) !== true) ||
      alternativesAt(schema, path, index).some(({ nodes }) => typesOfAll(nodes)?.has('null')),
  );
}
