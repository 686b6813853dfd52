import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findSessions, keepSession } from '../../../../packages/simulator/src/simulate/session.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { createCachedFolder } from './project.ts';

const session = { console: 'http://127.0.0.1:4011/', token: 'token' } as const;

describe('keepSession', () => {
  it('writes a file that only the user can read, and removes it', async () => {
    const folder = await createCachedFolder();
    const forget = await keepSession(folder, { ...session, pid: process.pid });
    const place = join(folder, 'node_modules/.cache/countersign');
    const [name = ''] = await readdir(place);
    expect((await stat(join(place, name))).mode & 0o777).toBe(0o600);
    expect(await findSessions(folder)).toEqual([{ ...session, pid: process.pid }]);
    await forget?.();
    expect(await findSessions(folder)).toEqual([]);
    expect(await readdir(place)).toEqual([]);
  });

  it('restricts a file of an ended process with the same id', async () => {
    const folder = await createCachedFolder();
    const place = join(folder, 'node_modules/.cache/countersign');
    await mkdir(place, { recursive: true });
    const path = join(place, `simulator-session-${process.pid}.json`);
    await writeFile(path, 'another', { mode: 0o644 });
    await keepSession(folder, { ...session, pid: process.pid });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await findSessions(folder)).toHaveLength(1);
  });

  it('is found from folders below the project', async () => {
    const folder = await createCachedFolder();
    await mkdir(join(folder, 'packages/one'), { recursive: true });
    await keepSession(folder, { ...session, pid: process.pid });
    expect(await findSessions(join(folder, 'packages/one'))).toHaveLength(1);
  });

  it('keeps nothing where there is no folder for caches', async () => {
    const folder = await temporaryFolder();
    expect(await keepSession(folder, { ...session, pid: process.pid })).toBeUndefined();
    expect(await findSessions(folder)).toEqual([]);
  });
});

describe('findSessions', () => {
  it('removes the files of processes that have ended, and damaged ones', async () => {
    const folder = await createCachedFolder();
    const { pid } = spawnSync(process.execPath, ['--version']);
    await keepSession(folder, { ...session, pid });
    await keepSession(folder, { ...session, pid: process.pid });
    const place = join(folder, 'node_modules/.cache/countersign');
    await writeFile(join(place, 'simulator-session-1.json'), '{"console":');
    await writeFile(join(place, 'simulator-session-2.json'), '{"console":""}');
    await writeFile(join(place, 'another.json'), '{}');
    expect(await findSessions(folder)).toEqual([{ ...session, pid: process.pid }]);
    expect((await readdir(place)).toSorted()).toEqual([
      'another.json',
      `simulator-session-${process.pid}.json`,
    ]);
  });
});
