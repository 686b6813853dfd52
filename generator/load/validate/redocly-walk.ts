import type * as Redocly from '@redocly/openapi-core';
import { decodeReference } from '../../json/pointer.ts';
import { importWalk, type SpecVersion } from './redocly-modules.ts';

// The functions of Redocly that follow references. Importing this file loads them.

const modules = await importWalk();

export const BaseResolver: typeof Redocly.BaseResolver = modules.BaseResolver;
export const Source: typeof Redocly.Source = modules.Source;
const { resolveDocument, walkDocument, normalizeVisitors, normalizeTypes } = modules;

type UserContext = Parameters<NonNullable<Extract<Redocly.Oas3Visitor['ref'], Function>>>[1];

type WalkContext = Parameters<typeof Redocly.walkDocument>[0]['ctx'];

/** A document whose references are resolved. */
export interface ResolvedDocument {
  readonly resolvedRefMap: Redocly.ResolvedRefMap;
  /** Visits the document, and returns the problems that the visitors report. */
  readonly walk: (visitors: readonly Redocly.Oas3Visitor[]) => WalkContext['problems'];
}

/**
 * Resolves all references of a document.
 * @param types describes the specification of the document, like Redocly's `getTypes`
 */
export async function resolveReferences(
  document: Redocly.Document,
  specVersion: SpecVersion,
  types: Record<string, Redocly.NodeType>,
  externalRefResolver: Redocly.BaseResolver,
): Promise<ResolvedDocument> {
  const normalizedTypes = withExtensionsAsData(normalizeTypes(types));
  const { Root: rootType } = normalizedTypes;
  if (rootType === undefined) throw new TypeError('Redocly describes no whole document.');
  const options = { rootDocument: document, rootType, externalRefResolver };
  const resolvedRefMap = await resolveDocument(options);
  for (const [id, resolved] of resolvedRefMap) {
    // No document has a member `__proto__`: `load` refuses it.
    if (isInherited(resolved.node) || decodeReference(id).includes('/__proto__'))
      resolvedRefMap.set(id, { ...resolved, node: undefined });
  }
  return {
    resolvedRefMap,
    walk(visitors) {
      const ctx: WalkContext = { problems: [], specVersion, refTypes: new Map(), visitorsData: {} };
      const rules = visitors.map((visitor) => ({
        ruleId: 'contract',
        severity: 'error' as const,
        visitor,
      }));
      const normalizedVisitors = normalizeVisitors(rules, normalizedTypes);
      walkDocument({ document, rootType, normalizedVisitors, resolvedRefMap, ctx });
      return ctx.problems;
    },
  };
}

/** Returns whether a reference that a visitor meets is in an `x-` extension, which is data. */
export function isInExtension({ type, location }: Pick<UserContext, 'type' | 'location'>): boolean {
  return (
    type.name === 'SpecExtension' || (type.name === 'scalar' && location.pointer.includes('/x-'))
  );
}

/**
 * Describes every extension that the types do not know as data, so that no reference in it is followed. Redocly follows
 * them, and reads the files that they name.
 */
function withExtensionsAsData(types: Record<string, Redocly.NormalizedNodeType>): typeof types {
  for (const type of Object.values(types)) {
    const prefix = type.extensionsPrefix;
    if (prefix === undefined) continue;
    type.properties = new Proxy(type.properties, {
      getOwnPropertyDescriptor: (properties, key) =>
        Reflect.getOwnPropertyDescriptor(properties, key) ??
        (typeof key === 'string' && key.startsWith(prefix)
          ? { value: data, configurable: true, enumerable: true, writable: true }
          : undefined),
      get: (properties, key) =>
        Object.hasOwn(properties, key) || typeof key !== 'string' || !key.startsWith(prefix)
          ? (Reflect.get(properties, key) as unknown)
          : data,
    });
  }
  return types;
}

const data = { resolvable: false } as const;

/**
 * Returns whether a value is not part of a document but what every object inherits: Redocly looks the members of a
 * reference up in plain objects, where `constructor` has a value.
 */
function isInherited(value: unknown): boolean {
  return typeof value === 'function' || value === Object.prototype;
}
