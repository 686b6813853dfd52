import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Problem } from './problem.ts';
import { toProblems } from './schema-errors.ts';

/** Checks a bundled OpenAPI document against the specification's own JSON Schema, by swagger-parser. */
export async function checkOpenapi(root: JsonObject): Promise<readonly Problem[]> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  // swagger-parser asks for paths or webhooks; a 3.1 document may also consist of components alone.
  const subject: JsonObject = structuredClone(
    root.components !== undefined && root.webhooks === undefined && root.paths === undefined
      ? { ...root, ...(JSON.stringify(root.openapi).startsWith('"3.1') ? { paths: {} } : {}) }
      : root,
  );
  completeLicense(subject);
  try {
    await SwaggerParser.validate(
      subject as object as Awaited<ReturnType<typeof SwaggerParser.validate>>,
      {
        resolve: { external: false, file: false, http: false },
        // The schema takes references where they stand; writing them out could double the document at every level.
        dereference: { excludedPathMatcher: () => true },
        validate: { schema: true, spec: false },
      },
    );
    return [];
  } catch (error) {
    const details = readDetails(error);
    if (details !== undefined) {
      return toProblems(details, 'invalid-openapi').filter(({ members }) => !isLegal(members));
    }
    const message = error instanceof Error ? error.message : String(error);
    return [{ code: 'invalid-openapi', message, members: [] }];
  }
}

/** The schema asks a licence for an identifier or a URL; the specification (3.1.1, 4.8.4) asks for its name alone. */
function completeLicense({ info }: JsonObject): void {
  const license = isJsonObject(info) ? info['license'] : undefined;
  if (!isJsonObject(license) || 'identifier' in license || 'url' in license) return;
  Object.assign(license, { url: 'https://example.com/' });
}

/** What swagger-parser 13 complains of although the specification allows it. */
function isLegal(members: readonly string[]): boolean {
  // Its schema forgot that a Server Variable Object has a description.
  return members.at(-1) === 'description' && members.at(-3) === 'variables';
}

function readDetails(error: unknown): readonly ErrorObject[] | undefined {
  return error instanceof Error && 'details' in error && Array.isArray(error.details)
    ? error.details
    : undefined;
}
