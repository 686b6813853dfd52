import type { ts } from 'ts-morph';
import { indexSchemas } from '../../contract/json-schema.ts';
import type { Contract, Schema } from '../../contract/contract.ts';
import { memberName } from '../escape.ts';
import { toTypeSchema } from './type-schema.ts';

type TypeScript = typeof ts;

/** The type of a schema as TypeScript writes it. */
export interface TypeText {
  readonly kind: 'interface' | 'alias';
  /** The body of the interface, braces included, or the aliased type. */
  readonly text: string;
  /** Identifiers of the other schemas' types that it names, in order of code units. */
  readonly typeNames: readonly string[];
}

/**
 * Types every schema that is no enumeration, by name, in one call of json-schema-to-typescript.
 * Names of types and members go through it as stand-ins, so that none of them can be anything but a name.
 */
export async function typeSchemas(
  contract: Contract,
  ts: TypeScript,
): Promise<ReadonlyMap<string, TypeText>> {
  const schemas = contract.schemas.filter(({ enumeration }) => enumeration === undefined);
  return await typeNamed(contract, ts, schemas, '');
}

/** The same for schemas besides the contract's; `namespace` stands before the names of the contract's types. */
export async function typeNamed(
  contract: Contract,
  ts: TypeScript,
  schemas: readonly Pick<Schema, 'name' | 'typeName' | 'definition'>[],
  namespace: string,
): Promise<ReadonlyMap<string, TypeText>> {
  const index = indexSchemas(contract);
  if (schemas.length === 0) return new Map();
  const members: string[] = [];
  const placeholders = new Map<string, string>();
  const context = {
    sourceDocument: contract.info.sourceDocument,
    typeNameOf: (name: string): string => namespace + typeNameOf(index, name),
    placeholderOf: (member: string): string => {
      const known = placeholders.get(member);
      if (known !== undefined) return known;
      const placeholder = `member${members.length}`;
      placeholders.set(member, placeholder);
      members.push(member);
      return placeholder;
    },
  };
  const { compile } = await import('json-schema-to-typescript');
  const text = await compile(
    {
      anyOf: schemas.map((schema, position) => ({
        ...toTypeSchema(schema.definition, context),
        title: `Schema${position}`,
      })),
    },
    'Root',
    {
      $refOptions: { resolve: { external: false, file: false, http: false } },
      additionalProperties: false,
      bannerComment: '',
      format: false,
      ignoreMinAndMaxItems: false,
      unknownAny: true,
      unreachableDefinitions: false,
    },
  );
  const known = new Set(contract.schemas.map(({ typeName }) => typeName));
  const compact = text.replaceAll(/\/\*\*\n \* (.*)\n \*\//gu, '/** $1 */');
  const texts = readDeclarations(ts, compact, members, known);
  return new Map(
    schemas.map((schema, position) => {
      const type = texts.get(`Schema${position}`);
      if (type === undefined) throw new TypeError(`The schema "${schema.name}" was not typed.`);
      return [schema.name, withoutOwnName(type, schema)];
    }),
  );
}

function typeNameOf(index: ReadonlyMap<string, Schema>, name: string): string {
  const schema = index.get(name);
  if (schema === undefined) throw new TypeError(`The contract has no schema "${name}".`);
  return schema.typeName;
}

function withoutOwnName(type: TypeText, { typeName }: Pick<Schema, 'typeName'>): TypeText {
  return { ...type, typeNames: type.typeNames.filter((name) => name !== typeName) };
}

/** Takes the emitter's output apart, declaration by declaration, and puts the members' names back. */
function readDeclarations(
  ts: TypeScript,
  text: string,
  members: readonly string[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, TypeText> {
  const file = ts.createSourceFile('types.ts', text, ts.ScriptTarget.Latest, true);
  const declarations = new Map<string, TypeText>();
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement)) {
      const start = text.lastIndexOf('{', statement.members.pos);
      declarations.set(statement.name.text, {
        kind: 'interface',
        ...restoreNames(ts, file, statement, start, statement.end, members, known),
      });
    } else if (ts.isTypeAliasDeclaration(statement)) {
      const { type } = statement;
      declarations.set(statement.name.text, {
        kind: 'alias',
        ...restoreNames(ts, file, type, type.getStart(file), type.end, members, known),
      });
    }
  }
  return declarations;
}

function restoreNames(
  ts: TypeScript,
  file: ts.SourceFile,
  root: ts.Node,
  start: number,
  end: number,
  members: readonly string[],
  known: ReadonlySet<string>,
): Pick<TypeText, 'text' | 'typeNames'> {
  const typeNames = new Set<string>();
  let text = '';
  let position = start;
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
      if (known.has(node.typeName.text)) typeNames.add(node.typeName.text);
    }
    if (ts.isPropertySignature(node) && ts.isIdentifier(node.name)) {
      const member = members[Number(/^member(\d+)$/u.exec(node.name.text)?.[1] ?? -1)];
      if (member !== undefined) {
        text += file.text.slice(position, node.name.getStart(file)) + memberName(member).text;
        position = node.name.end;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return { text: text + file.text.slice(position, end), typeNames: [...typeNames].toSorted() };
}
