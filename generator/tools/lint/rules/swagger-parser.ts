import { pointerMembers, toPointer } from '../../../json/pointer.ts';
import { atOtherPlaces } from '../../../diagnostics/problem.ts';
import { askSwaggerParser } from '../../../load/validate/swagger-parser-opinion.ts';
import type { LintRule } from '../rule.ts';

/**
 * Reports what only swagger-parser finds in an OpenAPI document. Reading a document asks swagger-parser only about
 * documents that may be invalid, and this rule about all, up to version 3.1, which is the last that it knows.
 */
export const swaggerParser: LintRule = {
  codes: ['swagger-parser'],
  async check({ documents: { openapi, diagnostics } }) {
    if (openapi === undefined || !/^3\.[01]\./u.test(openapi.version)) return [];
    const reportedPlaces = diagnostics.flatMap(({ code, pointer }) =>
      pointer?.startsWith('openapi#') === true && structureCodes.has(code)
        ? [pointerMembers(pointer)]
        : [],
    );
    const problems = atOtherPlaces(reportedPlaces, await askSwaggerParser(openapi.root));
    return problems.map(({ message, members }) => ({
      pointer: toPointer('openapi#', ...members),
      message,
    }));
  },
};

/** The codes that reading a document has for what swagger-parser and Redocly find in it. */
const structureCodes: ReadonlySet<string> = new Set(['invalid-openapi', 'invalid-schema']);
