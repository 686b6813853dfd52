import { printable } from 'countersign/companion/terminal';

/**
 * Describes what comes next, a command a line, so that a shell takes them as they are copied.
 * @param folder where they are run, if it is another folder than that of the user
 */
export function describeNext(commands: readonly string[], folder?: string): readonly string[] {
  if (commands.length === 0) return [];
  return [
    folder === undefined ? 'next:' : `next, in ${printable(folder)}:`,
    ...commands.map((command) => `  ${printable(command)}`),
  ];
}
