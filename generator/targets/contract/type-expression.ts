/** A type as TypeScript writes it, with as much of its structure as decides how it stands in another. */
export interface TypeExpression {
  /** `object`: a type literal. `name`: anything that needs no parentheses anywhere. */
  readonly kind: 'name' | 'object' | 'union' | 'intersection';
  readonly text: string;
  /** The members of a union or an intersection; of anything else, itself alone. */
  readonly members: readonly TypeExpression[];
  /** The names of other types that its text holds; one may be there several times. */
  readonly uses: readonly string[];
}

/** A type that needs no parentheses: a keyword, a literal, a tuple. */
export function named(text: string, uses: readonly string[] = []): TypeExpression {
  return atom('name', text, uses);
}

/** A type by its name. */
export function reference(name: string): TypeExpression {
  return named(name, [name]);
}

export const anything: TypeExpression = named('unknown');
export const nothing: TypeExpression = named('never');

/** Any of the types, each once; what accepts everything makes the others superfluous. */
export function union(types: readonly TypeExpression[]): TypeExpression {
  const [only] = types;
  if (only !== undefined && types.length === 1) return only;
  const members = unique(types.flatMap((type) => (type.kind === 'union' ? type.members : [type])));
  if (members.includes(anything)) return anything;
  return join('union', members, ' | ') ?? nothing;
}

/** All of the types, each once; what accepts everything adds nothing. */
export function intersection(types: readonly TypeExpression[]): TypeExpression {
  const [only] = types;
  if (only !== undefined && types.length === 1) return only;
  const all = types.flatMap((type) => (type.kind === 'intersection' ? type.members : [type]));
  const members = unique(all.filter((type) => type !== anything));
  if (members.includes(nothing)) return nothing;
  return join('intersection', members, ' & ') ?? anything;
}

/** A list of any length. */
export function listOf(item: TypeExpression): TypeExpression {
  return named(`${operand(item)}[]`, item.uses);
}

/**
 * A list that begins with the items given, of which the first `least` are there in any case.
 * @param rest what may follow them
 */
export function tupleOf(
  items: readonly TypeExpression[],
  least: number,
  rest: TypeExpression | undefined,
): TypeExpression {
  const all = [...items, ...(rest === undefined ? [] : [rest])].flatMap(({ uses }) => uses);
  const others = rest === undefined ? [] : [`...${operand(rest)}[]`];
  if (items.length - least > mostLengths) {
    const texts = items.map((item, index) => `${operand(item)}${index < least ? '' : '?'}`);
    return named(`[${[...texts, ...others].join(', ')}]`, all);
  }
  const lengths = Array.from({ length: items.length - least + 1 }, (_, more) => least + more);
  return union(
    lengths.map((length) => {
      const present = items.slice(0, length);
      const isWhole = length === items.length;
      const texts = [...present.map(({ text }) => text), ...(isWhole ? others : [])];
      const uses = isWhole ? all : present.flatMap((item) => item.uses);
      return named(`[${texts.join(', ')}]`, uses);
    }),
  );
}

/** How many lengths of a tuple are written each for itself. */
const mostLengths = 16;

/** A member of an object type. */
export interface TypeMember {
  /** As it is written. */
  readonly name: string;
  readonly type: TypeExpression;
  readonly optional: boolean;
  /** A finished comment, or nothing. */
  readonly comment: string;
}

/** An object type. TypeScript wants the type of other members to be that of the declared ones as well. */
export function objectOf(
  members: readonly TypeMember[],
  others: TypeExpression | undefined,
): TypeExpression {
  const lines = members.map(
    ({ name, type, optional, comment }) =>
      `${comment === '' ? '' : `${comment}\n`}${name}${optional ? '?' : ''}: ${type.text};`,
  );
  const index = others === undefined ? undefined : indexType(members, others);
  if (index !== undefined) lines.push(`[k: string]: ${index.text};`);
  const uses = [...members.map(({ type }) => type), ...(index === undefined ? [] : [index])];
  return atom(
    'object',
    `{\n${lines.join('\n')}\n}`,
    uses.flatMap((type) => type.uses),
  );
}

function indexType(members: readonly TypeMember[], others: TypeExpression): TypeExpression {
  if (others === anything || members.some(({ type }) => isComposed(type))) return anything;
  const declared = members.map(({ type }) => type).filter((type) => type !== nothing);
  const perhaps = members.some(({ optional }) => optional) ? [named('undefined')] : [];
  return union([others, ...declared, ...perhaps]);
}

/** An intersection with a type literal, which TypeScript does not always find in a union that has it. */
function isComposed({ kind, members }: TypeExpression): boolean {
  if (kind === 'union') return members.some(isComposed);
  return kind === 'intersection' && members.some((member) => member.kind === 'object');
}

/** With parentheses where an operator would take it apart. */
function operand({ kind, text }: TypeExpression): string {
  return kind === 'union' || kind === 'intersection' ? `(${text})` : text;
}

function join(
  kind: 'union' | 'intersection',
  members: readonly TypeExpression[],
  operator: string,
): TypeExpression | undefined {
  const [only, ...others] = members;
  if (others.length === 0) return only;
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
