import type { Contract } from '../../contract/contract.ts';
import { Cursor } from '../../json/cursor.ts';
import { removeInvalid } from '../../specification/remove-invalid.ts';
import { walk } from '../../specification/walk.ts';
import { escapeMember, type Pointer } from '../../json/pointer.ts';
import { objectsIn } from '../../json/descend.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { AnsweringThread } from '../../execution/thread.ts';
import { TimeLimitError } from '../../execution/time-limit.ts';
import { MissingPackageError } from '../missing-package-error.ts';
import { TargetError } from '../target-error.ts';
import { Code } from '../code.ts';
import { findFailingPart } from './find-failing-part.ts';
import { findPrinterPackages } from './printer-packages.ts';
import { escapeText } from '../jsdoc.ts';
import { withSenders } from './with-senders.ts';

/**
 * Prints the types of the bundled OpenAPI document with `openapi-typescript`. Without an OpenAPI document, `paths` is
 * empty. If the library cannot print the document, it prints it without its invalid members.
 * @param maxMs the maximum duration in milliseconds, by default twenty times what GitHub's document takes
 * @throws MissingPackageError if the library is not installed
 * @throws TargetError for a document that the library cannot print, and for output that is more than type declarations,
 * with the part of the document for which the library fails; for a document that takes too long
 */
export async function printOpenapiTypes(contract: Contract, maxMs: number = 60_000): Promise<Code> {
  const packages = findPrinterPackages();
  if (packages instanceof MissingPackageError) throw packages;
  const document = withSenders(contract) ?? emptyDocument;
  const mark = unusedMark(JSON.stringify(document));
  const end = performance.now() + maxMs;
  const print = async (copy: JsonObject): Promise<Code> => {
    const request = { document: JSON.stringify(toTypedDocument(copy, mark)), mark };
    return new Code(await startPrintThread().ask(request, Math.max(end - performance.now(), 0)));
  };
  const printValid = async (copy: JsonObject): Promise<Code> => {
    removeInvalid(copy);
    return await print(copy);
  };
  try {
    return await print(structuredClone(document)).catch(async (error: unknown) => {
      if (error instanceof TimeLimitError) throw error;
      return await printValid(structuredClone(document));
    });
  } catch (cause) {
    const isLate = cause instanceof TimeLimitError;
    const why = isLate ? `it takes longer than ${maxMs / 1000} s` : messageOf(cause);
    const message = `openapi-typescript cannot print the OpenAPI document (${why}).`;
    const isFailing = async (copy: JsonObject): Promise<boolean> =>
      await printValid(copy).then(
        () => false,
        (error: unknown) => {
          if (error instanceof TimeLimitError) throw error;
          return true;
        },
      );
    const part = isLate
      ? undefined
      : await findFailingPart(document, isFailing).catch(() => undefined);
    const pointer = pointerIn(why, document) ?? part ?? 'openapi#';
    throw contract.documents.openapi === undefined
      ? new TypeError(message, { cause })
      : new TargetError(message, pointer, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the place that a message of the library ends or begins with, if the document has it. */
function pointerIn(message: string, document: JsonObject): Pointer | undefined {
  const reference = /(?: at |^)(#\/.*?)(?:$|: )/u.exec(message)?.[1];
  if (reference === undefined) return undefined;
  const place = Cursor.ofDocument(document, 'openapi').lookUp(reference);
  return place.value === undefined ? undefined : place.pointer;
}

const emptyDocument: JsonObject = {
  openapi: '3.1.1',
  info: { title: '', version: '' },
  paths: {},
};

/** A document as JSON. Names that would mislead the library end with the mark, which is removed from the output. */
export interface PrintRequest {
  readonly document: string;
  readonly mark: string;
}

let thread: AnsweringThread<PrintRequest, string> | undefined;

/**
 * Starts the thread that prints types, unless it is running. It loads the library and TypeScript, which takes half a
 * second, and remains for later documents.
 */
export function startPrintThread(): AnsweringThread<PrintRequest, string> {
  if (thread === undefined || thread.hasEnded) {
    thread = new AnsweringThread(new URL('./print-thread.ts', import.meta.url));
  }
  return thread;
}

/**
 * Changes a document in place, and returns it without the parts that have no type and on which the library could fail
 * or make a request: `externalValue` of examples, extensions beside statuses and paths, and an `operationId` that another
 * operation already has. References lead to components. Members named `$ref` that are not references have a mark, because the library would follow them.
 */
function toTypedDocument(copy: Record<string, Json | undefined>, mark: string): JsonObject {
  const root = Cursor.ofDocument(copy, 'openapi');
  const places = [...walk(root, 'document')];
  const referring = new Set<JsonObject>(places.map(({ value }) => value));
  for (const object of objectsIn(copy)) {
    if (!Object.hasOwn(object, '$ref')) continue;
    if (referring.has(object) && typeof object['$ref'] === 'string') continue;
    const data = object as Record<string, Json | undefined>;
    data[`$ref${mark}`] = data['$ref'];
    delete data['$ref'];
  }
  const ids = new Set<Json>();
  for (const { kind, value } of places) {
    const object = value as Record<string, Json | undefined>;
    if (kind === 'example') delete object['externalValue'];
    // The library takes extensions for statuses and paths here.
    if (kind === 'responses' || kind === 'paths')
      for (const name of Object.keys(object)) if (name.startsWith('x-')) delete object[name];
    for (const member of commented) {
      const text = object[member];
      if (text !== undefined) object[member] = escapeTexts(text);
    }
    if (kind === 'discriminator') object['mapping'] = toMappedReferences(object['mapping'], root);
    const parts = kind === 'schema' ? object['allOf'] : undefined;
    // The library fails for boolean schemas here.
    if (Array.isArray(parts)) object['allOf'] = (parts as readonly Json[]).map(toSchemaObject);
    const id = kind === 'operation' ? object['operationId'] : undefined;
    if (id === undefined) continue;
    if (ids.has(id)) delete object['operationId'];
    ids.add(id);
  }
  const schemas: Record<string, Json | undefined> = {
    ...childObject(childObject(copy, 'components'), 'schemas'),
  };
  const names = new Map<string, string>();
  for (const place of places) {
    const reference = place.kind === 'schema' ? place.localReference : undefined;
    if (reference === undefined || /^#\/components\/[^/]+\/[^/]+$/u.test(reference)) continue;
    const target = root.lookUp(reference).value;
    if (target === undefined) continue;
    const name = names.get(reference) ?? freeName(schemas);
    names.set(reference, name);
    schemas[name] = target;
    (place.value as Record<string, Json | undefined>)['$ref'] = `#/components/schemas/${name}`;
  }
  for (const { kind, value } of places) {
    const mapping = kind === 'discriminator' ? value['mapping'] : undefined;
    for (const [key, to] of Object.entries(isJsonObject(mapping) ? mapping : {})) {
      const name = typeof to === 'string' ? names.get(to) : undefined;
      if (name !== undefined)
        (mapping as Record<string, Json>)[key] = `#/components/schemas/${name}`;
    }
  }
  if (names.size > 0) copy['components'] = { ...childObject(copy, 'components'), schemas };
  return copy;
}

/**
 * Returns a discriminator's mapping with references only, as the library requires: the name of a schema becomes the
 * reference to it. Values without a schema are left out, because no type can follow from them.
 */
function toMappedReferences(mapping: Json | undefined, root: Cursor): JsonObject {
  const entries = Object.entries(isJsonObject(mapping) ? mapping : {});
  return Object.fromEntries(
    entries.flatMap(([value, to]) => {
      if (typeof to !== 'string') return [];
      const isName = root.valueIn('components', 'schemas', to) !== undefined;
      const reference = isName ? `#/components/schemas/${escapeMember(to)}` : to;
      const leads = reference.startsWith('#') && root.lookUp(reference).value !== undefined;
      return leads ? [[value, reference]] : [];
    }),
  );
}

/** Returns the object that means the same as a boolean schema, and any other value as it is. */
function toSchemaObject(schema: Json): Json {
  if (schema === true) return {};
  return schema === false ? { not: {} } : schema;
}

/** Returns the end of a name that the document does not contain. */
function unusedMark(document: string): string {
  let count = 1;
  while (document.includes(`Marked${count}`)) count += 1;
  return `Marked${count}`;
}

/** The members of a document that the library writes into comments, and nowhere else. */
const commented = ['title', 'summary', 'description', 'format', 'default', 'example'];

/** Escapes every text of a value, so that none begins a tag of JSDoc. */
function escapeTexts(value: Json): Json {
  if (typeof value === 'string') return escapeText(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(escapeTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [escapeText(name), escapeTexts(member ?? null)]),
  );
}

function childObject(object: JsonObject, member: string): JsonObject {
  const value = object[member];
  return isJsonObject(value) ? value : {};
}

/** Returns a name for an inline schema, such as `Inline1`. */
function freeName(schemas: JsonObject): string {
  let count = 1;
  while (Object.hasOwn(schemas, `Inline${count}`)) count += 1;
  return `Inline${count}`;
}
