import type { Contract, Unstated } from '../../../contract/contract.ts';
import { entriesAt, isStatedAt } from '../../../contract/ledger-entries.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../json/json.ts';
import type { JsonSchema, Schema } from '../../../schema/model.ts';
import { SchemaNode } from '../../../schema/node.ts';
import { type SchemaIndex, indexSchemas } from '../../../schema/references.ts';
import { firstSentence, oneLine } from '../../package/prose.ts';
import { describeConstraints } from './constraints.ts';

/** What the comment of a type or a member states besides the annotations of its own schema. */
export interface Notes {
  /** The names of the named scalars that it contains. */
  readonly paragraphs: readonly string[];
  /** Paragraphs that a module states once, even if they concern several of its members. */
  readonly once: readonly string[];
  /** The ledger entries that it depends on. */
  readonly entries: ReadonlySet<Unstated>;
  /** Its format, default and bounds, on one line of Markdown. */
  readonly constraints?: string | undefined;
}

/** How numbers are treated. A module states it once: at a type, or at the first of its members that it concerns. */
const decimalNote =
  'A JSON number in decimal notation, such as 19.9, which is not converted to another unit. Receivers and clients refuse ' +
  "a number with more digits than a double keeps. With the option `numbers: 'text'`, they return the text of such a number.";

/** Collects the notes on the schemas of a contract. */
export class SchemaNotes {
  readonly #contract: Contract;
  readonly #index: SchemaIndex;
  readonly #byId: ReadonlyMap<string, Unstated>;
  readonly #bySchema = new Map<string, Notes>();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#index = indexSchemas(contract);
    this.#byId = new Map(contract.unstated.map((entry) => [entry.id, entry]));
  }

  /** Returns the notes on a named schema. */
  ofSchema(schema: Schema): Notes {
    const cachedNotes = this.#bySchema.get(schema.name);
    if (cachedNotes !== undefined) return cachedNotes;
    const entries = new Set<Unstated>();
    const paragraphs: string[] = [];
    const once: string[] = [];
    const constraints = describeConstraints(schema.definition, this.#index);
    const notes: Notes = { paragraphs, once, entries, constraints };
    // Stored before it is complete, because a schema can contain itself.
    this.#bySchema.set(schema.name, notes);
    const schemaNotes = this.ofMember(schema.definition);
    paragraphs.push(...schemaNotes.paragraphs);
    once.push(...schemaNotes.once);
    const origin = this.#index.get(schema.variantOf ?? '') ?? schema;
    for (const entry of this.#contract.unstated) {
      if (schemaNotes.entries.has(entry) || isStatedAt(entry, origin.pointer)) entries.add(entry);
    }
    for (const entry of entriesAt(this.#contract, schema.pointer)) entries.add(entry);
    return notes;
  }

  /** Returns the notes on a schema without a name, such as that of a member. */
  ofMember(schema: JsonSchema): Notes {
    const entries = new Set<Unstated>();
    const paragraphs = new Set<string>();
    const once = new Set<string>();
    for (const node of valueParts(new SchemaNode(schema))) {
      for (const id of Object.keys(toObject(node.keywords['x-unstated']))) {
        const entry = this.#byId.get(id);
        if (entry !== undefined) entries.add(entry);
      }
      if (isDecimal(node)) once.add(decimalNote);
      const target = this.#index.get(node.reference ?? '');
      if (target === undefined || !isScalar(target)) continue;
      const notes = this.ofSchema(target);
      // An editor shows the base type of a scalar without this name, under which its description is.
      const isDescribed = target.description !== undefined || notes.once.length > 0;
      if (target.enumeration === undefined && isDescribed)
        paragraphs.add(`Type: \`${oneLine(target.typeName)}\`.`);
    }
    const constraints = describeConstraints(schema, this.#index);
    return { paragraphs: [...paragraphs], once: [...once], entries, constraints };
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

/** Returns whether all values of a named schema are scalars. TypeScript then does not show its name. */
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
