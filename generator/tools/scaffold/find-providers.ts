import {
  Node,
  type ArrayLiteralExpression,
  type ClassDeclaration,
  type Decorator,
  type ObjectLiteralExpression,
  type SourceFile,
} from 'ts-morph';
import { createErrorAt, pathOf, placeOf } from './application-sources.ts';
import { hasMember, isTest, type Registration, unreadable } from './find-registration.ts';
import { importedAs, memberOf, resolve, resolveObject, unwrap } from './resolve-value.ts';
import type { SourcePlace } from './scaffold-error.ts';

/** The names that the NestJS package exports for registering handlers. */
export interface DecoratorNames {
  readonly module: string;
  /** The name of the handler that each decorator marks, by the name of the decorator. */
  readonly decorators: ReadonlyMap<string, string>;
}

/**
 * Returns the registration of an application whose handlers are decorated methods of providers, or `undefined` if it
 * has none.
 * @throws ScaffoldError `several-registrations`, `unreadable-registration`
 */
export function findProviders(
  sources: readonly SourceFile[],
  marks: DecoratorNames,
): Registration | undefined {
  const files = sources.filter((file) => !isTest(pathOf(file)));
  const modules = files.flatMap((file) => modulesOf(file));
  const receiving = modules.filter((module) => receives(module, marks));
  if (receiving.length === 0) return undefined;
  const { classes, ...marked } = findDecorated(files, marks);
  const providing = modules.filter((module) => providesAny(module, classes));
  const both = providing.filter((module) => receiving.includes(module));
  const [candidates = receiving] = [both, providing].filter(({ length }) => length > 0);
  const [module, ...rest] = candidates;
  if (module === undefined || rest.length > 0) {
    const message = 'provides handlers; another module does too';
    throw createErrorAt('several-registrations', message, ...candidates);
  }
  const list = readProviders(module);
  return { modules: [marks.module], file: list.getSourceFile(), list, ...marked };
}

interface DecoratedHandlers extends Pick<Registration, 'handlers' | 'imports' | 'takesRest'> {
  readonly classes: ReadonlySet<ClassDeclaration>;
}

function findDecorated(files: readonly SourceFile[], marks: DecoratorNames): DecoratedHandlers {
  const handlers = new Map<string, SourcePlace>();
  const classes = new Set<ClassDeclaration>();
  const imports: SourceFile[] = [];
  let takesRest = false;
  for (const decorator of files.flatMap((file) => decoratorsOf(file))) {
    const imported = importedAs(decorator.getNameNode());
    if (imported?.module !== marks.module) continue;
    if (imported.name === 'OnOtherwise')
      takesRest ||= hasMember(decorator.getArguments()[0], 'rest');
    else if (imported.name !== 'OnInvalid') {
      const owner = decorator.getFirstAncestor((node) => Node.isClassDeclaration(node));
      if (owner !== undefined) classes.add(owner);
      imports.push(decorator.getSourceFile());
      const name = marks.decorators.get(imported.name) ?? imported.name;
      handlers.set(name, placeOf(decorator));
    }
  }
  return { handlers, classes, imports, takesRest };
}

function readProviders(module: ObjectLiteralExpression): ArrayLiteralExpression {
  const providers = memberOf(module, 'providers');
  if (providers === undefined) throw unreadable(module, 'the module must have `providers`');
  const list = resolve(providers, Node.isArrayLiteralExpression, 'is not an array literal');
  if ('literal' in list) return list.literal;
  const message = `\`providers\` cannot be read: it ${list.why}`;
  throw unreadable(list.lost, message);
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
    return metadata !== undefined && 'literal' in metadata ? [metadata.literal] : [];
  });
}

function receives(module: ObjectLiteralExpression, marks: DecoratorNames): boolean {
  return elementsOf(module, 'imports').some((element) => {
    const made = Node.isCallExpression(element) ? element.getExpression() : element;
    const of = Node.isPropertyAccessExpression(made) ? made.getExpression() : made;
    const imported = importedAs(of);
    return imported?.module === marks.module && imported.name === 'WebhooksModule';
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
    return list.literal
      .getElements()
      .flatMap((element) =>
        Node.isSpreadElement(element) ? flatten(element.getExpression()) : [unwrap(element)],
      );
  };
  return flatten(member);
}
