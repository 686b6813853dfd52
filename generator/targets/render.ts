import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';
import { Code } from './code.ts';
import { identifier, literal, markdown, markdownCode, memberName, plain } from './escape.ts';
import { jsdoc } from './jsdoc.ts';

/** Renders a template by name with the data it asks for. */
export type Render = (template: string, data: object) => string;

/** The helpers that let a text of the contract into a template's output. */
const escapes = { literal, identifier, memberName, jsdoc, markdown, markdownCode, plain };

/** What every expression of a template is wrapped in; no template can name it. */
const guard = 'countersign:guard';

/**
 * Makes a renderer of Handlebars templates, given by name; each is a partial of the others. An expression must yield
 * `Code`: from a value of the data or from one of the helpers `literal`, `identifier`, `memberName`, `jsdoc`,
 * `markdown`, `markdownCode`, `plain`.
 * Anything else throws a TypeError, and so does a name that the data does not have.
 */
export function createRenderer(templates: ReadonlyMap<string, string>): Render {
  const library = loadHandlebars();
  const handlebars = library.create();
  for (const [name, escape] of Object.entries(escapes)) {
    handlebars.registerHelper(name, (value) => escape(value));
  }
  handlebars.registerHelper(
    guard,
    (value: unknown, options: { loc: { start: { line: number } } }) => {
      if (value instanceof Code) return value.text;
      throw new TypeError(
        `The expression in line ${options.loc.start.line} yields ${typeof value}, not code; use an escaping helper.`,
      );
    },
  );
  const compiled = new Map<string, (data: object) => string>();
  const compile = (template: string): ((data: object) => string) => {
    const known = compiled.get(template);
    if (known !== undefined) return known;
    const text = templates.get(template);
    if (text === undefined) throw new TypeError('there is no such template');
    const program = handlebars.compile(guardExpressions(library, text), {
      strict: true,
      noEscape: true,
    });
    compiled.set(template, program);
    return program;
  };
  for (const name of templates.keys())
    handlebars.registerPartial(name, (data: object) => compile(name)(data));
  return (template, data) => {
    try {
      return compile(template)(data);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new TypeError(`The template "${template}" cannot be rendered: ${why}`, {
        cause: error,
      });
    }
  };
}

/** Handlebars is loaded when the first renderer is made, so that a run with nothing to do does without it. */
function loadHandlebars(): typeof Handlebars {
  return createRequire(import.meta.url)('handlebars') as typeof Handlebars;
}

/** Rewrites `{{x}}` and `{{{x}}}` to `{{guard x}}`; a path that is missing throws wherever it stands. */
function guardExpressions(library: typeof Handlebars, text: string): hbs.AST.Program {
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
