import type { LocatedProblem } from '../diagnostics/problem.ts';
import { descend, referenceOf } from '../json/descend.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { pointerMembers, type DocumentName } from '../json/pointer.ts';
import { grammars } from './grammars.ts';
import {
  data,
  type GrammarDialect,
  type Grammar,
  type ObjectGrammar,
  type ObjectName,
  type ValidatedDocument,
  type ValueGrammar,
} from './object-grammar.ts';
import { findIdenticalPaths } from './openapi-rules.ts';
import { schema, vocabularyMembers } from './schema-grammar.ts';

/**
 * Validates a document without Redocly and swagger-parser. For a document that is certainly valid and refers to no
 * other file, returns the problems that these tools would still report: identical paths. Returns `undefined` for any
 * other document, which these tools have to check.
 *
 * Most documents are valid, and this check takes a tenth of the time that loading and running the tools takes.
 */
export function validateDocument(
  root: JsonObject,
  name: DocumentName,
  version: string,
  usesVocabulary: boolean,
): readonly LocatedProblem[] | undefined {
  const minor = /^3\.[01]/u.exec(version)?.[0];
  if (minor !== '3.0' && minor !== '3.1') return undefined;
  const dialect = name === 'asyncapi' ? name : (`openapi ${minor}` as const);
  const validator = new DocumentValidator(root, dialect, grammars[name], usesVocabulary);
  if (!validator.isValidDocument()) return undefined;
  return name === 'openapi' ? findIdenticalPaths(root) : [];
}

/** The maximum depth of nested values, twice the default budget. The tools have to validate a deeper document. */
const maxDepth = 400;

/** The maximum length of a chain of references. A longer one could be circular. */
const maxHops = 20;

class DocumentValidator implements ValidatedDocument {
  readonly root: JsonObject;
  readonly dialect: GrammarDialect;
  readonly #grammar: Grammar;
  readonly #usesVocabulary: boolean;
  readonly #targets = new Map<string, Json | undefined>();
  /** The objects that references can lead to, by the name of their grammar. Each is validated once. */
  readonly #visited = new Map<ObjectName, Set<JsonObject>>();
  /** Targets of references. They are not validated recursively, because chains of references can be long. */
  readonly #pending: { readonly value: Json; readonly grammar: ValueGrammar }[] = [];

  constructor(
    root: JsonObject,
    dialect: GrammarDialect,
    grammar: Grammar,
    usesVocabulary: boolean,
  ) {
    this.root = root;
    this.dialect = dialect;
    this.#grammar = grammar;
    this.#usesVocabulary = usesVocabulary;
  }

  /** Returns whether the document is certainly valid. */
  isValidDocument(): boolean {
    if (!this.#isValid(this.root, 'document', 0)) return false;
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      if (!this.#isValid(next.value, next.grammar, 0)) return false;
    }
    return true;
  }

  #isValid(value: Json, grammar: ValueGrammar, depth: number): boolean {
    if (depth > maxDepth) return false;
    if (typeof grammar === 'string') return this.#isValidObject(value, grammar, depth);
    if (typeof grammar === 'function') return this.#isValidObject(value, grammar(value), depth);
    switch (grammar.type) {
      case 'data':
        return true;
      case 'scalar':
        return grammar.rule(value, this);
      case 'reference':
        return (
          referenceOf(value) !== undefined && this.#isValidObject(value, grammar.refersTo, depth)
        );
      case 'list':
        return this.#isValidList(value, grammar, depth);
      case 'map':
        return this.#isValidMap(value, grammar, depth);
      case 'only':
        return (
          grammar.dialects.includes(this.dialect) && this.#isValid(value, grammar.value, depth)
        );
      default:
        return grammar.options.some((option) => this.#isValid(value, option, depth));
    }
  }

  #isValidList(
    value: Json,
    { items, min = 0, rule }: Extract<ValueGrammar, { readonly type: 'list' }>,
    depth: number,
  ): boolean {
    if (!Array.isArray(value) || value.length < min) return false;
    const list: readonly Json[] = value;
    for (const item of list) if (!this.#isValid(item, items, depth + 1)) return false;
    return rule?.(list, this) !== false;
  }

  #isValidMap(
    value: Json,
    { names, values }: Extract<ValueGrammar, { readonly type: 'map' }>,
    depth: number,
  ): boolean {
    // With a string `$ref`, the object is a reference.
    if (!isJsonObject(value) || referenceOf(value) !== undefined) return false;
    for (const name of Object.keys(value)) {
      if (names?.test(name) === false) return false;
      if (!this.#isValid(value[name] ?? null, values, depth + 1)) return false;
    }
    return true;
  }

  #isValidObject(value: Json, name: ObjectName, depth: number): boolean {
    const grammar = this.#grammar.objects[name];
    if (grammar === undefined || !isJsonObject(value)) return false;
    if (grammar.reference !== undefined) {
      const reference = referenceOf(value);
      if (reference !== undefined) return this.#isValidReference(value, name, grammar, depth);
      let visited = this.#visited.get(name);
      if (visited === undefined) this.#visited.set(name, (visited = new Set()));
      // A visited object counts as valid. If it is invalid, its first visit fails the whole document.
      if (visited.has(value)) return true;
      visited.add(value);
    }
    return this.#hasValidMembers(value, grammar, depth);
  }

  #isValidReference(
    value: JsonObject,
    name: ObjectName,
    grammar: ObjectGrammar,
    depth: number,
  ): boolean {
    const target = this.target(referenceOf(value) ?? '');
    if (target === undefined) return false;
    const hasValidSiblings =
      grammar.reference === 'with-siblings'
        ? this.#hasValidMembers(value, grammar, depth)
        : Object.entries(value).every(
            ([member, sibling]) =>
              member === '$ref' || (this.#isDescription(member) && typeof sibling === 'string'),
          );
    this.#pending.push({ value: target, grammar: name === 'schema' ? schema : name });
    return hasValidSiblings;
  }

  /** Outside of schemas, OpenAPI 3.1 allows descriptions beside `$ref`, and the other dialects nothing. */
  #isDescription(member: string): boolean {
    return this.dialect === 'openapi 3.1' && (member === 'summary' || member === 'description');
  }

  #hasValidMembers(value: JsonObject, grammar: ObjectGrammar, depth: number): boolean {
    const { members, required = [], isExtensible = true, otherMembers, rule } = grammar;
    if (!required.every((name) => Object.hasOwn(value, name))) return false;
    for (const name of Object.keys(value)) {
      const isExtension = isExtensible && name.startsWith('x-');
      const other = otherMembers?.names.test(name) === true ? otherMembers.value : undefined;
      const member = members.get(name) ?? (isExtension ? this.#extensionGrammar(name) : other);
      // A member without a grammar is not allowed.
      if (member === undefined || !this.#isValid(value[name] ?? null, member, depth + 1)) {
        return false;
      }
    }
    return rule?.(value, this) !== false;
  }

  /** The value of an extension is data: the tools follow no reference in it. */
  #extensionGrammar(name: string): ValueGrammar | undefined {
    const vocabularyGrammar = this.#usesVocabulary ? vocabularyMembers.get(name) : undefined;
    return vocabularyGrammar ?? (this.#grammar.extensionNames.test(name) ? data : undefined);
  }

  /** Returns the target of a reference. A target that is a reference is returned only if its own chain resolves. */
  target(reference: string): Json | undefined {
    if (this.#targets.has(reference)) return this.#targets.get(reference);
    const firstTarget = this.#find(reference);
    let lastTarget = firstTarget;
    for (let hops = 0; lastTarget !== undefined; hops++) {
      const next = referenceOf(lastTarget);
      if (next === undefined) break;
      lastTarget = hops < maxHops ? this.#find(next) : undefined;
    }
    const target = lastTarget === undefined ? undefined : firstTarget;
    this.#targets.set(reference, target);
    return target;
  }

  #find(reference: string): Json | undefined {
    if (!reference.startsWith('#/') || reference.includes('%')) return undefined;
    const members = pointerMembers(reference);
    // Tools interpret an empty member differently.
    if (members.includes('')) return undefined;
    const { value, depth } = descend(this.root, members);
    return depth === members.length ? value : undefined;
  }
}
