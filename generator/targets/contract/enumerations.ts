import type { Enumeration, Schema } from '../../schema/model.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { type Documentation, jsdoc } from '../jsdoc.ts';

/** A schema that is an enumeration. */
export type EnumerationSchema = Schema & { readonly enumeration: Enumeration };

/** The names that the module of an open enumeration exports besides its const object and its type. */
export interface OpenNames {
  /** The type of the listed values. */
  readonly known: string;
  /** The guard for the listed values. */
  readonly isKnown: string;
}

/** Returns the additional names of an open enumeration. They differ from the types in `taken`. */
export function toOpenNames(typeName: string, taken: ReadonlySet<string>): OpenNames {
  let known = `Known${typeName}`;
  while (taken.has(known)) known = `Known${known}`;
  return { known, isKnown: `is${known}` };
}

/**
 * Writes the declarations of an enumeration: a const object with a member for each value, and the type of its values.
 * The type of an open enumeration is its base type, and the listed values have a separate type. Comparing a
 * value of the base type with a literal narrows it to that literal. A union of literals with `number & {}` would keep
 * the other members.
 */
export function declareEnumeration(
  { typeName, enumeration }: EnumerationSchema,
  documentation: Documentation,
  open: OpenNames,
): string {
  const name = identifier(typeName).text;
  const listed = `(typeof ${name})[keyof typeof ${name}]`;
  const constant = commented(
    jsdoc(documentation).text,
    `export const ${name} = {\n${enumeration.members.map(writeMember).join('\n')}\n} as const;`,
  );
  if (!enumeration.open)
    return [
      constant,
      commented(jsdoc(documentation).text, `export type ${name} = ${listed};`),
    ].join('\n\n');
  const base = enumeration.base === 'string' ? 'string' : 'number';
  const isDeprecated = documentation.deprecated === true;
  const description = [
    documentation.description,
    `Open: values that ${open.known} does not list are accepted too.`,
  ];
  const about = jsdoc({
    ...documentation,
    description: description.filter((text) => text !== undefined).join('\n\n'),
  });
  return [
    constant,
    commented(
      comment(`The values of {@link ${name}} that the contract lists.`, isDeprecated),
      `export type ${open.known} = ${listed};`,
    ),
    commented(about.text, `export type ${name} = ${base};`),
    commented(
      comment(
        'Whether a value is one that the contract lists: makes a `switch` over them exhaustive.',
        isDeprecated,
      ),
      `export function ${open.isKnown}(value: unknown): value is ${open.known} {
return (Object.values(${name}) as readonly unknown[]).includes(value);
}`,
    ),
  ].join('\n\n');
}

/** Writes a comment without escaping `{@link}`. `jsdoc` escapes it, because it expects texts of the contract. */
function comment(text: string, deprecated: boolean): string {
  return deprecated ? `/**\n * ${text}\n *\n * @deprecated\n */` : `/** ${text} */`;
}

function writeMember({ name, value, description }: Enumeration['members'][number]): string {
  return commented(
    jsdoc({ description }).text,
    `${memberName(name).text}: ${literal(value).text},`,
  );
}

function commented(comment: string, declaration: string): string {
  return comment === '' ? declaration : `${comment}\n${declaration}`;
}
