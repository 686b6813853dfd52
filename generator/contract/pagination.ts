import { isJsonObject, type Json } from '../json/json.ts';
import { pointerMembers } from '../json/pointer.ts';
import type { Pagination } from './vocabulary/types.ts';

/** The members of `x-pagination` of which a statement has one: by what the next page is requested. */
export const paginationForms = ['cursor', 'page', 'offset', 'nextLink'] as const;

export type PaginationForm = (typeof paginationForms)[number];

/** The members that only go with one of these forms. */
export const membersOfForms: Readonly<Record<PaginationForm, readonly (keyof Pagination)[]>> = {
  cursor: ['nextCursor', 'lastItem'],
  page: ['firstPage', 'totalPages'],
  offset: ['totalItems'],
  nextLink: [],
};

/**
 * Reads a value of `x-pagination`; `undefined` for one that generation cannot use, such as that of another tool in a
 * document that does not declare the vocabulary.
 */
export function readPagination(value: Json | undefined): Pagination | undefined {
  if (!isJsonObject(value)) return undefined;
  const isReadable = Object.entries(value).every(([name, member]) => {
    if (name === 'firstPage') return Number.isSafeInteger(member);
    const form = name === 'lastItem' ? pointer : place;
    return name.startsWith('x-') || (typeof member === 'string' && form.test(member));
  });
  const stated = value as unknown as Pagination;
  const forms = paginationForms.filter((form) => stated[form] !== undefined);
  const sources = [stated.nextCursor, stated.lastItem].filter((source) => source !== undefined);
  const hasList = isReadable && bodyPath(stated.items ?? '') !== undefined;
  return hasList && forms.length === 1 && sources.length === (stated.cursor === undefined ? 0 : 1)
    ? stated
    : undefined;
}

const pointer = /^(?:\/|$)/u;
const place = /^\$(?:request|response)\.(?:(?:header|query|path)\.|body(?:#|$))/u;

/** Returns by what the next page is requested. */
export function formOf(pagination: Pagination): PaginationForm {
  return paginationForms.find((form) => pagination[form] !== undefined) ?? 'nextLink';
}

/**
 * Returns the path of members that an expression names in the body of a response, such as `$response.body#/data`;
 * `undefined` for another expression.
 */
export function bodyPath(expression: string): readonly string[] | undefined {
  const [, path] = /^\$response\.body(#.*|)$/su.exec(expression) ?? [];
  return path === undefined ? undefined : pointerMembers(path);
}
