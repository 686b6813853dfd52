import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';

/** What every expression of a template is wrapped in; no template can name it. */
export const guard = 'countersign:guard';

/** A missing name throws; what is escaped, and how, is for the helpers to say. */
const options = { strict: true, noEscape: true } as const;

type Library = typeof Handlebars;

/** A template as a function. */
export type CompiledTemplate = (data: object) => string;

/** Makes a function of the text of a template, with the helpers and partials of an instance of Handlebars. */
export function compileTemplate(handlebars: Library, text: string): CompiledTemplate {
  return handlebars.compile(guardExpressions(text), options);
}

/** The same as JavaScript: an expression that Handlebars' runtime alone makes the function of. */
export function precompileTemplate(text: string): string {
  return loadHandlebars().precompile(guardExpressions(text), options) as string;
}

/** Loaded when the first renderer is made, so that a run with nothing to do does without it. */
export function loadHandlebars(): Library {
  return createRequire(import.meta.url)('handlebars') as Library;
}

/** The part of it that renders what was compiled before. */
export function loadHandlebarsRuntime(): Library {
  return createRequire(import.meta.url)('handlebars/runtime') as Library;
}

/** Rewrites `{{x}}` and `{{{x}}}` to `{{guard x}}`; a path that is missing throws wherever it stands. */
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
