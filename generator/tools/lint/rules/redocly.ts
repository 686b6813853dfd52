import { getTypes, lintDocument, Source } from '@redocly/openapi-core';
import { Cursor } from '../../../json/cursor.ts';
import { vocabularyDocuments } from '../../../documents/declared-vocabulary.ts';
import { redoclyRules, type RedoclyRule } from '../../../diagnostics/redocly-catalogue.ts';
import type { Documents } from '../../../documents/documents.ts';
import { rootsOf } from '../../../documents/places.ts';
import { ClosedResolver, createRedoclyConfig } from '../../../load/validate/redocly-config.ts';
import { toRedoclyTypes } from '../../../specification/redocly-types.ts';
import type { SpecVersion } from '../../../load/validate/redocly-modules.ts';
import { toSpecVersion } from '../../../load/version.ts';
import { pointerDocument, pointerMembers, toPointer } from '../../../json/pointer.ts';
import type { LintFinding, LintRule } from '../rule.ts';

/**
 * Runs the recommended rules of Redocly on all documents of a contract. Reads no files. Each finding is located in the
 * source file.
 */
export const redocly: LintRule = {
  codes: redoclyRules.map((rule) => `redocly/${rule}` as const),
  async check({ documents }) {
    const findings = await Promise.all(
      subjectsOf(documents).map(async (subject) => await lint(documents, subject)),
    );
    return findings.flat();
  },
};

/** A document, with Redocly's name and description of its specification. */
interface Subject {
  readonly at: Cursor;
  readonly specVersion: SpecVersion;
  readonly types: ReturnType<typeof getTypes>;
}

function subjectsOf(documents: Documents): readonly Subject[] {
  const declared = vocabularyDocuments(documents);
  const apis = rootsOf(documents).map((at): Subject => {
    const name = pointerDocument(at.pointer) === 'openapi' ? 'openapi' : 'asyncapi';
    const specVersion = toSpecVersion(name, documents[name]?.version ?? '');
    const types = toRedoclyTypes(getTypes(specVersion), name, declared.includes(name));
    return { at, specVersion, types };
  });
  const arazzo = Cursor.ofDocument(documents.workflows?.root ?? {}, 'workflows');
  const types = getTypes('arazzo1_1');
  return [
    ...apis,
    ...arazzo.entries().map(([, at]) => ({ at, specVersion: 'arazzo1_1', types }) as const),
  ];
}

async function lint(
  documents: Documents,
  { at: document, specVersion, types }: Subject,
): Promise<readonly LintFinding[]> {
  const { file } = documents.locate(document.pointer);
  const run = async (rules: readonly string[]): ReturnType<typeof lintDocument> =>
    await lintDocument({
      document: { source: new Source(file, ''), parsed: document.value },
      config: await createRedoclyConfig({
        rules: Object.fromEntries(rules.map((rule) => [rule, 'warn'] as const)),
      }),
      customTypes: types,
      externalRefResolver: new ClosedResolver(),
    });
  const rules = await recommendedFor(specVersion);
  const problems = await run(rules).catch(async () => {
    // A rule can fail on valid input, such as the schema `true`. Run each rule alone, so that the others still report.
    const each = await Promise.all(rules.map((rule) => run([rule]).catch(() => [])));
    return each.flat();
  });
  return problems.flatMap(({ ruleId, message, location: [location], suggest: [suggestion] }) => {
    const pointer = location?.pointer;
    // Reading the document has already reported security schemes that are referenced but not defined.
    const rule = redoclyRules.find((candidate) => candidate === ruleId);
    if (rule === undefined || pointer === undefined || message.startsWith('There is no')) return [];
    const members = pointerMembers(pointer === '#/' ? '#' : pointer);
    const place = toPointer(document.pointer, ...members);
    // Without paths, a client has no calls. Notifications go to the addresses of their receivers.
    if (rule === 'no-empty-servers' && document.entries('paths').length === 0) return [];
    // An empty `security` list states that the operation needs no authentication. Redocly accepts it in OpenAPI only.
    const at = document.child(...members, 'security');
    if (rule === 'security-defined' && Array.isArray(at.value)) return [];
    const text = suggestion === undefined ? message : `${message} Did you mean \`${suggestion}\`?`;
    return [{ code: `redocly/${rule}`, pointer: place, message: text }];
  });
}

/** Returns the rules that Redocly recommends for a version of a specification. */
async function recommendedFor(version: SpecVersion): Promise<readonly RedoclyRule[]> {
  const { rules } = await createRedoclyConfig({ extends: ['recommended'] });
  return redoclyRules.filter((rule) => (rules[version][rule] ?? 'off') !== 'off');
}
