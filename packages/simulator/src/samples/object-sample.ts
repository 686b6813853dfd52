import type { JsonSchema } from 'countersign';
import { isSchema, type SchemaNode } from 'countersign/companion/contract';
import type { Draw } from 'countersign/companion/patterns';
import { isJsonObject, textsIn } from 'countersign/companion/values';
import type { Json, JsonObject } from 'countersign/kit';
import { conjoin, type Conjunction, refusedMembers } from './conjunction.ts';
import { NoSample } from './no-sample.ts';
import type { Place, ValueWriter } from './value-writer.ts';

/** The choices for an object or an array. */
export interface StructureChoices {
  readonly draw: Draw;
  readonly usual: boolean;
  readonly refusals: number;
}

/** The most members that are added to satisfy `minProperties`. */
const maxAdded = 1000;

/**
 * Makes an object that satisfies the keywords for objects of several schemas.
 * @throws NoSample if there is none, or none within the limits
 */
export function makeObject(
  writer: ValueWriter,
  conjunction: Conjunction,
  place: Place,
  choices: StructureChoices,
): JsonObject {
  return new ObjectSample(writer, conjunction, place, choices).make();
}

class ObjectSample {
  readonly #writer: ValueWriter;
  readonly #conjunction: Conjunction;
  readonly #place: Place;
  readonly #choices: StructureChoices;
  readonly #nodes: SchemaNode[] = [];
  /** The nodes that decide about names that they do not list. */
  readonly #general: number[] = [];
  /** The nodes that decide about a name. */
  readonly #byName = new Map<string, number[]>();
  /** The nodes that the presence of a member concerns. */
  readonly #dependent: SchemaNode[] = [];
  readonly #members = new Map<string, Json>();
  /** Names in the schemas of `dependentSchemas` that apply already. */
  readonly #applied = new Set<string>();

  constructor(
    writer: ValueWriter,
    conjunction: Conjunction,
    place: Place,
    choices: StructureChoices,
  ) {
    this.#writer = writer;
    this.#conjunction = conjunction;
    this.#place = place;
    this.#choices = choices;
    this.#addNodes(conjunction.nodes);
  }

  #addNodes(nodes: readonly SchemaNode[]): void {
    for (const node of nodes) {
      const index = this.#nodes.push(node) - 1;
      if (node.has('patternProperties', 'additionalProperties')) this.#general.push(index);
      if (node.has('dependentRequired', 'dependentSchemas')) this.#dependent.push(node);
      for (const [name] of node.properties) {
        const indices = this.#byName.get(name);
        if (indices === undefined) this.#byName.set(name, [index]);
        else indices.push(index);
      }
    }
  }

  make(): JsonObject {
    const required = this.#withDependent(this.#nodes.flatMap((node) => node.required));
    const max = Math.min(...this.#nodes.map((node) => node.number('maxProperties') ?? Infinity));
    const min = Math.max(0, ...this.#nodes.map((node) => node.number('minProperties') ?? 0));
    if (min > maxAdded) throw new NoSample('It needs too many members.');
    for (const name of required) this.#add(name);
    this.#addOptional(max);
    for (const name of this.#extraNames(min)) {
      if (this.#members.size >= min) break;
      this.#tryAdd(name);
    }
    return Object.fromEntries(this.#inOrder());
  }

  /** Returns names of members, with those that their presence demands. Applies the schemas that it demands. */
  #withDependent(start: Iterable<string>): ReadonlySet<string> {
    const names = new Set(start);
    // The iteration includes names that are added during it.
    for (const name of names) {
      for (const node of this.#apply(name)) for (const other of node.required) names.add(other);
      for (const other of this.#dependentOn(name)) names.add(other);
    }
    return names;
  }

  #dependentOn(name: string): readonly string[] {
    return this.#dependent.flatMap((node) => {
      const lists = node.keywords['dependentRequired'];
      return isJsonObject(lists) && Object.hasOwn(lists, name) ? textsIn(lists[name]) : [];
    });
  }

  /** Applies the schemas that the presence of a member demands, and returns them. */
  #apply(name: string): readonly SchemaNode[] {
    if (this.#applied.has(name)) return [];
    this.#applied.add(name);
    const schemas = this.#dependent.flatMap((node) => {
      const map = node.keywords['dependentSchemas'];
      const schema = isJsonObject(map) && Object.hasOwn(map, name) ? map[name] : undefined;
      return isSchema(schema) ? [schema] : [];
    });
    if (schemas.length === 0) return [];
    const more = conjoin(schemas, this.#writer.context.index, (alternatives) => alternatives);
    if (more === undefined) throw new NoSample('Its dependent schemas contradict each other.');
    this.#addNodes(more.nodes);
    return more.nodes;
  }

  #addOptional(max: number): void {
    const { plan } = this.#writer;
    const { draw, refusals } = this.#choices;
    const isMinimal = plan.extent === 'minimal' || this.#place.depth >= plan.levels;
    // A minimal object that was refused gets some of its optional members.
    if (isMinimal && refusals === 0) return;
    if (isMinimal && this.#place.depth > plan.levels + 3) return;
    const required = new Set(this.#members.keys());
    const avoided = new Set([
      ...this.#conjunction.avoided,
      ...refusedMembers(this.#conjunction.negated, required),
    ]);
    const takes = (): boolean => {
      if (plan.extent === 'maximal' && !isMinimal) return refusals < 2 || draw.integer(0, 3) > 0;
      return draw.integer(0, 1) === 1;
    };
    for (const name of this.#declaredNames()) {
      const isTaken = takes();
      if (!isTaken || this.#members.has(name)) continue;
      // In every other attempt, members of other alternatives are tried, too.
      if (avoided.has(name) && refusals % 2 === 0) continue;
      const dependent = this.#dependentOn(name).filter((other) => !this.#members.has(other));
      if (this.#members.size + 1 + dependent.length > max) continue;
      if (this.#hasDependentSchema(name) && refusals % 2 === 1) continue;
      const demanded = this.#withDependent([name]);
      if (!this.#tryAdd(name)) continue;
      for (const other of demanded) this.#tryAdd(other);
    }
    const isEmpty = this.#members.size === 0 && !isMinimal && max > 0;
    if (isEmpty) for (const name of this.#extraNames(1).slice(0, 1)) this.#tryAdd(name);
  }

  #hasDependentSchema(name: string): boolean {
    return this.#dependent.some((node) => {
      const map = node.keywords['dependentSchemas'];
      return isJsonObject(map) && Object.hasOwn(map, name);
    });
  }

  #declaredNames(): readonly string[] {
    return [...new Set(this.#nodes.flatMap((node) => node.properties.map(([name]) => name)))];
  }

  /** Returns names that can be added until an object has enough members. */
  #extraNames(count: number): readonly string[] {
    const names = new Set(this.#declaredNames());
    const patterns = this.#nodes.flatMap((node) => node.patternProperties.map(([name]) => name));
    const schemas = this.#schemasBy('propertyNames');
    const { pointer, depth, variant } = this.#place;
    for (let number = 0; number < count + 10; number += 1) {
      for (const pattern of [...patterns, undefined]) {
        const isPlain = pattern === undefined && schemas.length === 0;
        const schema = pattern === undefined ? [] : [{ pattern }];
        try {
          const name = isPlain
            ? `name${number === 0 ? '' : number + 1}`
            : this.#writer.write([{ type: 'string' }, ...schemas, ...schema], {
                pointer: `${pointer}/`,
                depth: depth + 1,
                variant: variant + number,
              });
          if (typeof name === 'string') names.add(name);
        } catch (error) {
          if (!(error instanceof NoSample)) throw error;
        }
      }
    }
    return [...names];
  }

  #tryAdd(name: string): boolean {
    try {
      this.#add(name);
      return true;
    } catch (error) {
      if (error instanceof NoSample) return false;
      throw error;
    }
  }

  #add(name: string): void {
    if (this.#members.has(name)) return;
    this.#apply(name);
    const schemas = this.#schemasOf(name);
    this.#members.set(name, this.#writer.writeChild(schemas, this.#place, name));
  }

  /** Returns all schemas that a member has to satisfy. */
  #schemasOf(name: string): readonly JsonSchema[] {
    const { patterns } = this.#writer.context;
    let isDeclared = false;
    const deciding = new Set([...(this.#byName.get(name) ?? []), ...this.#general]);
    const nodes = [...deciding].toSorted((a, b) => a - b).flatMap((at) => this.#nodes[at] ?? []);
    const schemas = nodes.flatMap((node): readonly JsonSchema[] => {
      const property = node.property(name);
      const matching = node.patternProperties.filter(([pattern]) =>
        patterns.matches(pattern, name),
      );
      const declared = [
        ...(property === undefined ? [] : [property]),
        ...matching.map(([, schema]) => schema),
      ];
      isDeclared ||= declared.length > 0;
      if (declared.length > 0) return declared;
      const additional = node.schema('additionalProperties');
      isDeclared ||= additional !== undefined;
      return additional === undefined ? [] : [additional];
    });
    if (isDeclared) return schemas;
    return this.#schemasBy('unevaluatedProperties');
  }

  #schemasBy(keyword: string): readonly JsonSchema[] {
    return this.#nodes.flatMap((node): readonly JsonSchema[] => {
      const schema = node.schema(keyword);
      return schema === undefined ? [] : [schema];
    });
  }

  /** Returns the members in the order of their declarations. */
  #inOrder(): readonly (readonly [string, Json])[] {
    const order = [...new Set([...this.#declaredNames(), ...this.#members.keys()])];
    return order.flatMap((name) => {
      const value = this.#members.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
  }
}
