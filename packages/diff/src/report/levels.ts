import { semanticVersion } from 'countersign/companion/contract';
import { pointerDocument } from 'countersign/companion/values';
import type { ContractChange, Role } from '../change.ts';
import { schemaVerdicts } from '../verdicts/schema.ts';
import type { ChangeCode } from '../verdicts/verdicts.ts';

/** The semantic version increment of a package. */
export type Level = 'none' | 'patch' | 'minor' | 'major';

const levels: readonly Level[] = ['none', 'patch', 'minor', 'major'];

/** Changes that affect no value, type or option. */
const documentationOnly: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'version-changed',
  'title-changed',
  'documentation-changed',
  'citation-changed',
  'examples-changed',
  'question-reworded',
  'question-documented',
  'question-withdrawn',
  'settled-documented',
  'unsettled-documented',
]);

/** Returns whether a change affects only documentation. */
export function isDocumentationOnly({ code }: Pick<ContractChange, 'code'>): boolean {
  return documentationOnly.has(code);
}

/** What decides the version of a package. A severity from the configuration takes the place of the effects. */
type LevelledChange = Pick<ContractChange, 'code' | 'effects' | 'pointer'> & {
  readonly override?: { readonly severity: 'breaking' | 'compatible' };
};

/** Returns the version increment that changes require for the package of a target. */
export function levelOfTarget(target: string, changes: readonly LevelledChange[]): Level {
  return highest(changes.map((change) => levelOf(change, target)));
}

/** Returns the highest of the levels; `none` for an empty list. */
export function highest(all: readonly Level[]): Level {
  return levels[Math.max(0, ...all.map((level) => levels.indexOf(level)))] ?? 'none';
}

/**
 * Returns the next version at a level. Before 1.0.0, breaking changes increment the minor version, all others the patch
 * version. After a prerelease, it is the version that the prerelease precedes, unless the level requires a higher one.
 */
export function nextVersion(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/u, 3).map(Number);
  const increment = incrementAt(version, level);
  if (increment === 'none') return version;
  const isPrerelease = semanticVersion.test(version) && /^[^+]*-/u.test(version);
  const isZero = increment === 'patch' || (patch === 0 && (increment === 'minor' || minor === 0));
  if (isPrerelease && isZero) return `${major}.${minor}.${patch}`;
  if (increment === 'major') return `${major + 1}.0.0`;
  return increment === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Returns the increment of semantic versioning that turns a version into the next version at a level. */
export function incrementAt(version: string, level: Level): Level {
  if (level === 'none' || !/^0(?:\.|$)/u.test(version)) return level;
  return level === 'major' ? 'minor' : 'patch';
}

function levelOf(change: LevelledChange, target: string): Level {
  const roles = rolesOfTarget(target);
  const isSchema = Object.hasOwn(schemaVerdicts, change.code);
  // The contract package publishes the documents and the complete ledger, so any change is at least a patch. Its code
  // consists of the types, guards and validators of schemas only.
  if (target === 'contract' && !isSchema) return 'patch';
  // These packages have only what the OpenAPI document describes. What both documents describe has a place in OpenAPI.
  const isOpenapiOnly = target === 'client' || target === 'openapi-types';
  if (isOpenapiOnly && pointerDocument(change.pointer) === 'asyncapi') return 'none';
  const relevant = change.effects.filter(({ role }) => roles.has(role));
  if (relevant.length === 0) return 'none';
  const breaks =
    change.override === undefined
      ? relevant.some(({ upgrade }) => upgrade === 'breaks')
      : change.override.severity === 'breaking';
  if (breaks) return 'major';
  return isDocumentationOnly(change) ? 'patch' : 'minor';
}

/** Returns the roles that use the package of a target; all roles for targets other than clients and receivers. */
function rolesOfTarget(target: string): ReadonlySet<Role> {
  if (target === 'client') return new Set(['request', 'response']);
  if (target === 'webhooks' || target.startsWith('webhooks-')) return new Set(['notification']);
  return new Set(['request', 'response', 'notification', 'type']);
}
