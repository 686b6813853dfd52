import type { ContractChange, Role } from '../change.ts';
import { schemaRules } from '../verdicts/schema.ts';
import type { ChangeCode } from '../verdicts/verdicts.ts';

/** How much the version of a package has to grow, in the words of semantic versioning. */
export type Level = 'none' | 'patch' | 'minor' | 'major';

const levels: readonly Level[] = ['none', 'patch', 'minor', 'major'];

/** Changes that leave every value, type and option as it was. */
const wordsOnly: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'version-changed',
  'title-changed',
  'documentation-changed',
  'citation-changed',
  'examples-changed',
  'question-reworded',
  'question-documented',
  'question-withdrawn',
  'settled-documented',
]);

/** Whether only people notice. */
export function isWordsOnly({ code }: ContractChange): boolean {
  return wordsOnly.has(code);
}

/** How the version of the package that a target generates has to grow with these changes. */
export function levelOfTarget(target: string, changes: readonly ContractChange[]): Level {
  return highest(changes.map((change) => levelOf(change, target)));
}

/** The highest of some levels; `none` where there are none. */
export function highest(all: readonly Level[]): Level {
  return levels[Math.max(0, ...all.map((level) => levels.indexOf(level)))] ?? 'none';
}

/** The next version at this level. Before 1.0.0 the second number grows where others break, the third otherwise. */
export function nextVersion(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/u, 3).map(Number);
  if (level === 'none') return version;
  if (major === 0) return level === 'major' ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (level === 'major') return `${major + 1}.0.0`;
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

function levelOf(change: ContractChange, target: string): Level {
  const roles = rolesOfTarget(target);
  const isSchema = Object.hasOwn(schemaRules, change.code);
  // The contract's package publishes the documents and the ledger whole, and exports what schemas become.
  if (target === 'contract' && !isSchema) return 'patch';
  const met = change.effects.filter(({ role }) => roles.has(role));
  if (met.some(({ upgrade }) => upgrade === 'breaks')) return 'major';
  if (met.length === 0) return 'none';
  return isWordsOnly(change) ? 'patch' : 'minor';
}

/** Whose code imports the package of a target. Of a target that is not the toolkit's own, nothing is known. */
function rolesOfTarget(target: string): ReadonlySet<Role> {
  if (target === 'client') return new Set(['request', 'response']);
  if (target === 'webhooks' || target.startsWith('webhooks-')) return new Set(['notification']);
  return new Set(['request', 'response', 'notification', 'type']);
}
