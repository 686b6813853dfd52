import { optional } from '../../json/json.ts';
import { type Pointer, pointerDocument, pointerMembers } from '../../json/pointer.ts';
import type { JsonSchema, Schema } from '../../schema/model.ts';
import { Cursor, optionalTexts } from '../../json/cursor.ts';
import { toEnumeration } from '../enumerations.ts';
import { checkSimplePattern, type PatternCheck } from '../../patterns/pattern-check.ts';
import { normalizePattern } from '../../patterns/normalize-pattern.ts';
import {
  type ConditionReading,
  createConditionNormalizer,
} from '../../recognition/identification.ts';
import { NameRegistry, toTypeName, withMark } from '../names.ts';
import { type SchemaDialect, normalizeSchema } from '../../schema/normalize.ts';
import { type Family, familyOf, valuesOf } from '../../schema/inheritance.ts';
import { referencesOf, toReference } from '../../schema/references.ts';
import { isAnnotation } from '../../specification/schema-keywords.ts';
import { readSchemaFormat } from '../../specification/schema-format.ts';
import { unwrapSchema } from '../../specification/multi-format-schema.ts';
import { formatsIn, type SchemaFormats } from '../../specification/schema-formats.ts';
import { diagnose } from '../../documents/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { type NamingContext, takeNames } from './take-names.ts';

/** The names of a schema. */
export type SchemaNames = Pick<Schema, 'name' | 'typeName'>;

interface Registered extends SchemaNames {
  readonly origin: Schema['origin'];
  readonly at: Cursor;
  /** Whether it is what a schema with heirs has itself. */
  readonly isBase?: true;
}

/**
 * Names every schema that generated code refers to, and lowers each once: the components of both documents, inline
 * schemas of bodies and payloads, and the targets of references.
 */
export class SchemaRegistry {
  readonly #context: NamingContext;
  readonly #checkPattern: PatternCheck;
  readonly #formats: SchemaFormats;
  readonly #names = new NameRegistry<Pointer>();
  readonly #typeNames = new NameRegistry<Pointer>();
  readonly #byPlace = new Map<Pointer, Registered>();
  /** What schemas with heirs have themselves, by their places. */
  readonly #bases = new Map<Pointer, Registered>();
  readonly #places = new Map<string, Cursor>();
  readonly #queue: Registered[] = [];
  /** How conditions are read. */
  readonly conditionReading: ConditionReading;

  /** @param checkPattern returns what code matches for a pattern; slow patterns are removed from schemas */
  constructor(context: NamingContext, checkPattern: PatternCheck = checkSimplePattern) {
    this.#context = context;
    this.#checkPattern = checkPattern;
    this.conditionReading = {
      normalize: createConditionNormalizer((pattern) => this.#patternOf(pattern, undefined)),
      sampleOf: checkPattern.proofs?.sampleOf,
    };
    const { documents } = context;
    this.#formats = formatsIn(documents.asyncapi?.root ?? {});
    const components = (['openapi', 'asyncapi'] as const).flatMap((document) => {
      const root = documents[document]?.root;
      if (root === undefined) return [];
      return Cursor.ofDocument(root, document).child('components', 'schemas').entries();
    });
    this.#registerComponents(components);
    const withHeirs = this.#queue.filter(({ at }) => familyOf(at) !== undefined);
    for (const { name, at } of withHeirs) {
      const names = this.claimDerived(`${name} Base`, at.pointer);
      const base = { ...names, origin: 'inline', at, isBase: true } as const;
      this.#bases.set(at.pointer, base);
      this.#bases.set(unwrapSchema(at).pointer, base);
      this.#places.set(base.name, at);
      this.#queue.push(base);
    }
  }

  /**
   * Returns the name of the schema at a place: the component's name, or for an inline schema one made from `wanted`.
   */
  nameAt(at: Cursor, wanted: string): string {
    const reference = at.localReference;
    if (reference !== undefined) return this.#nameOfReference(at, reference, false);
    return this.#nameInline(at, wanted);
  }

  /** Returns the normalized form of a schema without its own name, such as a parameter's. */
  normalize(at: Cursor): JsonSchema {
    const { schema, dialect } = this.#unwrap(at);
    return normalizeSchema(schema, {
      dialect,
      nameOf: (from, reference, isPart) => this.#nameOfReference(from, reference, isPart),
      patternOf: (pattern, maxLength) => this.#patternOf(pattern, maxLength),
    });
  }

  /** Claims the names of a schema that is derived from others and is not in any document. */
  claimDerived(wanted: string, pointer: Pointer): SchemaNames {
    const typeName = this.#takeTypeName(toTypeName(wanted), pointer);
    const name = this.#names.claimFree(typeName, pointer);
    return { name, typeName };
  }

  /** Returns where a schema is written; `undefined` for a derived schema. */
  placeOf(name: string): Cursor | undefined {
    return this.#places.get(name);
  }

  /** Lowers every schema that was named so far, and the schemas that these refer to. */
  lowerAll(): readonly Schema[] {
    const schemas: Schema[] = [];
    // The iteration includes schemas that are named during it.
    for (const next of this.#queue) schemas.push(this.#lower(next));
    this.#queue.length = 0;
    return schemas;
  }

  #patternOf(declaredPattern: string, maxLength: number | undefined): string | undefined {
    const { pattern } = normalizePattern(declaredPattern);
    return pattern === undefined ? undefined : this.#checkPattern(pattern, maxLength).pattern;
  }

  #registerComponents(components: readonly (readonly [name: string, at: Cursor])[]): void {
    const own = components.filter(
      ([name, { pointer }]) => this.#names.claim(name, pointer) === undefined,
    );
    const typeNames = takeNames(
      own.map(([id, { pointer }]) => ({ id, pointer })),
      toTypeName,
      { kind: 'schemas', becomes: 'type' },
      this.#context,
    );
    for (const [index, [name, at]] of own.entries()) {
      const typeName = typeNames[index] ?? '';
      this.#typeNames.claim(typeName, at.pointer);
      this.#enqueue({ name, typeName, origin: 'component', at });
    }
    // Both documents can have the same schema, and a reference can be to the one inside of a Multi Format Schema Object.
    for (const [name, at] of components) {
      const schema = this.#byPlace.get(this.#names.claim(name, at.pointer) ?? at.pointer);
      if (schema === undefined) continue;
      this.#byPlace.set(at.pointer, schema);
      this.#byPlace.set(unwrapSchema(at).pointer, schema);
    }
  }

  /**
   * Takes the name of a type that is not named by the contract. If another schema has it, the name gets a mark of its
   * place, and an addition to the contract was or will be the cause.
   */
  #takeTypeName(wanted: string, pointer: Pointer): string {
    const owner = this.#typeNames.claim(wanted, pointer);
    if (owner === undefined) return wanted;
    const typeName = withMark(wanted, pointer, this.#typeNames);
    this.#typeNames.claim(typeName, pointer);
    const { documents, diagnostics } = this.#context;
    const { file, line } = documents.locate(owner);
    diagnostics.push(
      diagnose(documents, 'name-collision', {
        pointer,
        message: `The schema here and that in ${file}:${line} would both become the type ${wanted}.`,
        until: `the one here is the type ${typeName}`,
        help: 'Give the schema here a name in `components`, or rename the other one.',
        severity: 'warning',
      }),
    );
    return typeName;
  }

  #nameOfReference(from: Cursor, reference: string, isPart: boolean): string {
    const target = from.lookUp(reference);
    const base = isPart ? this.#bases.get(target.follow().pointer) : undefined;
    const schema = base ?? this.#byPlace.get(target.pointer);
    if (schema !== undefined) return schema.name;
    return this.#nameInline(target, wordsOf(target.pointer));
  }

  #nameInline(at: Cursor, wanted: string): string {
    const schema = this.#byPlace.get(at.pointer);
    if (schema !== undefined) return schema.name;
    const names = this.claimDerived(wanted, at.pointer);
    this.#enqueue({ ...names, origin: 'inline', at });
    return names.name;
  }

  #enqueue(registered: Registered): void {
    this.#byPlace.set(registered.at.pointer, registered);
    this.#places.set(registered.name, registered.at);
    this.#queue.push(registered);
  }

  #lower({ name, typeName, origin, at, isBase }: Registered): Schema {
    const { schema } = this.#unwrap(at);
    const family = isBase ? undefined : familyOf(at);
    const definition = family === undefined ? this.normalize(at) : this.#unionOf(family, at);
    return {
      kind: 'schema',
      pointer: at.pointer,
      ...schema.annotations(),
      name,
      typeName,
      ...optionalTexts(['title', 'description'], schema),
      deprecated: schema.isTrue('deprecated'),
      origin,
      definition,
      references: referencesOf(definition),
      ...optional('enumeration', toEnumeration(definition)),
      variants: [],
      examples: isBase ? [] : examplesOf(schema),
    };
  }

  /** Returns the union of a schema with its heirs, with the annotations of the schema. */
  #unionOf({ property, own, heirs }: Family, parent: Cursor): JsonSchema {
    const { schema } = this.#unwrap(parent);
    const annotations = schema.entries().filter(([keyword]) => isAnnotation(keyword));
    const alternatives: readonly (readonly [Registered | undefined, readonly string[]])[] = [
      [this.#bases.get(parent.pointer), own],
      ...heirs.map(({ at, values }) => [this.#byPlace.get(at.pointer), values] as const),
    ];
    return {
      ...Object.fromEntries(annotations.map(([keyword, { value }]) => [keyword, value])),
      oneOf: alternatives.flatMap(([alternative, values]) =>
        alternative === undefined || values.length === 0
          ? []
          : {
              ...toReference(alternative.name),
              properties: valuesOf(property, values),
              required: [property],
            },
      ),
      discriminator: { propertyName: property },
    };
  }

  /**
   * Returns a schema and its dialect. In AsyncAPI, a Multi Format Schema Object names it beside the schema; it applies to
   * referenced schemas too.
   */
  #unwrap(at: Cursor): { readonly schema: Cursor; readonly dialect: SchemaDialect } {
    if (pointerDocument(at.pointer) === 'openapi') {
      const version = this.#context.documents.openapi?.version ?? '';
      return { schema: at, dialect: version.startsWith('3.0') ? 'openapi-3.0' : '2020-12' };
    }
    const schema = unwrapSchema(at);
    const stated = schema === at ? undefined : at.text('schemaFormat');
    if (stated === undefined) {
      const inherited = this.#formats.of(schema.pointer);
      return { schema, dialect: dialectOf(inherited ?? '') ?? 'draft-07' };
    }
    const dialect = dialectOf(stated);
    if (dialect === undefined) {
      this.#context.diagnostics.push(
        diagnose(this.#context.documents, 'unsupported-schema', {
          pointer: at.pointer,
          message: `The schema format ${quote(stated)} is not JSON Schema.`,
          until: 'any value is accepted',
        }),
      );
      return { schema: at.withValue(true), dialect: 'draft-07' };
    }
    return { schema, dialect };
  }
}

/** Returns the words for a place that only a reference names: its whole path, because a part of it can repeat. */
function wordsOf(pointer: Pointer): string {
  const members = pointerMembers(pointer);
  const path = members[0] === 'components' ? members.slice(2) : members;
  return path.filter((member) => !structuralMembers.has(member)).join(' ');
}

/** Members that every such place has, and that distinguish none. */
const structuralMembers: ReadonlySet<string> = new Set([
  'paths',
  'content',
  'schema',
  'properties',
]);

function examplesOf(schema: Cursor): Schema['examples'] {
  const single = schema.valueIn('example');
  const several = schema.items('examples').flatMap((example) => example.value ?? null);
  return single === undefined || several.length > 0 ? several : [single];
}

function dialectOf(schemaFormat: string): SchemaDialect | undefined {
  const { of, version = '' } = readSchemaFormat(schemaFormat) ?? {};
  if (of === 'asyncapi') return 'draft-07';
  if (of === 'json-schema') return /20(?:19-09|20-12)/u.test(version) ? '2020-12' : 'draft-07';
  if (of === undefined || !/^3\.[012]/u.test(version)) return undefined;
  return version.startsWith('3.0') ? 'openapi-3.0' : '2020-12';
}
