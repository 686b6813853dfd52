import type { Server } from '../contract.ts';
import {
  child,
  entries,
  follow,
  items,
  optional,
  annotationsOf,
  text,
  texts,
  type Cursor,
} from '../../json/cursor.ts';

/** Converts OpenAPI's Server Objects; returns an empty list where there are none. */
export function lowerServers(servers: Cursor): readonly Server[] {
  return items(servers).map((at) => toServer(at, text(child(at, 'url')) ?? '/'));
}

/** Converts AsyncAPI's Server Objects, whose URL consists of `protocol`, `host` and `pathname`. */
export function lowerHosts(root: Cursor): readonly Server[] {
  return entries(child(root, 'servers')).map(([, written]) => {
    const at = follow(written);
    const protocol = text(child(at, 'protocol')) ?? 'https';
    const host = text(child(at, 'host')) ?? '';
    return toServer(at, `${protocol}://${host}${text(child(at, 'pathname')) ?? ''}`);
  });
}

type Variable = Server['variables'][number];

function toServer(at: Cursor, url: string): Server {
  const declared = entries(child(at, 'variables')).map(([name, written]) =>
    toVariable(name, follow(written)),
  );
  const named = new Set(Array.from(url.matchAll(/\{([^{}]+)\}/gu), ([, name = '']) => name));
  for (const { name } of declared) named.delete(name);
  return {
    kind: 'server',
    pointer: at.pointer,
    ...annotationsOf(at),
    url,
    ...optional('description', text(child(at, 'description'))),
    variables: [...declared, ...Array.from(named, (name) => ({ name }))],
  };
}

function toVariable(name: string, at: Cursor): Variable {
  const values = texts(child(at, 'enum'));
  return {
    name,
    ...optional('default', text(child(at, 'default'))),
    ...(values.length > 0 ? { enum: values } : {}),
    ...optional('description', text(child(at, 'description'))),
  };
}
