import { type Form, formsOf, headerOf, plainForm, signText, signedTextOf } from './forms.ts';

/** Where the signature is, and what it covers. */
export type Signing = 'header' | 'root' | 'each' | 'both' | 'either';

/** How a delivery shows its kind. */
type Recognizing = 'one kind' | 'a signed member' | 'an unsigned member' | 'a header' | 'schemas';

/** A combination of what a contract can state. */
export interface Combination {
  readonly signing: Signing;
  readonly variant: VariantName;
  readonly amount: AmountName;
  readonly recognizing: Recognizing;
  readonly id: 'string' | 'integer';
  /** How signed numbers are written, if the contract states it. */
  readonly numbers?: 'as-sent' | 'as-double';
  /** What a sender writes for a signed member that is missing, if the contract states it. */
  readonly absent?: AbsentName;
  /** How signatures are made and written. Default: in hex, by HMAC-SHA256. */
  readonly form?: Form;
  /** Whether the response repeats the identity of the order. */
  readonly echoes?: true;
}

type Json = unknown;

interface VariantParts {
  /** What `x-variants` states. */
  readonly stated?: object;
  /** The member of the canonical format in which the order is; left out if it is the value itself. */
  readonly inside?: string;
  /** The member of the signed value in which the order is. */
  readonly wrapped?: string;
  /** The list whose elements are signed, where each has a signature of its own. */
  readonly each?: string;
  /** The formats in which the sender writes deliveries: a list of orders as it writes them. */
  readonly forms: Readonly<Record<string, (orders: readonly Json[]) => Json>>;
  /** The member of an order that has another name in a format. */
  readonly renamed?: readonly [name: string, alias: string];
}

const isList = (name: string): object => ({ [`$request.body#/${name}`]: { type: 'array' } });
const has = (name: string): object => ({ [`$request.body#/${name}`]: {} });
const whole = ([order]: readonly Json[]): Json => order;
const asItems = (items: readonly Json[]): Json => ({ batch: true, items });

/** The wire formats of a payload. */
type VariantName =
  | 'none'
  | 'list'
  | 'list by an unsigned member'
  | 'list inside'
  | 'list of wrapped'
  | 'list into a member'
  | 'lists into different members'
  | 'two lists'
  | 'into a member'
  | 'unsigned renamed'
  | 'signed renamed'
  | 'optional signed renamed'
  | 'list, unsigned renamed'
  | 'list, signed renamed';

const variants: Readonly<Record<VariantName, VariantParts>> = {
  none: { forms: { whole } },
  list: {
    stated: { list: { when: isList('items'), each: '/items' } },
    each: '/items',
    forms: { whole, list: asItems },
  },
  'list by an unsigned member': {
    stated: { list: { when: { '$request.body#/batch': { const: true } }, each: '/items' } },
    each: '/items',
    forms: { list: asItems },
  },
  'list inside': {
    stated: {
      list: { when: { '$request.body#/batch': { type: 'object' } }, each: '/batch/items' },
    },
    each: '/batch/items',
    forms: { list: (items: readonly Json[]) => ({ batch: { items } }) },
  },
  'list of wrapped': {
    stated: { list: { when: isList('items'), each: '/items' } },
    each: '/items',
    inside: 'order',
    wrapped: 'order',
    forms: { list: (items: readonly Json[]) => asItems(items.map((order) => ({ order }))) },
  },
  'list into a member': {
    stated: { list: { when: isList('items'), each: '/items', as: '/order' } },
    each: '/items',
    inside: 'order',
    forms: { list: asItems },
  },
  'lists into different members': {
    stated: {
      list: { when: isList('items'), each: '/items', as: '/order' },
      entries: { when: isList('entries'), each: '/entries', as: '/order' },
    },
    each: '/items',
    inside: 'order',
    forms: { list: asItems },
  },
  'two lists': {
    stated: {
      list: { when: isList('items'), each: '/items' },
      entries: { when: isList('entries'), each: '/entries' },
    },
    each: '/items',
    forms: { list: asItems },
  },
  'into a member': {
    stated: { flat: { when: has('id'), as: '/order' } },
    inside: 'order',
    forms: { flat: whole },
  },
  'unsigned renamed': {
    stated: { other: { when: has('memo'), rename: { memo: 'note' } } },
    renamed: ['note', 'memo'],
    forms: { whole, other: whole },
  },
  'signed renamed': {
    stated: { other: { when: has('total'), rename: { total: 'amount' } } },
    renamed: ['amount', 'total'],
    forms: { whole },
  },
  'optional signed renamed': {
    stated: { other: { when: has('reference'), rename: { reference: 'ref' } } },
    renamed: ['ref', 'reference'],
    forms: { whole },
  },
  'list, unsigned renamed': {
    stated: { list: { when: isList('items'), each: '/items', rename: { memo: 'note' } } },
    each: '/items',
    renamed: ['note', 'memo'],
    forms: { list: asItems },
  },
  'list, signed renamed': {
    stated: { list: { when: isList('items'), each: '/items', rename: { reference: 'ref' } } },
    each: '/items',
    renamed: ['ref', 'reference'],
    forms: { list: asItems },
  },
};

/** How a contract writes amounts, with literals that senders write, and the text that they sign of each. */
type AmountName = 'number' | 'integer' | 'number or text' | 'text';

const amounts: Readonly<
  Record<AmountName, { readonly schema: object; readonly literals: readonly string[] }>
> = {
  number: {
    schema: { type: 'number' },
    literals: ['100', '10.50', '0.1', '1e2', '9007199254740993', '-5.00'],
  },
  integer: { schema: { type: 'integer' }, literals: ['100', '1130'] },
  'number or text': {
    schema: {
      type: 'number',
      'x-variants': { text: { schema: { type: 'string' }, as: 'number' } },
    },
    literals: ['100', '"100"', '10.50', '"10.50"'],
  },
  text: { schema: { type: 'string' }, literals: ['"100"', '"10.50"'] },
};

/** What stands for a missing reference: what the contract states, and what senders write. */
type AbsentName = 'null' | 'an empty text' | 'a word';

export const absentValues: Readonly<
  Record<AbsentName, { readonly schema: object; readonly literal: string }>
> = {
  null: { schema: { type: 'null' }, literal: 'null' },
  'an empty text': { schema: { const: '' }, literal: '""' },
  'a word': { schema: { const: 'none' }, literal: '"none"' },
};

/** The names of members in all wire formats. */
export const names: readonly string[] = [
  'id',
  'amount',
  'done',
  'ref',
  'type',
  'note',
  'seal',
  'batch',
  'items',
  'order',
  'entries',
  'memo',
  'total',
  'reference',
];

/** The signed members of an order, in order. */
export const signedNames: readonly SignedName[] = ['id', 'amount', 'done', 'ref', 'type'];

type SignedName = 'id' | 'amount' | 'done' | 'ref' | 'type';

/** Returns the name of a combination, for the messages of tests. */
export function nameOf({
  signing,
  variant,
  amount,
  recognizing,
  id,
  numbers,
  absent,
  form,
  echoes,
}: Combination): string {
  return [
    signing,
    variant,
    `amount ${amount}`,
    recognizing,
    `id ${id}`,
    ...(numbers ? [numbers] : []),
    ...(absent ? [`${absent} for nothing`] : []),
    ...(form ? Object.values(form) : []),
    ...(echoes ? ['echoes'] : []),
  ].join('; ');
}

export function partsOf({ variant }: Combination): VariantParts {
  return variants[variant];
}

function isSigned(name: string, { recognizing }: Combination): boolean {
  return name !== 'type' || recognizing === 'a signed member';
}

/** Writes a contract. */
export function toContract(combination: Combination): string {
  const { signing, amount, recognizing, id, numbers, absent, echoes } = combination;
  const { form = plainForm } = combination;
  const { stated, inside, wrapped, each } = partsOf(combination);
  const order = (type: string): object => ({
    type: 'object',
    required: ['id', 'amount', 'type', ...(signing === 'header' ? [] : ['seal'])],
    properties: {
      id: { type: id },
      amount: amounts[amount].schema,
      done: { type: 'boolean' },
      ref: {
        type: 'string',
        ...(absent && {
          'x-variants': { none: { schema: absentValues[absent].schema, as: 'absent' } },
        }),
      },
      type:
        recognizing === 'schemas'
          ? { type: 'string', pattern: type === 'paid' ? '^p' : '^r' }
          : { type: 'string' },
      note: { type: 'string' },
      seal: { type: 'string' },
    },
  });
  const payload = (type: string): object => ({
    ...(inside === undefined
      ? order(type)
      : {
          type: 'object',
          required: [inside],
          properties: { [inside]: order(type), batch: { type: 'boolean' }, id: { type: 'string' } },
        }),
    ...(stated && { 'x-variants': stated }),
  });
  const at = inside === undefined ? '' : `/${inside}`;
  const types = recognizing === 'one kind' ? ['paid'] : ['paid', 'refunded'];
  const required = {
    header: [{ mark: [] }],
    root: [{ seal: [] }],
    each: [{ seal: [] }],
    both: [{ mark: [], seal: [] }],
    either: [{ mark: [] }, { seal: [] }],
  }[signing];
  const conditionOf = (type: string): object | undefined => {
    if (recognizing === 'one kind') return undefined;
    if (recognizing === 'schemas') return { 'x-identified-by-schema': true };
    const from = recognizing === 'a header' ? '$request.header.x-kind' : `$request.body#${at}/type`;
    return { 'x-identified-by': { [from]: { const: type } } };
  };
  const prefix = wrapped === undefined ? '' : `/${wrapped}`;
  const webhooks = Object.fromEntries(
    types.map((type) => [
      type,
      {
        post: {
          summary: `An order was ${type}.`,
          security: required,
          'x-dedupe-by': [`$request.body#${at}/id`],
          'x-ordered-by': [`$request.body#${at}/id`],
          ...conditionOf(type),
          ...(recognizing === 'a header' && {
            parameters: [
              { name: 'X-Kind', in: 'header', required: true, schema: { type: 'string' } },
            ],
          }),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${type === 'paid' ? 'Paid' : 'Refunded'}` },
              },
            },
          },
          responses: {
            200: {
              description: 'Done.',
              ...(echoes && {
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      required: ['received'],
                      properties: {
                        received: { type: id, 'x-echoes': `$request.body#${at}/id` },
                      },
                    },
                  },
                },
              }),
            },
          },
        },
      },
    ]),
  );
  const common = {
    algorithm: form.algorithm,
    key: { credential: 'secret', encoding: form.keyEncoding },
    encoding: form.encoding,
  };
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0', 'x-countersign': 1 },
    webhooks,
    components: {
      schemas: {
        Paid: payload('paid'),
        ...(types.length > 1 && { Refunded: payload('refunded') }),
      },
      securitySchemes: {
        ...(hasMark(signing) && {
          mark: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Mark',
            'x-signature': headerOf(form),
          },
        }),
        ...(signing !== 'header' && {
          seal: {
            type: 'apiKey',
            in: 'header',
            name: 'none',
            'x-body-signature': {
              ...common,
              ...(signing === 'each' && { each: each ?? '/items' }),
              over: signedNames
                .filter((name) => isSigned(name, combination))
                .map((name) =>
                  name === 'ref'
                    ? { member: `${prefix}/ref`, mayContainSeparator: true }
                    : `${prefix}/${name}`,
                ),
              separator: form.separator,
              signature: `${prefix}/seal`,
              ...(numbers && { numbers }),
            },
          },
        }),
      },
    },
  });
}

/** Returns whether a contract states the signature in a header. */
export function hasMark(signing: Signing): boolean {
  return signing === 'header' || signing === 'both' || signing === 'either';
}

/** What a sender wrote of one order: the literals of its members. */
interface Order {
  readonly id: string;
  readonly amount: string;
  readonly done?: string;
  readonly ref?: string;
  readonly type: string;
  readonly note?: string;
}

/** A delivery of a sender. */
export interface Genuine {
  readonly form: string;
  readonly body: string;
  readonly orders: readonly Order[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns deliveries as the sender that a contract describes sends them. The test signs them itself. */
export function* genuineDeliveries(combination: Combination): Iterable<Genuine> {
  const { signing, amount, id, absent } = combination;
  const { forms, each, renamed } = partsOf(combination);
  const { separator } = combination.form ?? plainForm;
  const literals: readonly string[] = amounts[amount].literals;
  let count = 0;
  const order = (literal: string, more: Partial<Order> = {}): Order => {
    count += 1;
    return {
      id: id === 'integer' ? String(1_234_500 + count) : `"inv-${count}"`,
      amount: literal,
      type: '"paid"',
      ...more,
    };
  };
  for (const [form, write] of Object.entries<(orders: readonly Json[]) => Json>(forms)) {
    // A signature of each element signs no other format, and one of the whole signs no element.
    const isOfEach = each !== undefined && form !== 'whole';
    if (signing === 'each' ? !isOfEach : signing !== 'header' && isOfEach) continue;
    for (const [index, literal] of literals.entries())
      for (const text of signedTextsOf(literal, combination)) {
        const more: Partial<Order> = [
          { done: 'false', ref: JSON.stringify(`order${separator}1`), note: '"A note."' },
          { done: 'true' },
          { ref: absent === undefined ? '""' : absentValues[absent].literal, note: '"n"' },
        ][index % 3]!;
        const orders = isOfEach
          ? [order(literal, more), order(literal, { done: 'true' })]
          : [order(literal, more)];
        const isRenamed = renamed !== undefined && form !== 'whole';
        const body = write(
          orders.map((each) =>
            writeOrder(combination, each, text, isRenamed ? renamed : undefined),
          ),
        );
        const bodyText = withLiterals(body);
        yield {
          form,
          body: bodyText,
          orders,
          headers: {
            'x-kind': 'paid',
            ...((signing === 'header' || signing === 'both') && {
              'x-mark': signText(combination.form, bodyText),
            }),
          },
        };
      }
  }
}

/** Returns what senders sign of the literal of an amount. */
function signedTextsOf(literal: string, { numbers, signing }: Combination): readonly string[] {
  const sent = literal.startsWith('"') ? literal.slice(1, -1) : literal;
  if (literal.startsWith('"') || signing === 'header') return [sent];
  const double = String(Number(literal));
  const isExact = literal !== '9007199254740993';
  const all = [
    ...(numbers === 'as-double' ? [] : [sent]),
    ...(numbers === 'as-sent' || !isExact ? [] : [double]),
  ];
  return [...new Set(all)];
}

/** A literal in a value that is otherwise written as JSON. */
const marked = (literal: string): object => ({ literal });

function withLiterals(value: Json): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && 'literal' in member
      ? `@${String(member.literal)}@`
      : member,
  ).replaceAll(
    /"@((?:[^@"\\]|\\.)*)@"/gu,
    (_, literal: string) => JSON.parse(`"${literal}"`) as string,
  );
}

function writeOrder(
  combination: Combination,
  order: Order,
  amountText: string,
  renamed: readonly [string, string] | undefined,
): Json {
  const { signing } = combination;
  const text = (name: SignedName): string => {
    const literal = order[name] ?? '""';
    if (name === 'amount') return amountText;
    if (literal === 'null') return '';
    return literal.startsWith('"') ? (JSON.parse(literal) as string) : literal;
  };
  const over = signedNames.filter((name) => isSigned(name, combination));
  const members = Object.entries(order).map(([name, literal]) => [
    renamed?.[0] === name ? renamed[1] : name,
    marked(literal as string),
  ]);
  const { form = plainForm } = combination;
  const signed = over.map(text).join(form.separator);
  const seal = signing === 'header' ? [] : [['seal', signedTextOf(form, signed)]];
  return Object.fromEntries([...members, ...seal]) as Json;
}

/** Formats in which each value that a handler gets is signed where it is. */
const safeVariants: Readonly<Record<Signing, readonly VariantName[]>> = {
  header: Object.keys(variants) as VariantName[],
  root: ['none', 'unsigned renamed'],
  both: ['none', 'unsigned renamed'],
  either: ['none', 'unsigned renamed'],
  each: [
    'list',
    'list by an unsigned member',
    'list inside',
    'list of wrapped',
    'list into a member',
    'lists into different members',
    'two lists',
    'list, unsigned renamed',
  ],
};

/** Returns whether a receiver can promise of a contract what is promised. */
export function isSafe(combination: Combination): boolean {
  const { signing, variant } = combination;
  return safeVariants[signing].includes(variant) && isReadable(combination);
}

const recognitions: readonly Recognizing[] = [
  'one kind',
  'a signed member',
  'an unsigned member',
  'a header',
  'schemas',
];

/** Wire formats that can be signed in each way, for what does not depend on the format. */
const usualVariants: Readonly<Record<Signing, readonly VariantName[]>> = {
  header: ['none', 'list'],
  root: ['none'],
  both: ['none'],
  either: ['unsigned renamed'],
  each: ['list'],
};

/** Returns combinations with every algorithm, encoding, separator and form of a header, and those with an echo. */
export function* furtherCombinations(): Iterable<Combination> {
  for (const [signing, names] of Object.entries(usualVariants) as [Signing, VariantName[]][])
    for (const variant of names) {
      const common = { signing, variant, recognizing: 'one kind', id: 'string' } as const;
      yield { ...common, amount: 'number', echoes: true };
      for (const form of formsOf(signing)) yield { ...common, amount: 'number', form };
      yield { ...common, amount: 'number or text', form: lastForm(signing), echoes: true };
    }
}

function lastForm(signing: Signing): Form {
  return [...formsOf(signing)].at(-1) ?? plainForm;
}

/** Returns whether `generate` has to accept the form of a signature: nothing contains its separators. */
function isReadable({ form = plainForm, signing, amount }: Combination): boolean {
  const isOfNumbers = amount !== 'text' && /^[-+.\deE]+$/u.test(form.separator);
  return signing === 'header' || !isOfNumbers;
}

/**
 * Returns every combination of signatures and wire formats, with every way to recognize kinds, with every value that stands
 * for a missing member, and with every way to write numbers.
 */
export function* combinations(): Iterable<Combination> {
  for (const signing of Object.keys(safeVariants) as Signing[])
    for (const variant of Object.keys(variants) as VariantName[]) {
      const common = { signing, variant } as const;
      for (const recognizing of recognitions)
        yield { ...common, recognizing, amount: 'number', id: 'string' };
      for (const absent of Object.keys(absentValues) as AbsentName[])
        yield { ...common, recognizing: 'one kind', amount: 'number', id: 'string', absent };
      for (const amount of Object.keys(amounts) as AmountName[])
        for (const id of ['string', 'integer'] as const)
          for (const numbers of signing === 'header'
            ? [undefined]
            : ([undefined, 'as-sent', 'as-double'] as const))
            if (amount !== 'number' || id !== 'string' || numbers !== undefined)
              yield { ...common, recognizing: 'one kind', amount, id, ...(numbers && { numbers }) };
    }
}
