import {
  Node,
  type ArrayLiteralExpression,
  type ClassDeclaration,
  type Decorator,
  type ObjectLiteralExpression,
  type SourceFile,
} from 'ts-morph';
import type { ApplicationSources } from './application-sources.ts';
import { isTest, type Registration } from './find-registration.ts';
import { importedAs, memberOf, resolve, resolveObject, unwrap } from './resolve-value.ts';
import { ScaffoldError, type SourcePlace } from './scaffold-error.ts';

/** The names that the NestJS package exports for registering handlers. */
export interface DecoratorNames {
  readonly module: string;
  /** The name of the handler that each decorator marks, by the name of the decorator. */
  readonly decorators: ReadonlyMap<string, string>;
  readonly otherwise: string;
  readonly invalid: string;
  readonly moduleClass: string;
}

/**
 * Returns the registration of an application whose handlers are decorated methods of providers, or `undefined` if it
 * has none.
 * @throws ScaffoldError `several-registrations`, `unreadable-registration`
 */
export function findProviders(
  sources: ApplicationSources,
  marks: DecoratorNames,
): Registration | undefined {
  const files = sources.files.filter((file) => !isTest(sources.pathOf(file)));
  const modules = files.flatMap((file) => modulesOf(file));
  const receiving = modules.filter((module) => receives(module, marks));
  if (receiving.length === 0) return undefined;
  const marked = findDecorated(sources, files, marks);
  const providing = modules.filter((module) => providesAny(module, marked.classes));
  const both = providing.filter((module) => receiving.includes(module));
  const [candidates = receiving] = [both, providing].filter(({ length }) => length > 0);
  const [module, ...others] = candidates;
  if (module === undefined || others.length > 0) {
    throw new ScaffoldError(
      'several-registrations',
      ...candidates.map((node) => ({
        message: 'provides handlers; another module does too',
        place: sources.placeOf(node),
      })),
    );
  }
  const list = readProviders(sources, module);
  return {
    module: marks.module,
    file: list.getSourceFile(),
    list,
    handlers: marked.handlers,
    imports: marked.files,
    takesRest: marked.takesRest,
  };
}

interface DecoratedHandlers {
  readonly handlers: ReadonlyMap<string, SourcePlace>;
  readonly classes: ReadonlySet<ClassDeclaration>;
  /** The files of the decorated methods, one element per method. */
  readonly files: readonly SourceFile[];
  readonly takesRest: boolean;
}

function findDecorated(
  sources: ApplicationSources,
  files: readonly SourceFile[],
  marks: DecoratorNames,
): DecoratedHandlers {
  const handlers = new Map<string, SourcePlace>();
  const classes = new Set<ClassDeclaration>();
  const owners: SourceFile[] = [];
  let takesRest = false;
  for (const decorator of files.flatMap((file) => decoratorsOf(file))) {
    const imported = importedAs(decorator.getNameNode());
    if (imported?.module !== marks.module) continue;
    if (imported.name === marks.otherwise) takesRest ||= takesAllOthers(decorator);
    else if (imported.name !== marks.invalid) {
      const owner = decorator.getFirstAncestor((node) => Node.isClassDeclaration(node));
      if (owner !== undefined) classes.add(owner);
      owners.push(decorator.getSourceFile());
      const name = marks.decorators.get(imported.name) ?? imported.name;
      handlers.set(name, sources.placeOf(decorator));
    }
  }
  return { handlers, classes, files: owners, takesRest };
}

function readProviders(
  sources: ApplicationSources,
  module: ObjectLiteralExpression,
): ArrayLiteralExpression {
  const providers = memberOf(module, 'providers');
  const unreadable = (node: Node, message: string): ScaffoldError =>
    new ScaffoldError('unreadable-registration', { message, place: sources.placeOf(node) });
  if (providers === undefined) throw unreadable(module, 'the module must have `providers`');
  const list = resolve(providers, Node.isArrayLiteralExpression, 'is not an array literal');
  if ('lost' in list) throw unreadable(list.lost, `\`providers\` cannot be read: it ${list.why}`);
  return list.found;
}

function decoratorsOf(file: SourceFile): readonly Decorator[] {
  return file.getDescendants().filter((node) => Node.isDecorator(node));
}

/** Returns the metadata objects of the `@Module` decorators of a file. */
function modulesOf(file: SourceFile): readonly ObjectLiteralExpression[] {
  return decoratorsOf(file).flatMap((decorator) => {
    const imported = importedAs(decorator.getNameNode());
    const [argument] = decorator.getArguments();
    if (imported?.module !== '@nestjs/common' || imported.name !== 'Module') return [];
    const metadata = argument === undefined ? undefined : resolveObject(argument);
    return metadata !== undefined && 'found' in metadata ? [metadata.found] : [];
  });
}

function receives(module: ObjectLiteralExpression, marks: DecoratorNames): boolean {
  return elementsOf(module, 'imports').some((element) => {
    const made = Node.isCallExpression(element) ? element.getExpression() : element;
    const of = Node.isPropertyAccessExpression(made) ? made.getExpression() : made;
    const imported = importedAs(of);
    return imported?.module === marks.module && imported.name === marks.moduleClass;
  });
}

function providesAny(
  module: ObjectLiteralExpression,
  classes: ReadonlySet<ClassDeclaration>,
): boolean {
  return elementsOf(module, 'providers').some((element) => {
    if (!Node.isIdentifier(element)) return false;
    const symbol = element.getSymbol();
    const target = symbol?.isAlias() === true ? symbol.getAliasedSymbol() : symbol;
    return (target?.getDeclarations() ?? []).some(
      (declaration) => Node.isClassDeclaration(declaration) && classes.has(declaration),
    );
  });
}

/** Returns the elements of an array in a module's metadata, including those of spread arrays. */
function elementsOf(module: ObjectLiteralExpression, name: string): readonly Node[] {
  const member = memberOf(module, name);
  if (member === undefined) return [];
  const flatten = (expression: Node): readonly Node[] => {
    const list = resolve(expression, Node.isArrayLiteralExpression, '');
    if ('lost' in list) return [];
    return list.found
      .getElements()
      .flatMap((element) =>
        Node.isSpreadElement(element) ? flatten(element.getExpression()) : [unwrap(element)],
      );
  };
  return flatten(member);
}

function takesAllOthers(decorator: Decorator): boolean {
  const [argument] = decorator.getArguments();
  const options = argument === undefined ? undefined : resolveObject(argument);
  return (
    options !== undefined && 'found' in options && memberOf(options.found, 'rest') !== undefined
  );
}
