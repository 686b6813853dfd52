// A process of its own: writes into a folder and kills itself ahead of one operation on the disk.
// Arguments: the folder, the number of that operation, the changes as JSON. It ends with 0 where there are fewer.
import fileSystem from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { writeUserFiles, type UserFileChanges } from '../../generator/output/user-files.ts';

const [, , folder = '', fatal = '', changes = ''] = process.argv;
const { readFileSync } = fileSystem;
let number = 0;

function countOperations(of: object, isCounted: (name: string) => boolean): void {
  const operations = of as Record<string, unknown>;
  for (const [name, operation] of Object.entries(operations)) {
    if (typeof operation !== 'function' || !isCounted(name)) continue;
    operations[name] = (...parameters: readonly unknown[]): unknown => {
      number += 1;
      if (number === Number(fatal)) {
        process.kill(process.pid, 'SIGKILL');
        // The signal is on its way; nothing more may happen until it is here.
        for (;;) readFileSync('/dev/null');
      }
      return Reflect.apply(operation, of, parameters);
    };
  }
}

countOperations(promises, () => true);
// What the output side calls at once.
const atOnce = 'closeSync fsyncSync mkdirSync openSync renameSync rmdirSync rmSync unlinkSync';
countOperations(fileSystem, (name) => `${atOnce} writeFileSync`.split(' ').includes(name));
syncBuiltinESMExports();
await writeUserFiles(folder, JSON.parse(changes) as UserFileChanges);
