import type { Json } from 'countersign/kit';
import type { ServedParameter } from '../service.ts';
import type { CheckedCall } from '../simulator.ts';
import {
  compileIndex,
  fromItems,
  fromPairs,
  fromPathText,
  type NamedStyle,
  type Pairs,
} from './decode-style.ts';
import { decodeFormText, decodePercent, splitPairs } from './decode-text.ts';
import type { ReceivedCall } from './received-call.ts';
import type { PathParameter } from './router.ts';

/** The decoded parameters of a call. Names of headers are in lower case. */
export type Parameters = CheckedCall['parameters'];

type Decode = (call: ReceivedCall, path: readonly PathParameter[]) => Parameters;

/** Compiles the decoding of an operation's parameters. Absent ones are left out. */
export function compileParameters(declared: readonly ServedParameter[]): Decode {
  const of = (place: ServedParameter['in']): readonly ServedParameter[] =>
    declared.filter((parameter) => parameter.in === place);
  const paths = of('path');
  const headers = of('header').map((parameter) => ({
    ...parameter,
    name: parameter.name.toLowerCase(),
  }));
  const queries = compilePairs(of('query'), decodeFormText);
  const cookies = compilePairs(of('cookie'), decodePercent);
  return (call, path) => ({
    path: collect(paths, (parameter) => {
      const text = path.find(([name]) => name === parameter.name)?.[1];
      if (text === undefined) return undefined;
      if (parameter.mediaType !== undefined) return fromMediaType(decodePercent(text));
      return fromPathText(text, parameter, decodePercent) ?? decodePercent(text);
    }),
    query: call.query === '' ? {} : queries(splitPairs(call.query)),
    header: collect(headers, (parameter) => {
      const values = call.headers(parameter.name);
      if (values.length === 0) return undefined;
      const text = values.join(',');
      if (parameter.mediaType !== undefined) return fromMediaType(text);
      // A scalar can contain commas.
      const items = text.split(',').map((item) => item.trim());
      return fromItems(
        isList(parameter) ? items : [text],
        parameter.explode,
        parameter.shape,
        asIs,
      );
    }),
    cookie: cookies === noPairs ? {} : cookies(splitCookies(call.headers('cookie').join('; '))),
  });
}

const asIs = (text: string): string => text;

function isList({ shape }: ServedParameter): boolean {
  return shape.types.includes('array') || shape.types.includes('object');
}

function fromMediaType(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Values = Readonly<Record<string, Json>>;

const noPairs = (): Values => ({});

/** Compiles the decoding of values that are written with their names. */
export function compilePairs(
  declared: readonly (NamedStyle & { readonly mediaType?: string })[],
  decode: (text: string) => string,
): (pairs: Pairs) => Values {
  if (declared.length === 0) return noPairs;
  const index = compileIndex(declared);
  return (pairs) => {
    const indexed = index(pairs);
    return collect(declared, (named) => {
      // The style `cookie` does not escape values.
      const decodeValue = named.style === 'cookie' ? asIs : decode;
      if (named.mediaType === undefined) return fromPairs(indexed, named, decodeValue);
      const [text] = indexed.texts.get(named.name) ?? [];
      return text === undefined ? undefined : fromMediaType(decode(text));
    });
  };
}

function collect<P extends { readonly name: string }>(
  parameters: readonly P[],
  decode: (parameter: P) => Json | undefined,
): Values {
  const values: Record<string, Json> = {};
  for (const parameter of parameters) {
    const value = decode(parameter);
    if (value !== undefined) values[parameter.name] = value;
  }
  return values;
}

function splitCookies(text: string): Pairs {
  return text.split(';').flatMap((pair) => {
    const end = pair.indexOf('=');
    return end === -1 ? [] : [[pair.slice(0, end).trim(), pair.slice(end + 1).trim()] as const];
  });
}
