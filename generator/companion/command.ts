/**
 * What a companion's command is declared by: arguments and options. The modules under `countersign/companion/` are for
 * companions of the same version, and promise nothing to others. Each has one topic, because an import loads everything
 * that a module exports.
 */
export {
  argument,
  type CliCommand,
  defineCommand,
  integer,
  type Invocation,
  milliseconds,
  option,
  type Pairs,
  pairs,
  port,
  repeatable,
  scopeOption,
  type ScopeOption,
  without,
} from '../cli/command.ts';
export { runCommand } from '../cli/commands.ts';
