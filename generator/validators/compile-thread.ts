import { answerRequests } from '../execution/thread.ts';
import { createAjvPrinter } from './ajv.ts';
import { createTaskCompiler, type CompileTask } from './compile-task.ts';

// The thread of a `ValidatorCompiler`. It loads Ajv before the first schemas arrive. An answer is JSON, because cloning
// its objects takes several times as long.
createAjvPrinter(false);
const compile = createTaskCompiler();
answerRequests((task: CompileTask) => JSON.stringify(compile(task)));
