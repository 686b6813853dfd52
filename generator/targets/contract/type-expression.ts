/** A type as TypeScript writes it, with as much of its structure as decides how it stands in another. */
export interface TypeExpression {
  /** `object`: a type literal. `name`: anything that needs no parentheses anywhere. */
  readonly kind: 'name' | 'object' | 'union' | 'intersection';
  readonly text: string;
  /** The members of a union or an intersection; of anything else, itself alone. */
  readonly members: readonly TypeExpression[];
}

/** A type that needs no parentheses: a name, a keyword, a literal, a tuple. */
export function named(text: string): TypeExpression {
  return atom('name', text);
}

export const anything: TypeExpression = named('unknown');
export const nothing: TypeExpression = named('never');

/** Any of the types, each once; what accepts everything makes the others superfluous. */
export function union(types: readonly TypeExpression[]): TypeExpression {
  const members = unique(types.flatMap((type) => (type.kind === 'union' ? type.members : [type])));
  if (members.includes(anything)) return anything;
  return join('union', members, ' | ') ?? nothing;
}

/** All of the types, each once; what accepts everything adds nothing. */
export function intersection(types: readonly TypeExpression[]): TypeExpression {
  const all = types.flatMap((type) => (type.kind === 'intersection' ? type.members : [type]));
  const members = unique(all.filter((type) => type !== anything));
  if (members.includes(nothing)) return nothing;
  return join('intersection', members, ' & ') ?? anything;
}

/** A list of any length. */
export function listOf(item: TypeExpression): TypeExpression {
  return named(`${operand(item)}[]`);
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
  const lengths = Array.from({ length: items.length - least + 1 }, (_, more) => least + more);
  return union(
    lengths.map((length) => {
      const texts = items.slice(0, length).map(({ text }) => text);
      if (length === items.length && rest !== undefined) texts.push(`...${operand(rest)}[]`);
      return named(`[${texts.join(', ')}]`);
    }),
  );
}

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
  if (others !== undefined) lines.push(`[k: string]: ${indexType(members, others).text};`);
  return atom('object', `{\n${lines.join('\n')}\n}`);
}

function indexType(members: readonly TypeMember[], others: TypeExpression): TypeExpression {
  if (others === anything) return anything;
  const declared = members.map(({ type }) => type).filter((type) => type !== nothing);
  const perhaps = members.some(({ optional }) => optional) ? [named('undefined')] : [];
  return union([others, ...declared, ...perhaps]);
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
  return { kind, text: members.map(operand).join(operator), members };
}

function unique(types: readonly TypeExpression[]): readonly TypeExpression[] {
  return [...new Map(types.map((type) => [type.text, type])).values()];
}

function atom(kind: 'name' | 'object', text: string): TypeExpression {
  const type: { kind: typeof kind; text: string; members: readonly TypeExpression[] } = {
    kind,
    text,
    members: [],
  };
  type.members = [type];
  return type;
}
