import { ownVocabulary } from '../rules/vocabulary-check.ts';
import { overlaySchema } from '../load/overlays/overlay.ts';
import { asyncapiSchemas } from '../load/validate/check-asyncapi.ts';
import { printOwnSchema } from '../validators/ajv.ts';
import { preparedFile } from '../validators/own-schemas.ts';
import { precompileTemplate } from './compile-template.ts';
import { preparedKey } from './prepared.ts';
import { bundleScripts } from './reference/bundle-scripts.ts';
import { scriptText } from './reference/page-script.ts';

/** Returns the module in which `findPrepared` finds precompiled templates. */
export function prepareTemplates(texts: Iterable<string>): string {
  return toModule(Array.from(texts, (text) => [text, precompileTemplate(text)]));
}

/** Returns the module in which `findPrepared` finds the bundled scripts of the reference page. */
export async function prepareScripts(): Promise<string> {
  return toModule([[scriptText(), JSON.stringify(await bundleScripts())]]);
}

/** Returns the modules with the compiled schemas of the toolkit, by file name. */
export function prepareSchemas(): ReadonlyMap<string, string> {
  const all = [ownVocabulary, overlaySchema, ...asyncapiSchemas];
  return new Map(all.map((schema) => [preparedFile(schema.name), printOwnSchema(schema)]));
}

function toModule(entries: readonly (readonly [text: string, code: string])[]): string {
  const members = new Map(entries.map(([text, code]) => [preparedKey(text), code]));
  const lines = Array.from(members, ([key, code]) => `  "${key}": ${code},\n`).toSorted();
  return `export default {\n${lines.join('')}};\n`;
}
