/** The text of a TypeScript type, with the structure that is needed to put it into another type. */
export interface TypeExpression {
  /** `object`: a type literal. `name`: any other type that never needs parentheses. */
  readonly kind: 'name' | 'object' | 'union' | 'intersection';
  readonly text: string;
  /** The members of a union or an intersection; for any other type, the type itself. */
  readonly members: readonly TypeExpression[];
  /** The names of the types in its text, with repetitions. */
  readonly uses: readonly string[];
}

/** Returns a type that needs no parentheses: a keyword, a literal or a tuple. */
export function named(text: string, uses: readonly string[] = []): TypeExpression {
  return atom('name', text, uses);
}

/** Returns a reference to a type by its name. */
export function reference(name: string): TypeExpression {
  return named(name, [name]);
}

export const anything: TypeExpression = named('unknown');
export const nothing: TypeExpression = named('never');

/**
 * Returns the type of all strings or numbers for a union with some of their literals. TypeScript would reduce a union
 * with `string` to `string`, and editors could not complete the literals.
 */
export function openTypeOf(base: 'string' | 'number'): TypeExpression {
  return named(`(${base} & {})`);
}

/**
 * Returns the union of types as `union` does, but keeps literals apart from the type of all strings or all numbers.
 * @param enumerated the types of the literals in referenced enumerations
 */
export function openUnion(
  types: readonly TypeExpression[],
  enumerated: readonly ('string' | 'number')[],
): TypeExpression {
  const members = types.flatMap((type) => (type.kind === 'union' ? type.members : [type]));
  const literals = new Set<string>(enumerated);
  for (const { text } of members) {
    if (text.startsWith('"')) literals.add('string');
    if (/^-?\d/u.test(text)) literals.add('number');
  }
  return union(
    members.map((type) => {
      const { text } = type;
      const isBase = text === 'string' || text === 'number';
      return isBase && literals.has(text) ? openTypeOf(text) : type;
    }),
  );
}

/** Returns the union of types, each once: `unknown` if one of them is, and `never` for no types. */
export function union(types: readonly TypeExpression[]): TypeExpression {
  const [only] = types;
  if (only !== undefined && types.length === 1) return only;
  const members = unique(types.flatMap((type) => (type.kind === 'union' ? type.members : [type])));
  if (members.includes(anything)) return anything;
  return join('union', members, ' | ') ?? nothing;
}

/** Returns the intersection of types, each once and without `unknown`: `never` if one of them is. */
export function intersection(types: readonly TypeExpression[]): TypeExpression {
  const [only] = types;
  if (only !== undefined && types.length === 1) return only;
  const all = types.flatMap((type) => (type.kind === 'intersection' ? type.members : [type]));
  const members = unique(all.filter((type) => type !== anything));
  if (members.includes(nothing)) return nothing;
  return join('intersection', members, ' & ') ?? anything;
}

/** Returns the type of an array of any length. */
export function arrayOf(item: TypeExpression): TypeExpression {
  return named(`${operand(item)}[]`, item.uses);
}

/**
 * Returns the type of an array that begins with the given items.
 * @param required how many of the items are required
 * @param rest the type of the items that may follow; `undefined` where none may
 */
export function tupleOf(
  items: readonly TypeExpression[],
  required: number,
  rest: TypeExpression | undefined,
): TypeExpression {
  const all = [...items, ...(rest === undefined ? [] : [rest])].flatMap(({ uses }) => uses);
  const restElements = rest === undefined ? [] : [`...${operand(rest)}[]`];
  if (items.length - required > maxLengths) {
    const texts = items.map((item, index) => `${operand(item)}${index < required ? '' : '?'}`);
    return named(`[${[...texts, ...restElements].join(', ')}]`, all);
  }
  const lengths = Array.from({ length: items.length - required + 1 }, (_, more) => required + more);
  return union(
    lengths.map((length) => {
      const present = items.slice(0, length);
      const isComplete = length === items.length;
      const texts = [...present.map(({ text }) => text), ...(isComplete ? restElements : [])];
      const uses = isComplete ? all : present.flatMap((item) => item.uses);
      return named(`[${texts.join(', ')}]`, uses);
    }),
  );
}

/** The number of optional items up to which a tuple is a union of one tuple for each length. */
const maxLengths = 16;

/** A member of an object type. */
export interface TypeMember {
  /** The name as code, in quotes where it needs them. */
  readonly name: string;
  readonly type: TypeExpression;
  readonly optional: boolean;
  /** A comment with its delimiters, or an empty string. */
  readonly comment: string;
}

/**
 * Returns an object type.
 * @param indexSignature the type of undeclared members. TypeScript requires that an index signature includes the types of the
 *   declared members, so these are added.
 */
export function objectOf(
  members: readonly TypeMember[],
  indexSignature: TypeExpression | undefined,
): TypeExpression {
  const lines = members.map(
    ({ name, type, optional, comment }) =>
      `${comment === '' ? '' : `${comment}\n`}${name}${optional ? '?' : ''}: ${type.text};`,
  );
  const index = indexSignature === undefined ? undefined : indexType(members, indexSignature);
  if (index !== undefined) lines.push(`[k: string]: ${index.text};`);
  const uses = [...members.map(({ type }) => type), ...(index === undefined ? [] : [index])];
  return atom(
    'object',
    `{\n${lines.join('\n')}\n}`,
    uses.flatMap((type) => type.uses),
  );
}

function indexType(members: readonly TypeMember[], indexSignature: TypeExpression): TypeExpression {
  if (indexSignature === anything || members.some(({ type }) => isComposed(type))) return anything;
  const declared = members.map(({ type }) => type).filter((type) => type !== nothing);
  const absent = members.some(({ optional }) => optional) ? [named('undefined')] : [];
  return union([indexSignature, ...declared, ...absent]);
}

/**
 * Returns whether a type is or has an intersection with a type literal. TypeScript does not always recognize such an
 * intersection as a member of a union.
 */
function isComposed({ kind, members }: TypeExpression): boolean {
  if (kind === 'union') return members.some(isComposed);
  return kind === 'intersection' && members.some((member) => member.kind === 'object');
}

/** Returns the text of a type as an operand: unions and intersections get parentheses. */
function operand({ kind, text }: TypeExpression): string {
  return kind === 'union' || kind === 'intersection' ? `(${text})` : text;
}

function join(
  kind: 'union' | 'intersection',
  members: readonly TypeExpression[],
  operator: string,
): TypeExpression | undefined {
  const [only, ...rest] = members;
  if (rest.length === 0) return only;
  const uses = members.flatMap((member) => member.uses);
  return { kind, text: members.map(operand).join(operator), members, uses };
}

function unique(types: readonly TypeExpression[]): readonly TypeExpression[] {
  if (types.length < 2) return types;
  return [...new Map(types.map((type) => [type.text, type])).values()];
}

function atom(kind: 'name' | 'object', text: string, uses: readonly string[]): TypeExpression {
  const members: TypeExpression[] = [];
  const type: TypeExpression = { kind, text, members, uses };
  members.push(type);
  return type;
}
