import type { RuleGroup, ValidationRules } from 'ajv/dist/compile/rules.js';
import type {
  Code,
  CodeKeywordDefinition,
  JSONType,
  KeywordCxt,
  SchemaObjCxt,
} from 'ajv/dist/core.js';
import type { FunctionCode } from './function-code.ts';
import { createContextClass, typeKeyword } from './keyword-context.ts';

/** Prints checks of types, and the keywords that apply to values of one type. */
export class TypeCode {
  readonly #code: FunctionCode;
  readonly #Context: typeof KeywordCxt;

  constructor(code: FunctionCode) {
    this.#code = code;
    this.#Context = createContextClass(code);
  }

  /** Creates the keyword for `type`. It reports a type unless the group of keywords for this type does. */
  keyword(): CodeKeywordDefinition {
    return {
      keyword: typeKeyword,
      schemaType: ['string', 'array'],
      code: (context) => {
        const { data, it } = context;
        const types = this.#code.library.getJSONTypes(context.schema);
        const [only, ...others] = types;
        if (only === undefined) return;
        const group = it.self.RULES.types[only];
        if (others.length === 0 && typeof group === 'object' && isUsed(it, group)) return;
        context.fail(this.isWrong(types, data));
      },
    };
  }

  /**
   * Replaces the groups of keywords, whose code Ajv prints with its own contexts. Each becomes a group of one keyword that
   * prints the code of all its keywords. Like Ajv, it reports a wrong type where the code of the type's keywords ends.
   */
  replaceGroups(rules: ValidationRules): void {
    rules.rules = rules.rules.map((group) => {
      const keyword = `group-${group.type ?? 'any'}`;
      const definition = {
        keyword,
        type: [],
        schemaType: [],
        implements: group.rules.map((rule) => rule.keyword),
        code: ({ it }: KeywordCxt): void => this.#printGroup(it, group),
      };
      return { rules: [{ keyword, definition }] };
    });
  }

  /** Returns the condition that a value has none of the types: conditions joined by `&&`. */
  isWrong(types: readonly JSONType[], data: Code): Code {
    const { _ } = this.#code.library.codegen;
    const conditions = types.map((type) => this.#compare(type, data, false));
    return conditions.reduce((all, condition) => _`${all}&&${condition}`);
  }

  /** Returns the condition that a value is of a type, or that it is not. Numbers are finite, as in JSON. */
  #compare(type: JSONType, data: Code, isOfType: boolean): Code {
    const { _, nil } = this.#code.library.codegen;
    const equals = isOfType ? _`===` : _`!==`;
    const not = isOfType ? nil : _`!`;
    switch (type) {
      case 'null':
        return _`${data}${equals}null`;
      case 'array':
        return _`${not}Array.isArray(${data})`;
      case 'object':
        return _`${not}${this.#code.names.runtime('isObject')}(${data})`;
      case 'integer':
        return _`${not}Number.isInteger(${data})`;
      case 'number':
        return _`${not}Number.isFinite(${data})`;
      default:
        return _`typeof ${data}${equals}${type}`;
    }
  }

  #printGroup(it: SchemaObjCxt, group: RuleGroup): void {
    const { gen, data } = it;
    const { type } = group;
    if (type === undefined) {
      this.#printRules(it, group);
      return;
    }
    gen.if(this.#compare(type, data, true));
    this.#printRules(it, group);
    const [only, ...others] = this.#code.library.getJSONTypes(it.schema[typeKeyword]);
    if (only === type && others.length === 0) {
      const rule = it.self.RULES.all[typeKeyword];
      if (typeof rule !== 'object') throw new TypeError(`${typeKeyword} is not a keyword.`);
      gen.else();
      new this.#Context(it, rule.definition, typeKeyword).error();
    }
    gen.endIf();
  }

  #printRules(it: SchemaObjCxt, { type, rules }: RuleGroup): void {
    it.gen.block(() => {
      for (const { keyword, definition } of rules) {
        if (it.schema[keyword] === undefined || !('code' in definition)) continue;
        definition.code(new this.#Context(it, definition, keyword), type);
      }
    });
  }
}

function isUsed({ schema }: SchemaObjCxt, { rules }: RuleGroup): boolean {
  return rules.some(({ keyword }) => schema[keyword] !== undefined);
}
