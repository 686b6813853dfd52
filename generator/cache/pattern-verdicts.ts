import { isJsonObject } from '../json/json.ts';
import { hashToolkit, readCache, writeCache } from './run-record.ts';
import { isVerdict, type Verdict } from '../schema/patterns/verdict.ts';
import type { VerdictStore } from '../schema/patterns/safe-pattern.ts';

/** Verdicts on patterns that persist between runs. */
export interface KeptVerdicts extends VerdictStore {
  /** Writes the verdicts that this run used, for the next one. */
  keep(): Promise<void>;
}

/**
 * Opens the verdicts of a configuration. Those of another toolkit are discarded: its version decides the analysis.
 * @param path the path of the file; without it, nothing is read or written
 */
export async function openVerdicts(path: string | undefined): Promise<KeptVerdicts> {
  const before = path === undefined ? new Map<string, Verdict>() : await readVerdicts(path);
  const used = new Map<string, Verdict>();
  return {
    find(pattern) {
      const verdict = before.get(pattern);
      if (verdict !== undefined) used.set(pattern, verdict);
      return verdict;
    },
    add(pattern, verdict) {
      used.set(pattern, verdict);
    },
    async keep() {
      const isSame =
        used.size === before.size && Array.from(used.keys()).every((key) => before.has(key));
      if (path === undefined || isSame) return;
      await writeCache(path, { toolkit: hashToolkit(), verdicts: Array.from(used) });
    },
  };
}

async function readVerdicts(path: string): Promise<ReadonlyMap<string, Verdict>> {
  const value = await readCache(path);
  if (!isJsonObject(value) || value['toolkit'] !== hashToolkit()) return new Map();
  const { verdicts } = value;
  if (!Array.isArray(verdicts)) return new Map();
  return new Map(
    (verdicts as readonly unknown[]).flatMap((entry) => {
      if (!Array.isArray(entry)) return [];
      const [pattern, verdict] = entry as readonly unknown[];
      return typeof pattern === 'string' && isVerdict(verdict) ? [[pattern, verdict]] : [];
    }),
  );
}
