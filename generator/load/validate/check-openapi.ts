import { Cursor } from '../../json/cursor.ts';
import { descend, referenceOf } from '../../json/descend.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { pointerMembers, toPointer } from '../../json/pointer.ts';
import type { ObjectKind } from '../../specification/object-grammar.ts';
import { walk } from '../../specification/walk.ts';
import type { SchemaError } from '../../validators/schema-error.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';
import { toProblems } from './schema-errors.ts';

/** Validates a bundled OpenAPI document against the specification's own JSON Schema, with swagger-parser. */
export async function checkOpenapi(root: JsonObject): Promise<readonly LocatedProblem[]> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  // swagger-parser requires paths or webhooks; a 3.1 document may also consist of components alone.
  const subject: JsonObject = structuredClone(
    root.components !== undefined && root.webhooks === undefined && root.paths === undefined
      ? { ...root, ...(JSON.stringify(root.openapi).startsWith('"3.1') ? { paths: {} } : {}) }
      : root,
  );
  normalizeSchemes(subject);
  const incomplete = [...completeLicense(subject), ...completePathParameters(subject)];
  try {
    await SwaggerParser.validate(
      subject as object as Awaited<ReturnType<typeof SwaggerParser.validate>>,
      {
        resolve: { external: false, file: false, http: false },
        // The schema accepts references; expanding them could double the document at every level.
        dereference: { excludedPathMatcher: () => true },
        validate: { schema: true, spec: false },
      },
    );
    return incomplete;
  } catch (error) {
    const details = readDetails(error);
    if (details !== undefined) {
      const problems = toProblems(details, 'invalid-openapi', { root, name: 'openapi' });
      const isLegal = legalPlaces(subject);
      return [...incomplete, ...problems.filter(({ members }) => !isLegal(members))];
    }
    const message = error instanceof Error ? error.message : String(error);
    return [...incomplete, { code: 'invalid-openapi', message, members: [] }];
  }
}

/**
 * Reports each path parameter without `required: true`, and then adds that member. The schema would only report that
 * the parameter has to be in the query.
 */
function completePathParameters(root: JsonObject): readonly LocatedProblem[] {
  const message = 'A parameter in the path has to be `required: true`.';
  return [...walk(Cursor.ofDocument(root, 'openapi'), 'document')].flatMap(
    ({ kind, pointer, value }) => {
      if (kind !== 'parameter' || value['in'] !== 'path' || value['required'] === true) return [];
      Object.assign(value, { required: true });
      return { code: 'invalid-openapi', message, members: pointerMembers(pointer) };
    },
  );
}

/**
 * Gives a license exactly one of identifier and URL, which the schema requires. Reports a license with both. The
 * specification (3.1.1, 4.8.4) allows one with neither.
 */
function completeLicense({ info }: JsonObject): readonly LocatedProblem[] {
  const license = isJsonObject(info) ? info['license'] : undefined;
  if (!isJsonObject(license)) return [];
  const hasUrl = 'url' in license;
  if (hasUrl !== 'identifier' in license) return [];
  Object.assign(license, { url: hasUrl ? undefined : 'https://example.com/' });
  if (!hasUrl) return [];
  const message = 'A license has either `identifier` or `url`, not both.';
  return [{ code: 'invalid-openapi', message, members: ['info', 'license', 'url'] }];
}

/**
 * Writes the scheme `Bearer` as `bearer`, which the schema requires beside `bearerFormat`. Names of HTTP authentication
 * schemes are case-insensitive.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.1
 */
function normalizeSchemes(root: JsonObject): void {
  for (const { kind, value } of walk(Cursor.ofDocument(root, 'openapi'), 'document')) {
    const { scheme } = value;
    if (kind === 'security-scheme' && typeof scheme === 'string' && /^bearer$/iu.test(scheme))
      Object.assign(value, { scheme: 'bearer' });
  }
}

/** Returns a function that returns whether swagger-parser 13 reports a place that the specification allows. */
function legalPlaces(root: JsonObject): (members: readonly string[]) => boolean {
  const places = [...walk(Cursor.ofDocument(root, 'openapi'), 'document')];
  const kinds = new Map<string, ObjectKind>(places.map(({ pointer, kind }) => [pointer, kind]));
  const kindOf = (members: readonly string[]): ObjectKind | undefined =>
    kinds.get(toPointer('openapi#', ...members));
  return (members) => {
    const [member = '', parent] = members.toReversed();
    const holder = kindOf(members.slice(0, -1));
    const outer = kindOf(members.slice(0, -2));
    return (
      (holder === 'server-variable' && member === 'description') ||
      // Its schema for 3.1 names the server of a link `body`, and does not allow references of path items.
      (holder === 'link' && member === 'server') ||
      (holder === 'path-item' && member === '$ref') ||
      // Parameters of a link are any constants or expressions. Its schema for 3.1 requires texts.
      (outer === 'link' && parent === 'parameters') ||
      // Its schema for 3.0 allows neither extensions of an encoding nor references as its headers.
      (holder === 'encoding' && member.startsWith('x-')) ||
      (outer === 'encoding' &&
        parent === 'headers' &&
        referenceOf(descend(root, members).value) !== undefined) ||
      // It treats an extension of a Callback Object as a Path Item Object.
      members.some(
        (name, index) => name.startsWith('x-') && kindOf(members.slice(0, index)) === 'callback',
      )
    );
  };
}

function readDetails(error: unknown): readonly SchemaError[] | undefined {
  return error instanceof Error && 'details' in error && Array.isArray(error.details)
    ? error.details
    : undefined;
}
