import type { Cursor } from '../json/cursor.ts';

/** An OpenAPI Operation Object and its place. */
export interface OperationPlace {
  /** The path template, or the key of a webhook. */
  readonly key: string;
  /** The path after the expression of a callback's URL: `/pix` of `{$request.body#/url}/pix`. */
  readonly suffix?: string;
  readonly method: string;
  readonly pathItem: Cursor;
  readonly operation: Cursor;
}
