import type {
  StatementStructures,
  StructureKind,
  VariableDeclarationKind,
  WriterFunction,
} from 'ts-morph';
import type { Enumeration, Schema } from '../../contract/contract.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { jsdoc, type Documentation } from '../jsdoc.ts';

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
export function enumerationStatements(
  kinds: {
    readonly StructureKind: typeof StructureKind;
    readonly VariableDeclarationKind: typeof VariableDeclarationKind;
  },
  schema: EnumerationSchema,
  documentation: Documentation,
  open: OpenNames,
): readonly StatementStructures[] {
  const { enumeration } = schema;
  const name = identifier(schema.typeName).text;
  const listed = `(typeof ${name})[keyof typeof ${name}]`;
  const base = enumeration.base === 'string' ? 'string' : 'number';
  const { deprecated } = documentation;
  // The link is the toolkit's own, which the escape of a text from the contract would take for a tag.
  const aboutKnown = (text: string): string =>
    deprecated === true ? `/**\n * ${text}\n *\n * @deprecated\n */` : `/** ${text} */`;
  const constant: StatementStructures = {
    kind: kinds.StructureKind.VariableStatement,
    isExported: true,
    declarationKind: kinds.VariableDeclarationKind.Const,
    declarations: [{ name, initializer: writeMembers(enumeration) }],
    leadingTrivia: `${jsdoc(documentation).text}\n`,
  };
  if (!enumeration.open) {
    return [
      constant,
      {
        kind: kinds.StructureKind.TypeAlias,
        isExported: true,
        name,
        type: listed,
        leadingTrivia: `\n${jsdoc(documentation).text}\n`,
      },
    ];
  }
  return [
    constant,
    {
      kind: kinds.StructureKind.TypeAlias,
      isExported: true,
      name: open.known,
      type: listed,
      leadingTrivia: `\n${aboutKnown(`The values of {@link ${name}} that the contract lists.`)}\n`,
    },
    {
      kind: kinds.StructureKind.TypeAlias,
      isExported: true,
      name,
      type: base,
      leadingTrivia: `\n${
        jsdoc({
          ...documentation,
          description: [
            documentation.description,
            `Open: values that ${open.known} does not list are accepted too.`,
          ]
            .filter((text) => text !== undefined)
            .join('\n\n'),
        }).text
      }\n`,
    },
    {
      kind: kinds.StructureKind.Function,
      isExported: true,
      name: open.isKnown,
      parameters: [{ name: 'value', type: 'unknown' }],
      returnType: `value is ${open.known}`,
      statements: [`return (Object.values(${name}) as readonly unknown[]).includes(value);`],
      leadingTrivia: `${aboutKnown(
        'Whether a value is one that the contract lists: makes a `switch` over them exhaustive.',
      )}\n`,
    },
  ];
}

function writeMembers(enumeration: Enumeration): WriterFunction {
  return (writer) => {
    writer.write('{').newLine();
    for (const { name, value, description } of enumeration.members) {
      const comment = jsdoc({ description }).text;
      if (comment !== '') writer.write(comment).newLine();
      writer.write(`${memberName(name).text}: ${literal(value).text},`).newLine();
    }
    writer.write('} as const');
  };
}
