import { getTypes, lintDocument, Source } from '@redocly/openapi-core';
import { child, toCursor } from '../../../json/cursor.ts';
import { vocabularyDocuments } from '../../../load/declared-vocabulary.ts';
import { redoclyRules, type RedoclyRule } from '../../../diagnostics/redocly-catalogue.ts';
import type { Documents } from '../../../load/documents.ts';
import { ClosedResolver, createRedoclyConfig } from '../../../load/validate/redocly-config.ts';
import { toRedoclyTypes } from '../../../specification/redocly-types.ts';
import type { SpecVersion } from '../../../load/spec-version.ts';
import { toSpecVersion } from '../../../load/version.ts';
import { pointerMembers, toPointer, type DocumentName } from '../../../json/pointer.ts';
import type { LintRule, LintFinding } from '../rule.ts';

/**
 * Runs the recommended rules of Redocly on both bundled documents. Reads no files. Each finding is located in the
 * source file.
 */
export const redocly: LintRule = {
  name: 'redocly',
  codes: redoclyRules.map((rule) => `redocly/${rule}` as const),
  async check({ documents }) {
    return [...(await lint('openapi', documents)), ...(await lint('asyncapi', documents))];
  },
};

async function lint(name: DocumentName, documents: Documents): Promise<readonly LintFinding[]> {
  const document = documents[name];
  if (document === undefined) return [];
  const specVersion = toSpecVersion(name, document.version);
  const ours = vocabularyDocuments(documents).includes(name);
  const types = toRedoclyTypes(getTypes(specVersion), name, ours);
  const run = async (rules: readonly string[]): ReturnType<typeof lintDocument> =>
    await lintDocument({
      document: { source: new Source(document.file, ''), parsed: document.root },
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
    if (!isRule(ruleId) || pointer === undefined || message.startsWith('There is no')) return [];
    const members = pointerMembers(pointer === '#/' ? '#' : pointer);
    const place = toPointer(`${name}#`, ...members);
    // An empty `security` list states that the operation needs no authentication. Redocly accepts it in OpenAPI only.
    const at = child(toCursor(document.root, name), ...members, 'security');
    if (ruleId === 'security-defined' && Array.isArray(at.value)) return [];
    const text = suggestion === undefined ? message : `${message} Did you mean \`${suggestion}\`?`;
    return [{ code: `redocly/${ruleId}`, pointer: place, message: text }];
  });
}

/** Returns the rules that Redocly recommends for a version of a specification. */
async function recommendedFor(version: SpecVersion): Promise<readonly RedoclyRule[]> {
  const { rules } = await createRedoclyConfig({ extends: ['recommended'] });
  return redoclyRules.filter((rule) => (rules[version][rule] ?? 'off') !== 'off');
}

function isRule(id: string): id is RedoclyRule {
  return redoclyRules.some((rule) => rule === id);
}
