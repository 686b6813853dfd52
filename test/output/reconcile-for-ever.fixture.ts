// A process of its own: reconciles a folder with one tree after the other until it is killed, and says when it begins.
// Arguments: the folder, the trees as JSON.
import { reconcile } from '../../generator/output/reconcile.ts';
import { toFiles, type Tree } from './tree.ts';

const [, , folder = '', trees = ''] = process.argv;
process.stdout.write('begins\n');
for (;;) {
  for (const tree of JSON.parse(trees) as readonly Tree[])
    await reconcile(toFiles(tree), { folder, mode: 'write' });
}
