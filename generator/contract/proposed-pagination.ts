import { conjunctsOf, memberSchemas } from '../schema/conjuncts.ts';
import type { JsonSchema } from '../schema/model.ts';
import type { SchemaNode } from '../schema/node.ts';
import { indexSchemas, type SchemaIndex, toReference } from '../schema/references.ts';
import type { Contract, Operation } from './contract.ts';
import { responseContent } from './media-types.ts';
import { successesOf } from './outcomes.ts';
import type { Pagination } from './vocabulary/types.ts';

/**
 * Returns the statement that the names in a call and in its answer suggest, for a call without one that returns a list
 * and takes what requests another page; `undefined` for any other. It is a guess, which a person has to confirm.
 */
export function proposePagination(
  contract: Contract,
  operation: Operation,
): Pagination | undefined {
  if (operation.method !== 'GET' || operation.pagination !== undefined) return undefined;
  const index = indexSchemas(contract);
  const [success, ...others] = successesOf(operation);
  const [media] =
    success === undefined || others.length > 0 ? [] : responseContent(operation, success.response);
  if (success === undefined || media?.kind !== 'json' || media.schema === undefined)
    return undefined;
  const body = conjunctsOf([toReference(media.schema)], index);
  const members = membersIn(body, index);
  const list = listIn(body, members, index);
  if (list === undefined) return undefined;
  const { items, itemNodes } = list;
  const place = (names: RegExp, type: string): string | undefined => {
    const found = members.find(({ name, types }) => names.test(name) && types.includes(type));
    return found && `$response.body#/${found.path.join('/')}`;
  };
  const parameter = (names: RegExp): string | undefined => {
    const found = operation.parameters.find(
      ({ in: at, name }) => at === 'query' && names.test(name),
    );
    return found && `$request.query.${found.name}`;
  };
  const hasMore = place(namesOf.hasMore, 'boolean');
  const more = hasMore === undefined ? {} : { hasMore };
  const cursor = parameter(namesOf.cursor);
  const nextCursor = place(namesOf.nextCursor, 'string');
  if (cursor !== undefined && nextCursor !== undefined)
    return { items, cursor, nextCursor, ...more };
  const after = parameter(/^(?:starting_after|after|after_id)$/u);
  if (after !== undefined && hasMore !== undefined && memberSchemas(itemNodes).has('id'))
    return { items, cursor: after, lastItem: '/id', hasMore };
  if (success.response.headers.some(({ name }) => name.toLowerCase() === 'link'))
    return { items, nextLink: '$response.header.link' };
  const nextLink = place(namesOf.nextLink, 'string');
  if (nextLink !== undefined) return { items, nextLink };
  const size = parameter(namesOf.size);
  const page = parameter(namesOf.page);
  const totalPages = place(namesOf.totalPages, 'integer');
  if (page !== undefined && (size ?? totalPages ?? hasMore) !== undefined)
    return { items, page, ...(totalPages === undefined ? {} : { totalPages }), ...more };
  const offset = parameter(namesOf.offset);
  if (offset === undefined || size === undefined) return undefined;
  const totalItems = place(namesOf.totalItems, 'integer');
  return { items, offset, ...(totalItems === undefined ? {} : { totalItems }), ...more };
}

/** The names that services give what requests another page, and what says where it is. */
const namesOf = {
  cursor: /^(?:cursor|page_?token|next_?token|continuation_?token|starting_after|after|marker)$/iu,
  nextCursor:
    /^(?:next_?cursor|next_?page_?token|next_?token|continuation_?token|next_?marker|end_?cursor)$/iu,
  nextLink: /^(?:next_?(?:url|link|page_?url|page_?link)|@odata\.nextLink)$/iu,
  hasMore: /^has_?(?:more|next|next_?page)$/iu,
  page: /^(?:page|page_?number)$/iu,
  totalPages: /^(?:total_?pages|page_?count|last_?page)$/iu,
  offset: /^(?:offset|skip)$/iu,
  totalItems: /^total(?:_?(?:items|count|results|records))?$/iu,
  size: /^(?:limit|per_?page|page_?size|size|top|max_?results)$/iu,
};

/** The members in which services put what they say about a page. */
const envelopes = /^(?:meta|metadata|pagination|paging|links|page_?info|response_?metadata)$/iu;

interface Member {
  readonly name: string;
  readonly path: readonly string[];
  readonly types: readonly string[];
  readonly nodes: readonly SchemaNode[];
}

/** Returns the members of a body, and those of what it has about the page. */
function membersIn(body: readonly SchemaNode[], index: SchemaIndex): readonly Member[] {
  const membersOf = (nodes: readonly SchemaNode[], path: readonly string[]): readonly Member[] =>
    Array.from(memberSchemas(nodes), ([name, schemas]) =>
      toMember(name, [...path, name], schemas, index),
    );
  const own = membersOf(body, []);
  return [
    ...own,
    ...own.flatMap(({ name, path, nodes }) => (envelopes.test(name) ? membersOf(nodes, path) : [])),
  ];
}

function toMember(
  name: string,
  path: readonly string[],
  schemas: readonly JsonSchema[],
  index: SchemaIndex,
): Member {
  const nodes = conjunctsOf(schemas, index);
  return { name, path, nodes, types: nodes.flatMap(({ types }) => types ?? []) };
}

/** Returns the list of a page: the body itself, or its only member that is a list of objects. */
function listIn(
  body: readonly SchemaNode[],
  members: readonly Member[],
  index: SchemaIndex,
): { readonly items: string; readonly itemNodes: readonly SchemaNode[] } | undefined {
  const itemsOf = (nodes: readonly SchemaNode[]): readonly SchemaNode[] =>
    conjunctsOf(
      nodes.map((node) => node.schema('items')).filter((schema) => schema !== undefined),
      index,
    );
  const isList = (nodes: readonly SchemaNode[]): boolean =>
    nodes.some(({ types }) => types?.includes('array')) &&
    itemsOf(nodes).some(
      ({ types, properties }) => types?.includes('object') ?? properties.length > 0,
    );
  if (isList(body)) return { items: '$response.body', itemNodes: itemsOf(body) };
  const [list, ...others] = members.filter(({ path, nodes }) => path.length === 1 && isList(nodes));
  // Another name would need escapes in the statement.
  if (list === undefined || others.length > 0 || !/^[\w.-]+$/u.test(list.name)) return undefined;
  return { items: `$response.body#/${list.name}`, itemNodes: itemsOf(list.nodes) };
}

/** Returns a statement as it is written in YAML on one line, without its source and notes. */
export function describePagination(pagination: Pagination): string {
  const members = Object.entries(pagination)
    .filter(([name]) => !name.startsWith('x-'))
    .map(([name, value]) => `${name}: ${String(value)}`);
  return `x-pagination: { ${members.join(', ')} }`;
}
