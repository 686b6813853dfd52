import type { Code, KeywordCxt } from 'ajv/dist/core.js';
import type { FunctionCode } from './function-code.ts';

/**
 * The keyword for `type` in the schemas that are compiled. Ajv itself checks and reports `type`, which no definition of a
 * keyword can change.
 */
export const typeKeyword = 'valueType';

/**
 * Creates the class of the contexts in which keywords print their code. A function of the runtime adds a failure, for
 * which Ajv prints seven lines. A failure has no schema path, which no validator reads.
 */
export function createContextClass(code: FunctionCode): typeof KeywordCxt {
  const { library, names, errors, to } = code;
  const { _, not, strConcat, Name } = library.codegen;
  const { Type } = library.util;
  return class ShortContext extends library.KeywordCxt {
    override error(_append?: boolean, params?: KeywordCxt['params']): void {
      if (params !== undefined) this.setParams(params);
      this.gen.code(this.#failure());
    }

    override fail(condition?: Code): void {
      if (condition === undefined || this.allErrors !== true) super.fail(condition);
      else this.gen.code(_`if(${condition})${this.#failure()}`);
    }

    override pass(condition: Code, failAction?: () => void): void {
      if (failAction === undefined) this.fail(not(condition));
      else super.pass(condition, failAction);
    }

    override reset(): void {
      if (this.errsCount === undefined) throw new TypeError('The keyword does not count failures.');
      this.gen.assign(errors, _`${names.runtime('reset')}(${to},${this.errsCount})`);
    }

    override subschema(
      ...[part, valid]: Parameters<KeywordCxt['subschema']>
    ): ReturnType<KeywordCxt['subschema']> {
      const { dataProp: name, dataPropType, ...others } = part;
      if (dataPropType !== Type.Str || !(name instanceof Name)) return super.subschema(part, valid);
      // Ajv would escape the name at each failure below it: a long name would take quadratic time.
      const below = _`"/"+${names.runtime('escapeName')}(${name})`;
      const it = { ...this.it, errorPath: strConcat(this.it.errorPath, below) };
      const inMember = Object.create(this, { it: { value: it } }) as this;
      const data = _`${this.data}[${name}]`;
      return super.subschema.call(inMember, { ...others, data }, valid);
    }

    #failure(): Code {
      const { it, keyword } = this;
      if (keyword === typeKeyword) return code.typeFailure(it, it.schema[typeKeyword]);
      const { params } = this.def.error ?? {};
      // In `not` and `if`, they are not set: only the number of failures is read.
      const isSet = it.createErrors !== false;
      const about = isSet && typeof params === 'function' ? params(this) : undefined;
      return code.failure(it, keyword, about);
    }
  };
}
