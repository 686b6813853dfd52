import type { JsonSchema } from '../../../schema/model.ts';
import { referenceOf } from '../../../schema/references.ts';
import { type Json, type JsonObject, isJsonObject } from '../../../json/json.ts';
import { type Pointer, escapeMember, toPointer } from '../../../json/pointer.ts';
import { asAlternatives, compareAlternatives } from './compare-alternatives.ts';
import { compareAnnotations } from './compare-annotations.ts';
import { compareEnumerations } from './compare-enumerations.ts';
import { compareObjects } from './compare-objects.ts';
import { compareRules } from './compare-rules.ts';
import { compareTypes } from './compare-types.ts';
import type { SchemaDifference, SchemaSide } from './schema-difference.ts';
import type { Pair, Steps } from './pair.ts';

/**
 * Compares two schemas. If both have the same reference, it is not followed: its target is compared under its own name.
 * Different references are compared by their targets.
 */
export function compareSchemas(base: SchemaSide, head: SchemaSide): Iterable<SchemaDifference> {
  return new Comparison(base, head).compare(base.definition, head.definition, {
    base: base.pointer,
    head: head.pointer,
    path: '',
  });
}

interface Place {
  readonly base: Pointer;
  readonly head: Pointer;
  readonly path: string;
}

class Comparison {
  readonly #base: SchemaSide;
  readonly #head: SchemaSide;
  /** The pairs of schemas whose references are being followed; recursive schemas end here. */
  readonly #open = new Set<string>();

  constructor(base: SchemaSide, head: SchemaSide) {
    this.#base = base;
    this.#head = head;
  }

  *compare(base: JsonSchema, head: JsonSchema, at: Place): Generator<SchemaDifference> {
    const [one, other] = [toObject(base), toObject(head)];
    const [oneName, otherName] = [referenceOf(one), referenceOf(other)];
    if (oneName === otherName) {
      yield* this.#compareKeywords(...asAlternatives(one, other), at);
      return;
    }
    const key = JSON.stringify([oneName, otherName, one, other]);
    if (this.#open.has(key)) return;
    this.#open.add(key);
    yield* this.compare(followed(one, this.#base), followed(other, this.#head), at);
    this.#open.delete(key);
  }

  *#compareKeywords(base: JsonObject, head: JsonObject, at: Place): Generator<SchemaDifference> {
    const pair: Pair = {
      base,
      head,
      say(code, message, ...keyword) {
        const side =
          keyword.length > 0 && !has(head, keyword) && has(base, keyword) ? 'base' : 'head';
        return { code, side, pointer: toPointer(at[side], ...keyword), path: at.path, message };
      },
      into: (one, other, { base: baseSteps, head: headSteps, member }) =>
        this.compare(toSchema(one), toSchema(other), {
          base: toPointer(at.base, ...baseSteps),
          head: toPointer(at.head, ...headSteps),
          path: member === undefined ? at.path : `${at.path}/${escapeMember(member)}`,
        }),
    };
    const types = compareTypes(pair);
    if (types !== undefined) yield types;
    yield* compareAnnotations(pair);
    // Values without a common type need no further comparison.
    if (types?.code === 'type-changed') return;
    yield* compareEnumerations(pair);
    yield* compareRules(pair);
    yield* compareObjects(pair);
    yield* compareAlternatives(pair);
  }
}

function toObject(schema: JsonSchema): JsonObject {
  return typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema;
}

function toSchema(value: Json | undefined): JsonSchema {
  return isJsonObject(value) || typeof value === 'boolean' ? value : true;
}

/** Returns the target of a reference, merged with the keywords beside the reference. */
function followed(schema: JsonObject, { schemas }: SchemaSide): JsonObject {
  const name = referenceOf(schema);
  if (name === undefined) return schema;
  const { $ref: _, ...beside } = schema;
  return { ...toObject(schemas.get(name)?.definition ?? true), ...beside };
}

function has(schema: JsonObject, steps: Steps): boolean {
  let value: Json | undefined = schema;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as JsonObject)[step];
  }
  return value !== undefined;
}
