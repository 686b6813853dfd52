import { SchemaNode } from 'countersign/companion/contract';
import type { SchemaChangeCode } from '../verdicts/schema.ts';
import type { Part, Place, Side } from './place.ts';

/** Whether a schema accepts more values than before, fewer, both (`other`), or the same. */
export type Accepts = 'more' | 'fewer' | 'other' | 'same';

/** A difference between two schemas, without the roles that it affects. */
export interface SchemaDifference {
  readonly code: SchemaChangeCode;
  readonly message: string;
  /** The member that the message is about, with whose name it begins; left out for other messages. */
  readonly member?: string;
  /** The contract of `place`: the base only for something that the head no longer has. */
  readonly side: Side;
  readonly place: Place;
  readonly accepts: Accepts;
  /** Whether alternatives, or rules that are compared as they are written, decide if other values are accepted. */
  readonly isOpen: boolean;
}

/** Two lists of schemas for the same value. */
export interface PartPair {
  readonly base: readonly Part[];
  readonly head: readonly Part[];
}

/** Receives the differences of two schemas, and the pairs of subschemas that remain to be compared. */
export interface Findings {
  differ(
    code: SchemaChangeCode,
    message: string,
    at: Place,
    options?: { readonly side?: Side; readonly accepts?: Accepts; readonly member?: string },
  ): void;
  compare(pair: PartPair): void;
}

const fewer: readonly SchemaChangeCode[] = [
  'required-member-added',
  'optional-member-added',
  'member-refused',
  'optional-member-refused',
  'member-required',
  'type-narrowed',
  'text-type-narrowed',
  'enum-value-removed',
  'enum-closed',
  'limit-tightened',
  'rule-added',
  'alternative-removed',
  'value-refused',
];
const more: readonly SchemaChangeCode[] = [
  'member-admitted',
  'member-removed',
  'optional-member-removed',
  'member-undeclared',
  'member-optional',
  'type-widened',
  'text-type-widened',
  'enum-value-added',
  'enum-opened',
  'limit-loosened',
  'rule-removed',
  'alternative-added',
  'value-admitted',
];
const other: readonly SchemaChangeCode[] = ['type-changed', 'const-changed', 'rule-changed'];

/** Returns what a schema accepts after a change, by its code. */
export function acceptedAfter(code: SchemaChangeCode): Accepts {
  if (fewer.includes(code)) return 'fewer';
  if (more.includes(code)) return 'more';
  return other.includes(code) ? 'other' : 'same';
}

/** Returns whether parts accept every value, without following references. */
export function acceptsAnything(parts: readonly Part[]): boolean {
  return parts.every(({ schema }) => {
    const node = new SchemaNode(schema);
    return !node.isNever && Object.keys(node.keywords).length === 0;
  });
}
