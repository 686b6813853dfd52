import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';
import { manyAlternatives } from './flat-unions.ts';
import { isInherited, manyMembers } from './print-keywords.ts';
import { isOfType } from './print-types.ts';
import {
  either,
  memberOf,
  quote,
  Unprintable,
  type Value,
  type ValidatorWriter,
} from './validator-writer.ts';

/**
 * Prints `not` as Ajv does, where it says which members may not be there together: what is derived for other names of
 * the same member says no more. Ajv asks a schema in another way where nobody is told what it finds.
 */
export function printNot(
  not: Json,
  { value, path }: { readonly value: Value; readonly path: string },
  writer: ValidatorWriter,
): void {
  if (!isJsonObject(not)) throw new Unprintable();
  const before = writer.name('_errs');
  const valid = writer.name('valid');
  const errors = writer.name('_errs');
  writer.write(`const ${before} = errors;\nconst ${errors} = errors;\n`);
  if (not['anyOf'] === undefined) printTogether(not, value, writer);
  else printAny(not, value, writer);
  writer.write(`var ${valid} = ${errors} === errors;\nif(${valid}){\n`);
  writer.fail(path, 'not', '');
  writer.forgetElse(before);
}

function printAny(schema: JsonObject, value: Value, writer: ValidatorWriter): void {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length === 0 || anyOf.length >= manyAlternatives)
    throw new Unprintable();
  if (Object.keys(schema).length > 1) throw new Unprintable();
  const before = writer.name('_errs');
  const valid = writer.name('valid');
  const isOne = writer.name('_valid');
  writer.write(`const ${before} = errors;\nlet ${valid} = false;\n`);
  for (const [index, one] of (anyOf as readonly Json[]).entries()) {
    if (index > 0) writer.write(`if(!${valid}){\n`);
    const errors = writer.name('_errs');
    writer.write(`const ${errors} = errors;\n`);
    printTogether(one, value, writer);
    writer.write(`var ${isOne} = ${errors} === errors;\n${valid} = ${valid} || ${isOne};\n`);
  }
  writer.write('}\n'.repeat(anyOf.length - 1), `if(!${valid}){\n`);
  writer.failSilently();
  writer.forgetElse(before);
}

/** An object has all of some members. */
function printTogether(schema: Json, value: Value, writer: ValidatorWriter): void {
  const required = isJsonObject(schema) ? schema['required'] : undefined;
  if (!isJsonObject(schema) || Object.keys(schema).length !== 1 || !Array.isArray(required))
    throw new Unprintable();
  if (required.length === 0 || required.length >= manyMembers) throw new Unprintable();
  writer.write(`if(${isOfType('object', value)}){\n`);
  const missing = writer.name('missing');
  const tests = (required as readonly Json[]).map((name) => {
    if (typeof name !== 'string') throw new Unprintable();
    const data = value.used(2);
    const isOwn = isInherited(name) ? ` || (!(Object.hasOwn(${data}, ${quote(name)})))` : '';
    const isMissing = `(${memberOf(data, name)} === undefined)${isOwn}`;
    return `(${isMissing}) && (${missing} = ${quote(name)})`;
  });
  writer.write(`let ${missing};\nif(${either(tests)}){\n`);
  writer.failSilently();
  writer.write('}\n}\n');
}
