import type { CliCommand } from './command.ts';
import { checkCommand } from './commands/check.ts';
import { diffCommand } from './commands/diff.ts';
import { explainCommand } from './commands/explain.ts';
import { generateCommand } from './commands/generate.ts';
import { initCommand } from './commands/init.ts';
import { inspectCommand } from './commands/inspect.ts';
import { lintCommand } from './commands/lint.ts';
import { scaffoldCommand } from './commands/scaffold.ts';
import { sendCommand } from './commands/send.ts';
import { unstatedCommand } from './commands/unstated.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly CliCommand[] = [
  initCommand,
  generateCommand,
  checkCommand,
  unstatedCommand,
  explainCommand,
  inspectCommand,
  lintCommand,
  diffCommand,
  scaffoldCommand,
  sendCommand,
];
