import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { mapReferences } from '../../json/map-members.ts';
import type { DocumentName } from '../../json/pointer.ts';
import { createOwnCheck } from '../../validators/own-schemas.ts';
import type { OwnSchema } from '../../validators/own-schema.ts';
import { moveReference, toPath, toRelativeReference } from '../reference.ts';
import { toProblems } from '../validate/schema-errors.ts';
import type { Origin } from '../origins.ts';
import type { Source } from '../sources.ts';

/** An action of an overlay, with its place in the file. */
export interface OverlayAction {
  readonly members: readonly string[];
  readonly target: string;
  readonly update?: Json;
  /** The target of the node that takes the place of the update (Overlay 1.1). */
  readonly copy?: string;
  readonly remove: boolean;
  /** The type that selected numbers, or strings that are numbers, are converted to. Only choices have it. */
  readonly convert?: 'string' | 'number';
  /** Where the update is written, if that is not in the action. */
  readonly updateOrigin?: Origin;
}

/** An overlay with a valid structure and a known document. */
export interface Overlay {
  readonly source: Source;
  readonly extends: DocumentName;
  /** Whether an update replaces a text, number or truth value that its target selects (Overlay 1.1). */
  readonly replacesScalars?: boolean;
  readonly actions: readonly OverlayAction[];
  /** Whether an update refers to a file, so that the document has to be bundled again. */
  readonly refersToFiles: boolean;
}

/**
 * Reads an OpenAPI Overlay 1.0 or 1.1. Returns diagnostics where it is invalid.
 * @param entries the absolute paths of the documents that it may extend
 */
export async function readOverlay(
  source: Source,
  entries: ReadonlyMap<DocumentName, string>,
): Promise<Overlay | readonly Diagnostic[]> {
  const value = source.value ?? null;
  const declared = isJsonObject(value) ? value.overlay : undefined;
  // YAML reads `1.0` as the number 1.
  const version =
    typeof declared === 'number'
      ? `${declared}${Number.isInteger(declared) ? '.0' : ''}`
      : typeof declared === 'string'
        ? declared
        : undefined;
  if (version !== undefined && !/^1\.[01]\.\d+$/u.test(version)) {
    const message = `\`overlay: ${version}\` is not a supported version.`;
    const help = 'Overlays 1.0 and 1.1 are supported. Write all three numbers, such as `1.1.0`.';
    return [createDiagnostic('unsupported-version', message, source.locate(['overlay']), { help })];
  }
  const problems = checkStructure(value);
  if (problems.length > 0 || !isJsonObject(value)) {
    return problems.map(({ message, members }) =>
      createDiagnostic('invalid-overlay', message, source.locate(members)),
    );
  }
  const extended = findExtended(source, value.extends, entries);
  if (typeof extended !== 'string') return [extended];
  const actions = Array.isArray(value.actions) ? value.actions : [];
  const entry = entries.get(extended) ?? source.path;
  let refersToFiles = false;
  const rebase = (update: Json): Json =>
    mapReferences(update, (reference) => {
      if (reference.startsWith('#')) return reference;
      refersToFiles = true;
      // A refused reference stays as it is: bundling the document again reports it.
      return moveReference(reference, source.path, entry);
    });
  const result = {
    source,
    extends: extended,
    replacesScalars: version?.startsWith('1.1.') === true,
    actions: actions.flatMap((action: Json, index) =>
      isJsonObject(action) && typeof action.target === 'string'
        ? [
            {
              members: ['actions', String(index)],
              target: action.target,
              remove: action.remove === true,
              ...(action.update === undefined ? {} : { update: rebase(action.update) }),
              ...(typeof action.copy === 'string' && action.update === undefined
                ? { copy: action.copy }
                : {}),
            },
          ]
        : [],
    ),
  };
  return { ...result, refersToFiles };
}

function findExtended(
  source: Source,
  reference: Json | undefined,
  entries: ReadonlyMap<DocumentName, string>,
): DocumentName | Diagnostic {
  if (typeof reference !== 'string') {
    const [only, ...otherDocuments] = entries.keys();
    if (only !== undefined && otherDocuments.length === 0) return only;
    const message =
      'The contract has two documents, and the overlay does not name the one that it extends.';
    const help = 'Add `extends` with the path of the document, relative to the overlay.';
    return createDiagnostic('invalid-overlay', message, source.locate([]), { help });
  }
  const to = toPath(source.path, reference);
  for (const [document, path] of entries) {
    if ('path' in to && to.path === path) return document;
  }
  const paths = [...entries.values()].map(
    (path) => `\`${toRelativeReference(source.path, path)}\``,
  );
  return createDiagnostic(
    'invalid-overlay',
    `\`${reference}\` is not a document of this contract.`,
    source.locate(['extends']),
    { help: `Name one of ${paths.join(', ')}, relative to the overlay.` },
  );
}

const extensions = { patternProperties: { '^x-': true }, additionalProperties: false } as const;

/** The structure of an Overlay Document, according to sections 4.4.1 to 4.4.4 of the specification 1.1.0. */
const structure: JsonObject = {
  type: 'object',
  properties: {
    overlay: { type: 'string' },
    info: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        // Nothing reads it, and YAML reads `1.1` as a number.
        version: { type: ['string', 'number'] },
        description: { type: 'string' },
      },
      required: ['title', 'version'],
      ...extensions,
    },
    extends: { type: 'string' },
    actions: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: {
        type: 'object',
        properties: {
          target: { type: 'string', pattern: '^\\$' },
          description: { type: 'string' },
          update: true,
          copy: { type: 'string', pattern: '^\\$' },
          remove: { type: 'boolean' },
        },
        required: ['target'],
        ...extensions,
      },
    },
  },
  required: ['overlay', 'info', 'actions'],
  ...extensions,
};

export const overlaySchema: OwnSchema = {
  name: 'overlay',
  draft: 'draft-07',
  schema: () => structure,
  parts: ['#'],
};

const check = createOwnCheck(overlaySchema);

function checkStructure(value: Json): ReturnType<typeof toProblems> {
  return toProblems(check('#', value), 'invalid-overlay');
}
