import type * as Redocly from '@redocly/openapi-core';
import { importWalk } from './redocly-modules.ts';

// The functions of Redocly that follow references. Importing this file loads them.

const modules = await importWalk();

export const BaseResolver: typeof Redocly.BaseResolver = modules.BaseResolver;
export const Source: typeof Redocly.Source = modules.Source;
export const resolveDocument: typeof Redocly.resolveDocument = modules.resolveDocument;
export const walkDocument: typeof Redocly.walkDocument = modules.walkDocument;
export const normalizeVisitors: typeof Redocly.normalizeVisitors = modules.normalizeVisitors;
export const normalizeTypes: typeof Redocly.normalizeTypes = modules.normalizeTypes;
