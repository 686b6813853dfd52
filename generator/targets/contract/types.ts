import type { ts } from 'ts-morph';
import { indexSchemas } from '../../contract/json-schema.ts';
import type { Contract, Schema } from '../../contract/contract.ts';
import { memberName } from '../escape.ts';
import { toTypeSchema, type TypeSchema } from './type-schema.ts';

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
  const formats = new Map(
    (contract.formats ?? []).map(({ format, typeName }) => [format, typeName]),
  );
  const known = new Set([...contract.schemas.map(({ typeName }) => typeName), ...formats.values()]);
  const members: string[] = [];
  const placeholders = new Map<string, string>();
  const standIns = new StandIns(known);
  const context = {
    sourceDocument: contract.info.sourceDocument,
    formatTypeOf: (format: string): string | undefined => {
      const typeName = formats.get(format);
      return typeName === undefined ? undefined : namespace + typeName;
    },
    typeNameOf: (name: string): string => namespace + typeNameOf(index, name),
    placeholderOf: (member: string): string => {
      const known = placeholders.get(member);
      if (known !== undefined) return known;
      const placeholder = `member${members.length}`;
      placeholders.set(member, placeholder);
      members.push(member);
      return placeholder;
    },
    standInFor: (type: TypeSchema): TypeSchema => ({ tsType: standIns.nameOf(type) }),
  };
  const own = schemas.map((schema, position) => {
    const type = toTypeSchema(schema.definition, context);
    return { ...(standIns.get(type['tsType']) ?? type), title: `Schema${position}` };
  });
  const { compile } = await import('json-schema-to-typescript');
  const text = await compile(
    {
      anyOf: [...own, ...standIns.all()],
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
  const compact = text.replaceAll(/\/\*\*\n \* (.*)\n \*\//gu, '/** $1 */');
  const read = createReader(ts, compact, members, known, standIns);
  return new Map(
    schemas.map((schema, position) => {
      const type = read(`Schema${position}`);
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

/** Object types that stand for themselves by a name, so that each is emitted once, however often it occurs. */
class StandIns {
  readonly #names = new Map<string, string>();
  readonly #types = new Map<unknown, TypeSchema>();
  readonly #prefix: string;

  /** `taken`: names of types that a stand-in's must not be mistaken for. */
  constructor(taken: ReadonlySet<string>) {
    let prefix = 'Inline';
    while ([...taken].some((name) => name.startsWith(prefix))) prefix += 'X';
    this.#prefix = prefix;
  }

  nameOf(type: TypeSchema): string {
    const key = JSON.stringify(type);
    const name = this.#names.get(key) ?? `${this.#prefix}${this.#names.size}`;
    this.#names.set(key, name);
    this.#types.set(name, type);
    return name;
  }

  get(name: unknown): TypeSchema | undefined {
    return this.#types.get(name);
  }

  /** Each under its name, as the emitter wants them. */
  all(): readonly TypeSchema[] {
    return Array.from(this.#types, ([title, type]) => ({ ...type, title }));
  }
}

/** Takes the emitter's output apart, declaration by declaration, and puts back the members' names and what has stand-ins. */
function createReader(
  ts: TypeScript,
  text: string,
  members: readonly string[],
  known: ReadonlySet<string>,
  standIns: StandIns,
): (name: string) => TypeText | undefined {
  const file = ts.createSourceFile('types.ts', text, ts.ScriptTarget.Latest, true);
  const declarations = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      declarations.set(statement.name.text, statement);
  }
  const done = new Map<string, TypeText>();
  const read = (name: string): TypeText | undefined => {
    const ready = done.get(name);
    const declaration = declarations.get(name);
    if (ready !== undefined || declaration === undefined) return ready;
    const isInterface = ts.isInterfaceDeclaration(declaration);
    const start = isInterface
      ? text.lastIndexOf('{', declaration.members.pos)
      : declaration.type.getStart(file);
    const type: TypeText = {
      kind: isInterface ? 'interface' : 'alias',
      ...restore(isInterface ? declaration : declaration.type, start),
    };
    done.set(name, type);
    return type;
  };
  const restore = (root: ts.Node, start: number): Omit<TypeText, 'kind'> => {
    const typeNames = new Set<string>();
    let restored = '';
    let position = start;
    const put = (node: ts.Node, by: string): void => {
      restored += text.slice(position, node.getStart(file)) + by;
      position = node.end;
    };
    const visit = (node: ts.Node): void => {
      if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
        const { text: name } = node.typeName;
        if (known.has(name)) typeNames.add(name);
        const inline = standIns.get(name) === undefined ? undefined : read(name);
        if (inline === undefined) return;
        for (const inner of inline.typeNames) typeNames.add(inner);
        put(node, inline.kind === 'interface' ? inline.text : `(${inline.text})`);
        return;
      }
      if (ts.isPropertySignature(node) && ts.isIdentifier(node.name)) {
        const member = members[Number(/^member(\d+)$/u.exec(node.name.text)?.[1] ?? -1)];
        if (member !== undefined) put(node.name, memberName(member).text);
      }
      ts.forEachChild(node, visit);
    };
    visit(root);
    const end = root.end;
    return { text: restored + text.slice(position, end), typeNames: [...typeNames].toSorted() };
  };
  return read;
}
