// A process of its own: writes into the folder of an application and kills itself ahead of one operation on the disk.
// Arguments: the folder, the number of that operation, the changes as JSON. It ends with 0 where there are fewer.
import fileSystem from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { ApplicationChanges } from '../../generator/scaffold/write-application.ts';

const [, , folder = '', fatal = '', changes = ''] = process.argv;
let number = 0;
const operations: Record<string, unknown> = Object.assign(fileSystem);
for (const [name, operation] of Object.entries(operations)) {
  if (typeof operation !== 'function') continue;
  operations[name] = (...parameters: readonly unknown[]): unknown => {
    number += 1;
    if (number === Number(fatal)) {
      process.kill(process.pid, 'SIGKILL');
      // The signal is on its way; nothing more may happen until it is here.
      for (;;) readFileSync('/dev/null');
    }
    return Reflect.apply(operation, fileSystem, parameters);
  };
}
syncBuiltinESMExports();
const { writeApplication } = await import('../../generator/scaffold/write-application.ts');
await writeApplication(folder, JSON.parse(changes) as ApplicationChanges);
