import { hash } from 'node:crypto';
import type { JsonObject } from '../../json/json.ts';
import type { DocumentName } from '../../json/pointer.ts';
import type { UnbundledDocument } from './check-references.ts';
import { lint, type Linted } from './lint.ts';
import { addLessPrecise, type LocatedProblem } from '../../diagnostics/problem.ts';

/** The problems of recently checked documents, so that an unchanged document is not checked again. */
const problemsByDocument = new Map<string, readonly LocatedProblem[]>();
const maxKept = 16;

/**
 * Returns the problems of a bundled document according to its specification. Redocly's problems come first, because it
 * checks in the most depth. Adds problems at other places from the specification's own JSON Schema.
 */
export async function checkStructure(
  root: JsonObject,
  name: DocumentName,
  version: string,
  draft: UnbundledDocument,
): Promise<readonly LocatedProblem[]> {
  const { specVersion, entry } = draft;
  const what = JSON.stringify([name, version, specVersion, entry.path, root]);
  const key = hash('sha256', what);
  const cachedProblems = problemsByDocument.get(key);
  if (cachedProblems !== undefined) return cachedProblems;
  const problems = await check(root, name, version, draft);
  for (const oldest of problemsByDocument.keys())
    if (problemsByDocument.size >= maxKept) problemsByDocument.delete(oldest);
  problemsByDocument.set(key, problems);
  return problems;
}

async function check(
  root: JsonObject,
  name: DocumentName,
  version: string,
  draft: UnbundledDocument,
): Promise<readonly LocatedProblem[]> {
  const code: LocatedProblem['code'] = name === 'openapi' ? 'invalid-openapi' : 'invalid-asyncapi';
  let isInSchema: Linted['isInSchema'] = () => false;
  const precise = await attempt(code, async () => {
    const linted = await lint(root, name, draft);
    isInSchema = linted.isInSchema;
    return linted.problems;
  });
  const otherProblems = await attempt(code, async () => {
    if (name === 'openapi') {
      // swagger-parser does not know 3.2 yet.
      if (draft.specVersion === 'oas3_2') return [];
      const { checkOpenapi } = await import('./check-openapi.ts');
      return checkOpenapi(root);
    }
    const { checkAsyncapi } = await import('./check-asyncapi.ts');
    return checkAsyncapi(root, version);
  });
  const problems = addLessPrecise(
    precise,
    otherProblems.map((problem) =>
      isInSchema(problem.members) ? { ...problem, code: 'invalid-schema' } : problem,
    ),
  );
  return problems.map((problem, index) => {
    const explained = withKeywordHelp(withStatusHelp(problem));
    return name === 'asyncapi' || index < precise.length ? explained : withName(explained);
  });
}

/** Adds the name of swagger-parser to a problem that no other tool reports. */
function withName(problem: LocatedProblem): LocatedProblem {
  return { ...problem, message: problem.message.replace(/\.?$/u, ' (swagger-parser).') };
}

/** Adds help to a problem about a key of `responses` that is not a status code. */
function withStatusHelp(problem: LocatedProblem): LocatedProblem {
  const [status = '', responses] = problem.members.toReversed();
  if (responses !== 'responses' || !problem.message.endsWith('is not expected here.')) {
    return problem;
  }
  const help = /^[1-5]xx$/iu.test(status)
    ? `Write \`${status.toUpperCase()}\`: a range of status codes has capital letters.`
    : 'Write a status code from 100 to 599, a range such as `2XX`, or `default`.';
  return { ...problem, help };
}

/** Adds help to a problem about `$recursiveRef`, which JSON Schema 2020-12 does not have. */
function withKeywordHelp(problem: LocatedProblem): LocatedProblem {
  if (!problem.message.startsWith('Property `$recursiveRef` is not expected')) return problem;
  const help =
    'Write a `$ref` to the schema, here or with an overlay: JSON Schema 2020-12 has no `$recursiveRef`.';
  return { ...problem, help };
}

/** Runs a check, and returns a problem where the tool throws. */
async function attempt(
  code: LocatedProblem['code'],
  check: () => Promise<readonly LocatedProblem[]>,
): Promise<readonly LocatedProblem[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof RangeError) {
      const message = 'The references of the document are nested too deeply to validate.';
      return [{ code: 'contract-too-large', message, members: [] }];
    }
    const reason = error instanceof Error ? error.message : String(error);
    return [{ code, message: `The document cannot be checked: ${reason}.`, members: [] }];
  }
}
