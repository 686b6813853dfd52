import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { toPointer, type DocumentName } from '../json/pointer.ts';
import { usesVocabulary } from '../documents/declared-vocabulary.ts';
import type { Source } from './sources.ts';
import type { SpecVersion } from './validate/redocly-modules.ts';

/** An entry file with a supported version of its specification. */
export interface VersionedDocument {
  readonly version: string;
  readonly root: JsonObject;
  /** A version without its last number, from which `version` was concluded. */
  readonly recovered?: Diagnostic;
}

const names: Readonly<Record<DocumentName, string>> = { openapi: 'OpenAPI', asyncapi: 'AsyncAPI' };

const supported: Readonly<Record<DocumentName, RegExp>> = {
  openapi: /^3\.(?:0\.[0-4]|1\.[0-2]|2\.\d+)$/u,
  asyncapi: /^(?:2\.[0-6]\.0|3\.[01]\.\d+)$/u,
};

/** Returns Redocly's name for the specification of a document. */
export function toSpecVersion(document: DocumentName, version: string): SpecVersion {
  if (document === 'asyncapi') return version.startsWith('2.') ? 'async2' : 'async3';
  if (version.startsWith('3.0')) return 'oas3_0';
  return version.startsWith('3.1') ? 'oas3_1' : 'oas3_2';
}

/** The last number that a version without it is read with. */
const lastNumbers: ReadonlyMap<string, string> = new Map([
  ['openapi 3.0', '4'],
  ['openapi 3.1', '2'],
]);

/**
 * Accepts OpenAPI 3.0.0–3.0.4, 3.1.0–3.1.2 and 3.2, and AsyncAPI 2.0 to 2.6, 3.0 and 3.1. A version without its last
 * number is completed. For any other file, returns a diagnostic that says how to continue.
 */
export function checkVersion(
  source: Source,
  document: DocumentName,
): VersionedDocument | Diagnostic {
  const root: Json = source.value ?? {};
  if (!isJsonObject(root)) {
    const kind = Array.isArray(root) ? 'list' : 'single value';
    const message = `\`${source.file}\` is a ${kind}, not an ${names[document]} document.`;
    return createDiagnostic('unknown-version', message, source.locate([]));
  }
  const version = Object.hasOwn(root, document) ? root[document] : undefined;
  if (typeof version === 'string' && supported[document].test(version)) return { version, root };

  if (version !== undefined) {
    const at = source.locate([document]);
    // YAML reads `3.0` as the number 3.
    const short = Number.isInteger(version) ? `${shownVersion(version)}.0` : shownVersion(version);
    const full = `${short}.${lastNumbers.get(`${document} ${short}`) ?? '0'}`;
    const isIncomplete = supported[document].test(full);
    const recoveredHelp = `Write the version in full and in quotes, such as \`${document}: "${full}"\`.`;
    if (isIncomplete && !usesVocabulary(root)) {
      const message = `The version \`${document}: ${short}\` has no third number.`;
      const pointer = toPointer(`${document}#`, document);
      const details = { pointer, help: recoveredHelp, until: `it is read as ${full}` };
      const recovered = createDiagnostic('unsupported-version', message, at, details);
      return { version: full, root: { ...root, [document]: full }, recovered };
    }
    const message = `\`${document}: ${JSON.stringify(version)}\` is not a supported version.`;
    const help = isIncomplete ? recoveredHelp : adviceFor(document, shownVersion(version));
    return createDiagnostic('unsupported-version', message, at, { help });
  }
  if (document === 'openapi' && root.swagger !== undefined) {
    const message = `The document is written in Swagger ${shownVersion(root.swagger)}.`;
    const help =
      'Convert it to OpenAPI 3, for example with `npx swagger2openapi swagger.yaml --yaml --outfile openapi.yaml`, and name the result instead.';
    return createDiagnostic('unsupported-version', message, source.locate(['swagger']), { help });
  }
  const other: DocumentName = document === 'openapi' ? 'asyncapi' : 'openapi';
  if (root[other] !== undefined) {
    const message = `The document is written in ${names[other]}, not in ${names[document]}.`;
    const help = `Name it as \`contract.${other}\` in the configuration.`;
    return createDiagnostic('unknown-version', message, source.locate([other]), { help });
  }
  const message = `The document has no member \`${document}\` with its version of ${names[document]}.`;
  return createDiagnostic('unknown-version', message, source.locate([]));
}

function adviceFor(document: DocumentName, version: string): string {
  if (document === 'asyncapi' && /^(?:1\.|2\.0\.0-)/u.test(version)) {
    return 'Convert it to AsyncAPI 3, for example with `npx @asyncapi/cli convert`, and name the result instead.';
  }
  return document === 'openapi'
    ? 'OpenAPI 3.0.0 to 3.0.4, 3.1.0 to 3.1.2 and 3.2 are supported.'
    : 'AsyncAPI 2.0 to 2.6, 3.0 and 3.1 are supported. Write all three numbers of the version.';
}

function shownVersion(version: unknown): string {
  return typeof version === 'string' ? version : JSON.stringify(version);
}
