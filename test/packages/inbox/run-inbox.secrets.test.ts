import { expect, test } from 'vitest';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { writeTree } from '../../output/tree.ts';
import { runInProcess } from '../../cli/run-in-process.ts';

/** Values that are neither a URL of Postgres nor a file, and that can contain a password. */
const places = ['shop:hush-hush@host/shop', 'host=db password=hush-hush', 'hush-hush', 'notes.txt'];

test.each(places)(
  'an error about the store %j in a variable names only the variable',
  async (place) => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'notes.txt': 'hush-hush' });
    for (const flags of [[], ['--json'], ['--verbose']]) {
      const parameters = ['inbox', 'list', '--store', 'env:INBOX', ...flags];
      const { code, out, error } = await runInProcess(folder, parameters, { INBOX: place });
      expect(code).toBe(1);
      expect(out + error).toContain('The value of INBOX ');
      expect(out + error).not.toContain(place);
      expect(out + error).not.toContain('hush');
    }
  },
);
