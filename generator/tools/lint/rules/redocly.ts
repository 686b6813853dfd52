import { getTypes, lintDocument, Source } from '@redocly/openapi-core';
import { child, toCursor } from '../../../json/cursor.ts';
import { vocabularyDocuments } from '../../../load/declared-vocabulary.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { redoclyRules, type RedoclyRule } from '../../../diagnostics/redocly-catalogue.ts';
import { ClosedResolver } from '../../../load/validate/closed-resolver.ts';
import type { Documents } from '../../../load/documents.ts';
import { createRedoclyConfig } from '../../../load/validate/redocly-config.ts';
import { toContractTypes } from '../../../specification/specification-types.ts';
import { toSpecVersion, type SpecVersion } from '../../../load/version.ts';
import { pointerMembers, toPointer, type DocumentName } from '../../../json/pointer.ts';
import { find, type LintRule } from '../rule.ts';

/**
 * What Redocly recommends, in both documents. They are in one piece by then, so nothing is read, and each finding is
 * told at the place where it was written.
 */
export const redocly: LintRule = {
  name: 'redocly',
  codes: redoclyRules.map((rule) => `redocly/${rule}` as const),
  async check({ documents }): Promise<Iterable<Diagnostic>> {
    return [...(await lint('openapi', documents)), ...(await lint('asyncapi', documents))];
  },
};

async function lint(name: DocumentName, documents: Documents): Promise<readonly Diagnostic[]> {
  const document = documents[name];
  if (document === undefined) return [];
  const specVersion = toSpecVersion(name, document.version);
  const ours = vocabularyDocuments(documents).includes(name);
  const types = toContractTypes(getTypes(specVersion), name, ours);
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
    // One of them trips over what a specification allows, such as `true` for a schema; the others still judge.
    const each = await Promise.all(rules.map((rule) => run([rule]).catch(() => [])));
    return each.flat();
  });
  return problems.flatMap(({ ruleId, message, location: [location], suggest: [suggestion] }) => {
    const pointer = location?.pointer;
    // That a scheme is named and not there is an error of the document, which reading it has told.
    if (!isRule(ruleId) || pointer === undefined || message.startsWith('There is no')) return [];
    const members = pointerMembers(pointer === '#/' ? '#' : pointer);
    const place = toPointer(`${name}#`, ...members);
    // An empty list says that nothing authenticates an operation; Redocly takes it so in OpenAPI alone.
    const at = child(toCursor(document.root, name), ...members, 'security');
    if (ruleId === 'security-defined' && Array.isArray(at.value)) return [];
    const text = suggestion === undefined ? message : `${message} Did you mean \`${suggestion}\`?`;
    return [find(documents, `redocly/${ruleId}`, place, text)];
  });
}

/** Redocly recommends some rules for some specifications only. */
async function recommendedFor(version: SpecVersion): Promise<readonly RedoclyRule[]> {
  const { rules } = await createRedoclyConfig({ extends: ['recommended'] });
  return redoclyRules.filter((rule) => (rules[version][rule] ?? 'off') !== 'off');
}

function isRule(id: string): id is RedoclyRule {
  return redoclyRules.some((rule) => rule === id);
}
