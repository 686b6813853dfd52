import { answerRequests } from '../execution/thread.ts';
import { createAjvPrinter } from './ajv.ts';
import { createTaskCompiler, type CompileTask } from './compile-task.ts';

// The thread of a `ValidatorCompiler`. It loads Ajv before the first schemas arrive. An answer is JSON, because cloning
// its objects takes several times as long.
createAjvPrinter(false);
let compile = createTaskCompiler();
let count = 0;

/** Ajv keeps all that it has compiled, and the thread can be there for many runs. */
const maxCount = 10_000;

answerRequests((task: CompileTask) => {
  if (count >= maxCount) {
    compile = createTaskCompiler();
    count = 0;
  }
  count += 1;
  return JSON.stringify(compile(task));
});
