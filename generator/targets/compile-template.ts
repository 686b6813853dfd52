import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';

/** The name of the helper that wraps every expression of a template. */
export const guard = 'countersign:guard';

/** Options of Handlebars: a missing name throws, and Handlebars escapes nothing, because the helpers do. */
const options = { strict: true, noEscape: true } as const;

type Library = typeof Handlebars;

/** A compiled template. */
export type CompiledTemplate = (data: object) => string;

/** Compiles the text of a template, with the helpers and partials of an instance of Handlebars. */
export function compileTemplate(handlebars: Library, text: string): CompiledTemplate {
  return handlebars.compile(guardExpressions(text), options);
}

/**
 * Compiles the text of a template to a JavaScript expression, which the runtime of Handlebars turns into a function.
 */
export function precompileTemplate(text: string): string {
  return loadHandlebars().precompile(guardExpressions(text), options) as string;
}

/**
 * Loads Handlebars with its compiler. Called for the first renderer, so that a run with nothing to do does not load it.
 */
export function loadHandlebars(): Library {
  return createRequire(import.meta.url)('handlebars') as Library;
}

/** Loads the runtime of Handlebars, which renders precompiled templates. */
export function loadHandlebarsRuntime(): Library {
  return createRequire(import.meta.url)('handlebars/runtime') as Library;
}

/** Rewrites `{{x}}` and `{{{x}}}` to `{{guard x}}`, and makes a missing path throw wherever it occurs. */
function guardExpressions(text: string): hbs.AST.Program {
  const library = loadHandlebars();
  const program = library.parse(text);
  const visitor = new library.Visitor();
  visitor.MustacheStatement = (statement) => {
    library.Visitor.prototype.MustacheStatement.call(visitor, statement);
    const isCall = statement.params.length > 0 || statement.hash !== undefined;
    const value: hbs.AST.Expression = isCall
      ? { ...statement, type: 'SubExpression' }
      : statement.path;
    statement.params = [value];
    statement.hash = { type: 'Hash', pairs: [], loc: statement.loc };
    const path: hbs.AST.PathExpression = {
      type: 'PathExpression',
      data: false,
      depth: 0,
      parts: [guard],
      original: guard,
      loc: statement.loc,
    };
    statement.path = path;
  };
  visitor.PathExpression = (path) => {
    Object.assign(path, { strict: true });
  };
  visitor.accept(program);
  return program;
}
