import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Items = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The parts of an OpenAPI document that depend on its operations. */
export interface OpenApiDocument {
  readonly paths?: Items;
  readonly webhooks?: Items;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly 'x-webhooks'?: unknown;
}

const require = createRequire(import.meta.url);

/** The package with each contract of GitHub. */
const packages = { REST: '@octokit/openapi', webhooks: '@octokit/openapi-webhooks' } as const;

/** Reads one of GitHub's contracts, with its first operations if a number is given. */
export function readGitHub(name: keyof typeof packages, operations: number): OpenApiDocument {
  const path = require.resolve(`${packages[name]}/generated/api.github.com.json`);
  const document = JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
  return operations === Infinity ? document : takeOperations(document, operations);
}

/**
 * Reads GitHub's REST contract with a number of operations. Above 1,000, it has as many thousands: the first thousand is
 * repeated, each time with other names and with components of its own.
 */
export function repeatGitHub(operations: number): OpenApiDocument {
  const size = 1000;
  if (operations <= size) return readGitHub('REST', operations);
  const text = JSON.stringify(readGitHub('REST', size));
  const copies = Array.from({ length: Math.round(operations / size) }, (_, index) => {
    const renamed = text
      .replaceAll(/"#\/components\/\w+\//gu, `$&c${index}-`)
      .replaceAll('"operationId":"', `$&c${index}-`);
    return JSON.parse(renamed) as OpenApiDocument;
  });
  const paths: Record<string, Items[string]> = {};
  const components: Record<string, Record<string, unknown>> = {};
  for (const [index, copy] of copies.entries()) {
    for (const [path, item] of Object.entries(copy.paths ?? {})) paths[`/c${index}${path}`] = item;
    for (const [section, members] of Object.entries(copy.components))
      for (const [name, member] of Object.entries(members))
        (components[section] ??= {})[`c${index}-${name}`] = member;
  }
  return { ...(JSON.parse(text) as OpenApiDocument), paths, components };
}

/** Returns the first operations and the first webhooks of a document, with the components that they require. */
function takeOperations(document: OpenApiDocument, count: number): OpenApiDocument {
  const { paths, webhooks, components: all, 'x-webhooks': _, ...head } = document;
  const taken = {
    ...(paths === undefined ? {} : { paths: takeItems(paths, count) }),
    ...(webhooks === undefined ? {} : { webhooks: takeItems(webhooks, count) }),
  };
  const components: Record<string, Record<string, unknown>> = {};
  const open: unknown[] = [taken];
  for (let text = JSON.stringify(open.pop()); text !== undefined; text = JSON.stringify(open.pop()))
    for (const [, section = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"/]+)"/gu)) {
      const members = (components[section] ??= {});
      if (Object.hasOwn(members, name)) continue;
      members[name] = all[section]?.[name];
      open.push(members[name]);
    }
  return { ...head, ...taken, components };
}

function takeItems(items: Items, count: number): Items {
  const operations = Object.entries(items)
    .flatMap(([path, item]) => Object.entries(item).map((entry) => [path, entry] as const))
    .slice(0, count);
  const taken: Record<string, Record<string, unknown>> = {};
  for (const [path, [method, operation]] of operations) (taken[path] ??= {})[method] = operation;
  return taken;
}
