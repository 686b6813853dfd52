import type { Code, Name, SchemaObjCxt } from 'ajv/dist/core.js';
import { jsonLiteral } from '../../json/json-literal.ts';
import type { Json } from '../../json/json.ts';
import type { AjvLibrary } from '../ajv-library.ts';
import type { CodeNames } from './code-names.ts';

/** Prints parts of validating functions that several keywords have. */
export class FunctionCode {
  readonly library: AjvLibrary;
  readonly names: CodeNames;
  /** The variable with the number of failures so far, as Ajv calls it. */
  readonly errors: Name;
  /** The parameter with the JSON Pointer of `data`. */
  readonly path: Name;
  /** The parameter with the `Failures` that the function adds to. */
  readonly to: Name;

  constructor(library: AjvLibrary, names: CodeNames) {
    this.library = library;
    this.names = names;
    const { Name } = library.codegen;
    this.errors = new Name('errors');
    this.path = new Name('path');
    this.to = new Name('to');
  }

  /**
   * Returns the expression for the JSON Pointer of a value.
   * @param below the part of the pointer behind that of the context, an expression
   */
  pathOf({ errorPath }: SchemaObjCxt, below?: Code): Code {
    const { strConcat } = this.library.codegen;
    return strConcat(this.path, below === undefined ? errorPath : strConcat(errorPath, below));
  }

  /** Returns the JSON Pointer of a member in its object, as an expression. */
  pointerTo(name: string): Code {
    const { str } = this.library.codegen;
    return str`/${this.library.util.escapeJsonPointer(name)}`;
  }

  /**
   * Returns the statement that adds a failure.
   * @param params an expression
   * @param below as in `pathOf`
   */
  failure(it: SchemaObjCxt, keyword: string, params?: Code, below?: Code): Code {
    const { _, nil } = this.library.codegen;
    const { errors, to } = this;
    // In `not` and `if`, only the number of failures is read.
    if (it.createErrors === false) return _`${errors}=++${to}.count`;
    const fail = this.names.runtime('fail');
    const at = _`${errors}=${fail}(${to},${this.pathOf(it, below)},${keyword}`;
    if (it.propertyName !== undefined) return _`${at},${params ?? _`{}`},${it.propertyName})`;
    return _`${at}${params === undefined ? nil : _`,${params}`})`;
  }

  /**
   * Returns the statement that adds the failure of a value that has none of the types.
   * @param type the value of the keyword `type`
   */
  typeFailure(it: SchemaObjCxt, type: Json, below?: Code): Code {
    const { _ } = this.library.codegen;
    const { errors, to } = this;
    if (it.createErrors === false || it.propertyName !== undefined)
      return this.failure(it, 'type', _`{type:${this.valueOf(type)}}`, below);
    const report = this.names.runtime('type');
    return _`${errors}=${report}(${to},${this.pathOf(it, below)},${this.valueOf(type)})`;
  }

  /** Returns a JSON value as an expression: a list or an object is a constant. */
  valueOf(value: Json): Code {
    const { _ } = this.library.codegen;
    if (value === null || typeof value !== 'object') return _`${value}`;
    return this.names.constant('values', jsonLiteral(value));
  }

  /** Returns the call of another schema's function. */
  call(it: SchemaObjCxt, schemaName: string, data: Code, below?: Code): Code {
    const { _ } = this.library.codegen;
    const validate = this.names.reference(schemaName);
    return _`${this.errors}=${validate}(${data},${this.pathOf(it, below)},${this.to})`;
  }

  /**
   * Returns the condition that an object has a member, joined by `&&`. Data that was parsed from JSON inherits only what
   * every object does.
   */
  has(data: Code, name: string): Code {
    const { _, getProperty } = this.library.codegen;
    const isPresent = _`${data}${getProperty(name)}!==undefined`;
    return name in Object.prototype ? _`Object.hasOwn(${data},${name})&&${isPresent}` : isPresent;
  }

  /** Returns the condition that an object lacks a member, joined by `||`. */
  lacks(data: Code, name: string): Code {
    const { _, getProperty } = this.library.codegen;
    const isAbsent = _`${data}${getProperty(name)}===undefined`;
    return name in Object.prototype ? _`!Object.hasOwn(${data},${name})||${isAbsent}` : isAbsent;
  }

  /** Returns the condition that an object lacks one of several members, joined by `||`. */
  lacksAny(data: Code, names: readonly string[]): Code {
    const { _ } = this.library.codegen;
    const conditions = names.map((name) => this.lacks(data, name));
    return conditions.reduce((all, condition) => _`${all}||${condition}`);
  }
}
