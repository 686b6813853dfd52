import { ownVocabulary } from '../rules/vocabulary-check.ts';
import { overlaySchema } from '../load/overlays/overlay.ts';
import { asyncapiSchemas } from '../load/validate/check-asyncapi.ts';
import { printOwnSchema } from '../validators/ajv.ts';
import { preparedFile } from '../validators/own-schemas.ts';
import { precompileTemplate } from './compile-template.ts';
import { preparedKey } from './prepared.ts';

/** Returns the module in which `findPreparedTemplates` finds compiled templates. */
export function prepareTemplates(texts: Iterable<string>): string {
  const members = new Map(
    Array.from(texts, (text) => [preparedKey(text), precompileTemplate(text)]),
  );
  const lines = Array.from(members, ([key, code]) => `  "${key}": ${code},\n`).toSorted();
  return `export default {\n${lines.join('')}};\n`;
}

/** Returns the modules with the compiled schemas of the toolkit, by file name. */
export function prepareSchemas(): ReadonlyMap<string, string> {
  const all = [ownVocabulary, overlaySchema, ...asyncapiSchemas];
  return new Map(all.map((schema) => [preparedFile(schema.name), printOwnSchema(schema)]));
}
