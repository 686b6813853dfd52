import type { Contract, Unstated } from '../../contract/contract.ts';
import { isStatedAt, openEntries, openEntriesAt } from '../../contract/open-entries.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { JsonSchema, Schema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { type SchemaIndex, indexSchemas } from '../../schema/references.ts';
import { firstSentence } from '../package/prose.ts';
import { describeConstraints } from './constraints.ts';

/** What the comment of a type or a member states besides the annotations of its own schema. */
export interface Notes {
  /** Descriptions of the named scalars that it contains, and how numbers are treated. */
  readonly paragraphs: readonly string[];
  /** The open ledger entries that it depends on. */
  readonly entries: ReadonlySet<Unstated>;
  /** Its format, default and bounds, on one line of Markdown. */
  readonly constraints?: string | undefined;
}

const decimalNote =
  'A JSON number in decimal notation, such as 19.9, which is not converted to another unit. Receivers and clients refuse ' +
  "a number with more digits than a double keeps. With the option `numbers: 'text'`, they return the text of such a number.";

/** Collects the notes on the schemas of a contract. */
export class SchemaNotes {
  readonly #contract: Contract;
  readonly #index: SchemaIndex;
  readonly #open: ReadonlyMap<string, Unstated>;
  readonly #bySchema = new Map<string, Notes>();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#index = indexSchemas(contract);
    this.#open = new Map(openEntries(contract).map((entry) => [entry.id, entry]));
  }

  /** Returns the notes on a named schema. */
  ofSchema(schema: Schema): Notes {
    const known = this.#bySchema.get(schema.name);
    if (known !== undefined) return known;
    const entries = new Set<Unstated>();
    const paragraphs: string[] = [];
    const constraints = describeConstraints(schema.definition, this.#index);
    const notes: Notes = { paragraphs, entries, constraints };
    // Stored before it is complete, because a schema can contain itself.
    this.#bySchema.set(schema.name, notes);
    const own = this.ofMember(schema.definition);
    paragraphs.push(...own.paragraphs.filter((text) => text !== schema.description));
    const origin = this.#index.get(schema.variantOf ?? '') ?? schema;
    for (const entry of this.#open.values()) {
      if (own.entries.has(entry) || isStatedAt(entry, origin.pointer)) entries.add(entry);
    }
    for (const entry of openEntriesAt(this.#contract, schema.pointer)) entries.add(entry);
    return notes;
  }

  /** Returns the notes on a schema without a name, such as that of a member. */
  ofMember(schema: JsonSchema): Notes {
    const entries = new Set<Unstated>();
    const paragraphs = new Set<string>();
    for (const node of valueParts(new SchemaNode(schema))) {
      for (const id of Object.keys(toObject(node.keywords['x-unstated']))) {
        const entry = this.#open.get(id);
        if (entry !== undefined) entries.add(entry);
      }
      if (isDecimal(node)) paragraphs.add(decimalNote);
      const target = this.#index.get(node.reference ?? '');
      if (target === undefined || !isScalar(target)) continue;
      const { enumeration, description } = target;
      if (enumeration === undefined && description !== undefined) paragraphs.add(description);
      const notes = this.ofSchema(target);
      for (const paragraph of notes.paragraphs) paragraphs.add(paragraph);
      for (const entry of notes.entries) entries.add(entry);
    }
    const constraints = describeConstraints(schema, this.#index);
    return { paragraphs: [...paragraphs], entries, constraints };
  }
}

/** Returns the named scalars of a contract for a README: their types, and what they are in JSON. */
export function describeScalars(
  { schemas }: Pick<Contract, 'schemas'>,
  isUsed: (name: string) => boolean = () => true,
): readonly { readonly typeName: string; readonly json: string; readonly about: string }[] {
  return schemas
    .filter((schema) => isScalar(schema) && schema.enumeration === undefined && isUsed(schema.name))
    .map(({ typeName, description, title, definition }) => ({
      typeName,
      json: (new SchemaNode(definition).types ?? []).join(', '),
      about: firstSentence(description ?? title ?? ''),
    }));
}

/** Returns a schema and those of its subschemas that describe the same value or the items of an array. */
function* valueParts(node: SchemaNode): Generator<SchemaNode> {
  yield node;
  const items = node.schema('items');
  const parts = [...node.allOf, ...node.anyOf, ...node.oneOf];
  for (const part of items === undefined ? parts : [...parts, items])
    yield* valueParts(new SchemaNode(part));
}

/** Returns whether all values of a named schema are scalars. TypeScript then shows no name of its own for them. */
function isScalar({ definition }: Schema): boolean {
  const { types = [] } = new SchemaNode(definition);
  return types.length > 0 && types.every((type) => type !== 'object' && type !== 'array');
}

/** Returns whether values are decimal numbers, according to the OpenAPI Format Registry. */
function isDecimal(node: SchemaNode): boolean {
  return (
    node.types?.includes('number') === true && node.text('format')?.startsWith('decimal') === true
  );
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
