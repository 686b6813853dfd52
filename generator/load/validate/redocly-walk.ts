import type * as Redocly from '@redocly/openapi-core';
import { redoclyPart } from './redocly-part.ts';
import type { SpecVersion } from '../version.ts';

// The parts of Redocly that follow references, under Redocly's own names.

const [resolving, walking, visiting, typing] = await Promise.all([
  redoclyPart<Pick<typeof Redocly, 'BaseResolver' | 'Source' | 'resolveDocument'>>('resolve.js'),
  redoclyPart<Pick<typeof Redocly, 'walkDocument'>>('walk.js'),
  redoclyPart<Pick<typeof Redocly, 'normalizeVisitors'>>('visitors.js'),
  redoclyPart<Pick<typeof Redocly, 'normalizeTypes'>>('types/index.js'),
]);

export const BaseResolver: typeof Redocly.BaseResolver = resolving.BaseResolver;
export const Source: typeof Redocly.Source = resolving.Source;
export const resolveDocument: typeof Redocly.resolveDocument = resolving.resolveDocument;
export const walkDocument: typeof Redocly.walkDocument = walking.walkDocument;
export const normalizeVisitors: typeof Redocly.normalizeVisitors = visiting.normalizeVisitors;
export const normalizeTypes: typeof Redocly.normalizeTypes = typing.normalizeTypes;

type Types = ReturnType<typeof Redocly.getTypes>;

const tables: Readonly<Record<SpecVersion, () => Promise<Types>>> = {
  oas3_0: async () => (await redoclyPart<{ Oas3Types: Types }>('types/oas3.js')).Oas3Types,
  oas3_1: async () => (await redoclyPart<{ Oas3_1Types: Types }>('types/oas3_1.js')).Oas3_1Types,
  oas3_2: async () => (await redoclyPart<{ Oas3_2Types: Types }>('types/oas3_2.js')).Oas3_2Types,
  async2: async () =>
    (await redoclyPart<{ AsyncApi2Types: Types }>('types/asyncapi2.js')).AsyncApi2Types,
  async3: async () =>
    (await redoclyPart<{ AsyncApi3Types: Types }>('types/asyncapi3.js')).AsyncApi3Types,
};

/** Returns Redocly's description of a specification. */
export async function readTypes(version: SpecVersion): Promise<Types> {
  return await tables[version]();
}
