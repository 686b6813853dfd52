import type { DocumentName } from '../json/pointer.ts';
import { asyncapiGrammar } from './asyncapi-grammar.ts';
import type { Grammar } from './object-grammar.ts';
import { openapiGrammar } from './openapi-grammar.ts';

export const grammars: Readonly<Record<DocumentName, Grammar>> = {
  openapi: openapiGrammar,
  asyncapi: asyncapiGrammar,
};
