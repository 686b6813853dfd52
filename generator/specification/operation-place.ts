import type { Cursor } from '../json/cursor.ts';

/** An OpenAPI Operation Object and its place. */
export interface OperationPlace {
  /** The path template, or the key of a webhook. */
  readonly key: string;
  readonly method: string;
  readonly pathItem: Cursor;
  readonly operation: Cursor;
}
