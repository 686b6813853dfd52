import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifiableProofs } from 'countersign/companion/deliveries';
import { inboxStores } from 'countersign/companion/frameworks';
import { formatFile } from 'countersign/companion/printing';
import {
  deliveryContext,
  type HandlerContext,
  type HandlerPlan,
  planHandlers,
} from 'countersign/companion/stubs';
import { toRelativeReference } from 'countersign/companion/paths';
import { printable } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import { code, type Contract, identifier, literal, memberName } from 'countersign/kit';
import { printHandlers, storedContext } from './application.ts';
import { findHandlers, type GeneratedNames, type RegisteredHandlers } from './find-handlers.ts';
import { ScaffoldError, type SourcePlace } from './scaffold-error.ts';
import { consumerPackageOf, workerPackageOf } from './storage.ts';

/** The handlers that an application lacks. */
export interface MissingHandlers {
  /** The names under which a receiver registers them, in the order of the contract. */
  readonly names: readonly string[];
  /** Where the application registers handlers. */
  readonly registered: SourcePlace;
  /** A TypeScript file with a stub for each; empty if none is missing. */
  readonly stubs: string;
  /** How it authenticates deliveries, if it verifies nothing of what the contract states for them. */
  readonly otherStrategy?: OtherStrategy;
}

/** A function that authenticates deliveries, and the one of a proof that the contract states. */
export interface OtherStrategy {
  readonly name: string;
  readonly place: SourcePlace;
  /** The generated package, which also has the other function. */
  readonly module: string;
  /** The id of the security scheme that the contract states. */
  readonly scheme: string;
  readonly verify: string;
}

/** The generated code that an application imports. */
export interface GeneratedCode extends Pick<GeneratedNames, 'scope' | 'output'> {
  /** What relative imports of generated code end with. Default: `.js`. */
  readonly importExtension?: string;
}

/**
 * Replaces the names of generated packages in imports by the files that there are of them in a folder.
 * @param from the absolute path of the file whose imports they are
 */
function toRelative(
  text: string,
  { scope, output = '', importExtension = '.js' }: GeneratedCode,
  from: string,
): string {
  return text.replaceAll(/(?<= from )'([^']+)'/gu, (quoted, module: string) => {
    if (!module.startsWith(`${scope}/`)) return quoted;
    const path = join(output, module.slice(scope.length + 1));
    const file = existsSync(`${path}.ts`) ? path : join(path, 'index');
    return literal(`${toRelativeReference(from, file)}${importExtension}`).text;
  });
}

/**
 * Finds the handlers of a contract that an application does not register anywhere, and prints their stubs as a new
 * application would have them.
 * @param folder the application's folder
 * @param paths its TypeScript files without tests, relative to the folder, with `/`
 * @param generated the npm scope of the generated packages, or the folder that has them
 * @throws ScaffoldError `no-registration`, `unreadable-registration`, `syntax-error`
 */
export async function findMissingHandlers(
  folder: string,
  paths: readonly string[],
  generated: GeneratedCode,
  contract: Contract,
): Promise<MissingHandlers> {
  const { scope, output } = generated;
  const decorators = new Map(
    planHandlers(contract, 'providers').map(({ mark, name }) => [mark, name]),
  );
  const found = findHandlers(folder, paths, { ...generated, decorators });
  const [registration] = found.registrations;
  if (registration === undefined) {
    const packages = output === undefined ? `${scope}/webhooks…` : 'the generated code';
    const message =
      paths.length === 0
        ? `The folder has no TypeScript files. Give the folder of an application that calls a function of ${packages} with handlers.`
        : `No file passes handlers to a function of ${packages}. Give the folder of an application that does; with an inbox, that of its worker.`;
    throw new ScaffoldError('no-registration', { message });
  }
  const { module, place } = registration;
  const as = module === `${scope}/webhooks-nestjs` ? 'providers' : 'functions';
  const missing = planHandlers(contract, as).filter(({ name }) => !found.names.has(name));
  const printed = printHandlers(missing, as, contextOf(module, scope, found));
  const stubs =
    output === undefined ? printed : toRelative(printed, generated, join(folder, place.path));
  const about = describeRegistration(missing, as, place);
  return {
    names: missing.map(({ name }) => name),
    registered: place,
    stubs: missing.length === 0 ? '' : `${about}\n${await formatFile('handlers.ts', stubs)}`,
    ...optional('otherStrategy', otherStrategyOf(contract, found)),
  };
}

/** Returns `undefined` if the application verifies a stated proof, or authenticates by no function of a generated package. */
function otherStrategyOf(
  contract: Contract,
  { strategies: [first, ...rest] }: RegisteredHandlers,
): OtherStrategy | undefined {
  const proofs = verifiableProofs(contract);
  const [stated] = proofs;
  if (first === undefined || stated === undefined) return undefined;
  const verified = new Set([first, ...rest].map(({ name }) => name));
  if (proofs.some(({ verify }) => verified.has(verify))) return undefined;
  return { ...first, scheme: stated.scheme, verify: stated.verify };
}

/** Returns what handlers get, by the package that the application registers its handlers with. */
function contextOf(module: string, scope: string, { imports }: RegisteredHandlers): HandlerContext {
  if (module === consumerPackageOf(scope)) return storedContext(scope, 'sqs');
  if (module !== workerPackageOf(scope)) return deliveryContext(module.split('/', 2).join('/'));
  const stores = inboxStores.filter((name) => imports.has(`${scope}/runtime/inbox/${name}`));
  const [store = 'inbox', ...rest] = stores;
  return storedContext(scope, rest.length === 0 ? store : 'inbox');
}

/** Returns a comment that says where the handlers are registered. */
function describeRegistration(
  handlers: readonly HandlerPlan[],
  as: 'functions' | 'providers',
  { path, line }: SourcePlace,
): string {
  const lines =
    as === 'functions'
      ? [
          `Import these handlers, and register them in \`on\`, as in ${printable(path)}:${line}:`,
          ...handlers.map(
            ({ name, exportName }) => code`  ${memberName(name)}: ${identifier(exportName)},`.text,
          ),
        ]
      : [
          'Import these providers, and add them to `providers` of the module:',
          ...handlers.map(({ exportName }) => code`  ${identifier(exportName)},`.text),
        ];
  return lines.map((text) => `// ${text}`).join('\n');
}
