import type { Enumeration, Schema } from '../../schema/model.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { type Documentation, jsdoc } from '../jsdoc.ts';
import { openTypeOf } from '../printing/types/type-expression.ts';

/** A schema that is an enumeration. */
export type EnumerationSchema = Schema & { readonly enumeration: Enumeration };

/** The names that the module of an open enumeration exports besides its const object and its type. */
interface OpenNames {
  /** The type of the listed values. */
  readonly listedType: string;
  /** The guard for the listed values. */
  readonly isKnown: string;
}

/** Returns the additional names of an open enumeration. They differ from the types in `taken`. */
function toOpenNames(typeName: string, taken: ReadonlySet<string>): OpenNames {
  let listedType = `Known${typeName}`;
  while (taken.has(listedType)) listedType = `Known${listedType}`;
  return { listedType, isKnown: `is${listedType}` };
}

/**
 * Describes the module of an enumeration: a const object with a member for each value, and the type of its values. The
 * type of an open enumeration is the union of the type of its listed values with its base type. Editors complete the
 * listed values, because TypeScript does not reduce a union of literals with `string & {}` to `string`.
 */
export function describeEnumeration(
  { typeName, enumeration: { members, open, base } }: EnumerationSchema,
  documentation: Documentation,
  taken: ReadonlySet<string>,
): object {
  const names = toOpenNames(typeName, taken);
  const deprecated = documentation.deprecated === true;
  return {
    ...names,
    typeName,
    open,
    base: new Code(openTypeOf(base === 'string' ? 'string' : 'number').text),
    deprecated,
    comment: jsdoc(documentation),
    // An editor shows it below the comment of the object with the same name.
    typeComment: jsdoc({
      summary: open
        ? `Values that \`${names.listedType}\` does not list are accepted too.`
        : `One of the values of the object \`${typeName}\`.`,
      deprecated,
    }),
    // `jsdoc` would escape the link, because it expects texts of the contract.
    link: code`{@link ${identifier(typeName)}}`,
    members: joinCode(members.map(writeMember), '\n'),
  };
}

function writeMember({ name, value, description = '' }: Enumeration['members'][number]): Code {
  const member = code`${memberName(name)}: ${literal(value)},`;
  const comment = jsdoc({ description });
  return comment.text === '' ? member : code`${comment}\n${member}`;
}
