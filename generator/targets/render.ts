import { Code } from './code.ts';
import {
  compileTemplate,
  guard,
  loadHandlebars,
  loadHandlebarsRuntime,
  type CompiledTemplate,
} from './compile-template.ts';
import { identifier, literal, markdown, markdownCode, memberName, plain } from './escape.ts';
import { jsdoc } from './jsdoc.ts';
import { type FindPrepared, findPreparedTemplates } from './prepared.ts';

/** Renders the template of that name with its data. */
export type Render = (template: string, data: object) => string;

/** The helpers that escape a text of the contract for the output of a template. */
const escapes = { literal, identifier, memberName, jsdoc, markdown, markdownCode, plain };

/**
 * Creates a renderer of Handlebars templates. Each template is a partial of the others. An expression must yield
 * `Code`: from a value of the data, or from one of the helpers `literal`, `identifier`, `memberName`, `jsdoc`,
 * `markdown`, `markdownCode` and `plain`. The renderer throws a TypeError for any other value, and for a name that the
 * data does not have. If the build of the toolkit has compiled all of the templates, the compiler is not loaded.
 * @param templates texts by name
 */
export function createRenderer(
  templates: ReadonlyMap<string, string>,
  prepared: FindPrepared = findPreparedTemplates(),
): Render {
  const ready = new Map(Array.from(templates, ([name, text]) => [name, prepared(text)]));
  const isReady = Array.from(ready.values()).every((template) => template !== undefined);
  const handlebars = (isReady ? loadHandlebarsRuntime() : loadHandlebars()).create();
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
  const compiled = new Map<string, CompiledTemplate>();
  const compile = (name: string): CompiledTemplate => {
    const cachedProgram = compiled.get(name);
    if (cachedProgram !== undefined) return cachedProgram;
    const text = templates.get(name);
    if (text === undefined) throw new TypeError('there is no such template');
    const template = ready.get(name);
    const program =
      template === undefined ? compileTemplate(handlebars, text) : handlebars.template(template);
    compiled.set(name, program);
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
