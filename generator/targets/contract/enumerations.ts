import type { Enumeration, Schema } from '../../schema/model.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { type Documentation, jsdoc } from '../jsdoc.ts';

/** A schema that is an enumeration. */
export type EnumerationSchema = Schema & { readonly enumeration: Enumeration };

/** The names an enumeration's module exports besides the const object and the type of its own name. */
export interface OpenNames {
  /** The type of the values that are listed. */
  readonly known: string;
  /** The guard for them. */
  readonly isKnown: string;
}

/** Names for what an open enumeration has in addition, kept apart from the schemas' own types. */
export function toOpenNames(typeName: string, taken: ReadonlySet<string>): OpenNames {
  let known = `Known${typeName}`;
  while (taken.has(known)) known = `Known${known}`;
  return { known, isKnown: `is${known}` };
}

/**
 * The declarations of an enumeration: a const object with a member for each value, and the type of its values.
 * An open one has its base type, because a literal compared with it narrows to that literal, while a union of
 * literals with `number & {}` would keep the rest; the values that are listed are a type of their own.
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

/** A link is the toolkit's own, which the escape of a text from the contract would take for a tag. */
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
