import { isJsonObject, textsIn, type Json, type JsonObject } from '../json/json.ts';
import { mapMembers } from '../json/map-members.ts';
import { schemaKeywords } from '../specification/schema-keywords.ts';
import type { JsonSchema } from './model.ts';
import { SchemaNode } from './node.ts';
import type { SchemaIndex } from './references.ts';
import { mapSubschemas, subschemasOf, visitSchema } from './visit.ts';

/**
 * Who sends a value: the party that the contract describes and that manages its members (`owner`), or the other one
 * (`client`). The client does not send `readOnly` members, and the owner does not send `writeOnly` members.
 */
export type Sender = 'owner' | 'client';

const absentBy = { owner: 'writeOnly', client: 'readOnly' } as const;

/** Returns whether a schema has a `readOnly` or `writeOnly` member, at any depth. References are not followed. */
export function hasDirection(schema: JsonSchema): boolean {
  let hasMember = false;
  visitSchema(schema, ({ readOnly, writeOnly }) => {
    hasMember ||= readOnly === true || writeOnly === true;
  });
  return hasMember;
}

interface Declared {
  readonly absent: readonly string[];
  readonly references: readonly string[];
}

/** Returns schemas as they apply to the values of one sender, which may leave out some of the required members. */
export class SenderRules {
  readonly #keyword: (typeof absentBy)[Sender];
  readonly #index: SchemaIndex;
  readonly #declaredBy = new Map<string, Declared>();
  /** The names of all absent members, of any schema. */
  readonly #names = new Set<string>();

  constructor(sender: Sender, index: SchemaIndex) {
    this.#keyword = absentBy[sender];
    this.#index = index;
    for (const { definition } of index.values()) {
      visitSchema(definition, (schema) => {
        for (const [name, member] of new SchemaNode(schema).properties)
          if (this.#isAbsent(member)) this.#names.add(name);
      });
    }
  }

  /**
   * Removes the members that the sender does not send from `required`. The members stay declared, because a sender may
   * send them. Returns the same schema if nothing changes. References are not followed.
   */
  relax(schema: JsonSchema): JsonSchema {
    return this.#mayChange(schema) ? this.#relax(schema, new Set()) : schema;
  }

  /** Returns whether a schema requires a member with the name of an absent one, or declares one. */
  #mayChange(schema: JsonSchema): boolean {
    let mayChange = false;
    visitSchema(schema, (keywords) => {
      const { required, dependentRequired } = keywords;
      mayChange ||= keywords[this.#keyword] === true;
      mayChange ||= textsIn(required).some((name) => this.#names.has(name));
      mayChange ||= isJsonObject(dependentRequired) && Object.keys(dependentRequired).length > 0;
    });
    return mayChange;
  }

  /** @param outer the absent members of the schemas that surround this one and apply to the same value */
  #relax(schema: JsonSchema, outer: ReadonlySet<string>): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const absent = new Set([...outer, ...this.#absentMembers(schema)]);
    const relaxed = mapSubschemas(schema, (sub, keyword) => {
      const applies = schemaKeywords.get(keyword)?.appliesTo;
      if (applies === 'test') return sub;
      return this.#relax(sub, applies === 'value' ? absent : new Set());
    });
    return withoutRequired(this.#relaxUnion(relaxed, schema, absent), absent);
  }

  /**
   * Replaces `oneOf` by `anyOf` if an alternative loses a required member: the member that distinguishes it from the
   * others may be missing.
   */
  #relaxUnion(relaxed: JsonObject, original: JsonObject, absent: ReadonlySet<string>): JsonObject {
    const { oneOf } = new SchemaNode(original);
    if (relaxed['anyOf'] !== undefined) return relaxed;
    if (!oneOf.some((part) => this.#losesMember(part, absent, new Set()))) return relaxed;
    return Object.fromEntries(
      Object.entries(relaxed).map(([keyword, value]) => [
        keyword === 'oneOf' ? 'anyOf' : keyword,
        value,
      ]),
    );
  }

  /** Returns whether a member is removed from `required` in a schema, or in one that applies to the same value. */
  #losesMember(schema: JsonSchema, outer: ReadonlySet<string>, seen: Set<JsonSchema>): boolean {
    if (!isJsonObject(schema) || seen.has(schema)) return false;
    seen.add(schema);
    const absent = new Set([...outer, ...this.#absentMembers(schema)]);
    const node = new SchemaNode(schema);
    if (node.required.some((name) => absent.has(name))) return true;
    const target = node.target(this.#index);
    if (target !== undefined && this.#losesMember(target, new Set(), seen)) return true;
    return subschemasOf(schema, 'value').some(({ schema: part }) =>
      this.#losesMember(part, absent, seen),
    );
  }

  /** Returns the members that the sender does not send, by all declarations that apply to the same value. */
  #absentMembers(schema: JsonSchema): ReadonlySet<string> {
    const start = this.#declared(schema);
    const absent = new Set(start.absent);
    const names = new Set(start.references);
    // The iteration includes names that are added during it.
    for (const name of names) {
      const declaration =
        this.#declaredBy.get(name) ?? this.#declared(this.#index.get(name)?.definition);
      this.#declaredBy.set(name, declaration);
      for (const member of declaration.absent) absent.add(member);
      for (const other of declaration.references) names.add(other);
    }
    return absent;
  }

  /** Returns the absent members that a schema declares itself, and the schemas that apply to the same value. */
  #declared(schema: JsonSchema = true): Declared {
    const node = new SchemaNode(schema);
    const absentProperties = node.properties.filter(([, member]) => this.#isAbsent(member));
    const parts = subschemasOf(schema, 'value').map((part) => this.#declared(part.schema));
    return {
      absent: [...absentProperties.map(([name]) => name), ...parts.flatMap((part) => part.absent)],
      references: [
        ...(node.reference === undefined ? [] : [node.reference]),
        ...parts.flatMap((part) => part.references),
      ],
    };
  }

  /** Returns whether a member's schema, the target of its reference or a part of its `allOf` has the keyword. */
  #isAbsent(schema: JsonSchema, seen: Set<string> = new Set()): boolean {
    const node = new SchemaNode(schema);
    if (node.keywords[this.#keyword] === true) return true;
    const { reference } = node;
    if (reference !== undefined && !seen.has(reference)) {
      seen.add(reference);
      const target = this.#index.get(reference);
      if (target !== undefined && this.#isAbsent(target.definition, seen)) return true;
    }
    return node.allOf.some((part) => this.#isAbsent(part, seen));
  }
}

/** Removes names from `required` and from the lists of `dependentRequired`. */
function withoutRequired(schema: JsonObject, absent: ReadonlySet<string>): JsonObject {
  if (absent.size === 0) return schema;
  const keep = (value: Json): Json => {
    const names = textsIn(value);
    return names.some((name) => absent.has(name))
      ? names.filter((name) => !absent.has(name))
      : value;
  };
  const kept = mapMembers(schema, (value, keyword) => {
    if (keyword === 'required') return keep(value);
    return keyword === 'dependentRequired' && isJsonObject(value) ? mapMembers(value, keep) : value;
  });
  const { required, ...rest } = kept;
  return kept !== schema && Array.isArray(required) && required.length === 0 ? rest : kept;
}
