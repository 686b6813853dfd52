// A process of its own: reconciles a folder and kills itself ahead of one operation on the disk.
// Arguments: the folder, the number of that operation, the files as JSON. It ends with 0 where there are fewer.
import { readFileSync } from 'node:fs';
import { reconcile } from '../../generator/output/reconcile.ts';
import { watchDisk } from './failing-disk.ts';
import { toFiles } from './tree.ts';

const [, , folder = '', fatal = '', files = ''] = process.argv;
const disk = watchDisk(({ number }) => {
  if (number !== Number(fatal)) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way; nothing more may happen until it is here.
  for (;;) readFileSync('/dev/null');
});
await reconcile(toFiles(JSON.parse(files)), { folder, mode: 'write', disk });
