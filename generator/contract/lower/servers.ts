import type { Server } from '../contract.ts';
import type { Cursor } from '../../json/cursor.ts';
import { optional, type Json } from '../../json/json.ts';
import { templateNames } from '../path-template.ts';

/** Converts OpenAPI's Server Objects; returns an empty list where there are none. */
export function lowerServers(servers: Cursor): readonly Server[] {
  return servers.items().map((at) => toServer(at, at.text('url') ?? '/'));
}

/** Converts AsyncAPI's Server Objects, whose URL consists of `protocol`, `host` and `pathname`. */
export function lowerHosts(root: Cursor): readonly Server[] {
  return root.entries('servers').map(([, server]) => {
    const at = server.follow();
    const protocol = at.text('protocol') ?? 'https';
    const host = at.text('host') ?? '';
    return toServer(at, `${protocol}://${host}${at.text('pathname') ?? ''}`);
  });
}

type Variable = Server['variables'][number];

function toServer(at: Cursor, url: string): Server {
  const declared = at
    .entries('variables')
    .map(([name, variable]) => toVariable(name, variable.follow()));
  const named = new Set(templateNames(url).filter((name) => name !== ''));
  for (const { name } of declared) named.delete(name);
  return {
    kind: 'server',
    pointer: at.pointer,
    ...at.annotations(),
    ...optional('name', at.text('name')),
    url,
    ...optional('description', at.text('description')),
    variables: [...declared, ...Array.from(named, (name) => ({ name }))],
  };
}

function toVariable(name: string, at: Cursor): Variable {
  const values = at.items('enum').flatMap(({ value }) => toText(value) ?? []);
  return {
    name,
    ...optional('default', toText(at.valueIn('default'))),
    ...(values.length > 0 ? { enum: values } : {}),
    ...optional('description', at.text('description')),
  };
}

/** Returns a value as it is written in a URL; many documents have numbers, although values have to be texts. */
function toText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
