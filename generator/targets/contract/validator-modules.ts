import type { ts } from 'ts-morph';
import type { Json } from '../../json.ts';
import { literal } from '../escape.ts';
import type { CompiledSchema, FreeName } from './compile-validators.ts';
import { formatMember } from './format-modules.ts';
import type { SchemaGroup } from './schema-groups.ts';
import type { ValidatorUnit } from './validator-units.ts';

type TypeScript = typeof ts;

/** A module of validating functions: one for each schema of its group. */
export interface ValidatorModule {
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
  /** Constants and exported functions. */
  readonly text: string;
}

/**
 * Links compiled functions into modules, one for each group of schemas, so that importing one validator brings no byte
 * of a schema that it does not refer to. Throws a TypeError where a `require` would be left.
 */
export function createLinker(
  ts: TypeScript,
  units: ReadonlyMap<string, ValidatorUnit>,
  groups: readonly SchemaGroup<ValidatorUnit>[],
  compiled: ReadonlyMap<string, CompiledSchema>,
): (group: SchemaGroup<ValidatorUnit>) => ValidatorModule {
  const fileOf = new Map(
    groups.flatMap(({ fileName, schemas }) => schemas.map(({ name }) => [name, fileName])),
  );
  return (group) => {
    const module = new ModuleUnderConstruction();
    const nameOf = (schemaName: string): string => {
      const target = units.get(schemaName)?.functionName;
      const file = fileOf.get(schemaName);
      if (file === undefined || target === undefined)
        throw new TypeError(`The contract has no schema "${schemaName}".`);
      return file === group.fileName ? target : module.import(`./${file}.js`, target);
    };
    const functions = group.schemas.map(({ name }) => {
      const schema = compiled.get(name);
      if (schema === undefined) throw new TypeError(`The schema "${name}" was not compiled.`);
      const names = new Map(schema.names.map((free) => [free.name, free] as const));
      return `export ${relink(ts, schema.text, names, module, nameOf)}`;
    });
    const text = [...module.constants(), ...functions].join('\n');
    return { imports: module.imports(), text };
  };
}

/** Collects what the functions of one module share. */
class ModuleUnderConstruction {
  readonly #imports = new Map<string, Set<string>>();
  readonly #constants = new Map<string, string>();

  import(from: string, name: string): string {
    const names = this.#imports.get(from);
    if (names === undefined) this.#imports.set(from, new Set([name]));
    else names.add(name);
    return name;
  }

  constant(prefix: string, text: string): string {
    const known = this.#constants.get(text);
    if (known !== undefined) return known;
    const count = [...this.#constants.values()].filter((name) => name.startsWith(prefix)).length;
    const name = `${prefix}${count + 1}`;
    this.#constants.set(text, name);
    return name;
  }

  imports(): ValidatorModule['imports'] {
    return [...this.#imports]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => ({ from, names: [...names].toSorted() }));
  }

  constants(): readonly string[] {
    return [...this.#constants].map(([text, name]) => `const ${name} = ${text};`);
  }
}

/** Replaces the compiler's free names, and what it reads from a schema by the value that is there. */
function relink(
  ts: TypeScript,
  text: string,
  freeNames: ReadonlyMap<string, FreeName>,
  module: ModuleUnderConstruction,
  nameOf: (schemaName: string) => string,
): string {
  const file = ts.createSourceFile('validator.js', text, ts.ScriptTarget.Latest, true);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (isDeadWeight(ts, node)) {
      const comma = text[node.end] === ',' ? 1 : 0;
      edits.push({ start: node.getStart(file), end: node.end + comma, text: '' });
      return;
    }
    if (ts.isBinaryExpression(node) && isNeedlessOwnCheck(ts, node, freeNames)) {
      visit(node.left);
      edits.push({ start: node.left.end, end: node.end, text: '' });
      return;
    }
    if (ts.isBlock(node) || ts.isSourceFile(node)) {
      visitStatements(node.statements);
      return;
    }
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'vErrors.concat') {
      // Copying all failures for each item that fails would take quadratic time.
      const [failures] = node.arguments;
      const append = module.import('../runtime/keywords.js', 'append');
      const end = failures?.getStart(file) ?? node.end;
      edits.push({ start: node.getStart(file), end, text: `${append}(vErrors, ` });
      node.arguments.forEach(visit);
      return;
    }
    ts.forEachChild(node, visit);
    if (!ts.isIdentifier(node) || isMemberName(ts, node)) return;
    if (node.text === 'require' || surroundings.has(node.text)) {
      throw new TypeError(`A compiled validator needs "${node.text}", which it is not given.`);
    }
    const freeName = freeNames.get(node.text);
    if (freeName === undefined) return;
    const [place, replacement] = replace(ts, node, freeName, module, nameOf);
    edits.push({ start: place.getStart(file), end: place.getEnd(), text: replacement });
  };
  const visitStatements = (statements: readonly ts.Statement[]): void => {
    for (let index = 0; index < statements.length; index++) {
      const [statement, next] = [statements[index], statements[index + 1]];
      if (statement === undefined) continue;
      const failure = next === undefined ? undefined : findFailure(ts, statement, next);
      if (next === undefined || failure === undefined) {
        visit(statement);
        continue;
      }
      const add = `vErrors = ${module.import('../runtime/keywords.js', 'add')}(vErrors, `;
      edits.push({ start: statement.getStart(file), end: failure.getStart(file), text: add });
      visit(failure);
      edits.push({ start: failure.end, end: next.end, text: ');' });
      index += 1;
    }
  };
  visit(file);
  let linked = '';
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    linked += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return linked + text.slice(position);
}

/**
 * The failure of `const err0 = {…}; if (vErrors === null) {…} else {…}`, which is made and added to those before it.
 * Written out like that for every rule of a schema, it would be half of the code.
 */
function findFailure(
  ts: TypeScript,
  made: ts.Statement,
  added: ts.Statement,
): ts.Expression | undefined {
  if (!ts.isVariableStatement(made) || !ts.isIfStatement(added)) return undefined;
  const [declaration] = made.declarationList.declarations;
  if (declaration === undefined || !/^err\d*$/u.test(declaration.name.getText())) return undefined;
  return added.expression.getText() === 'vErrors === null' ? declaration.initializer : undefined;
}

/**
 * Whether `data.x === undefined || !hasOwn.call(data, 'x')`, or its opposite, asks for an own member where plain data has
 * no other: only what every object inherits can be there without being the data's own. Asking costs more than the rest
 * of the check.
 */
function isNeedlessOwnCheck(
  ts: TypeScript,
  { right }: ts.BinaryExpression,
  freeNames: ReadonlyMap<string, FreeName>,
): boolean {
  let call: ts.Expression = right;
  while (ts.isPrefixUnaryExpression(call) || ts.isParenthesizedExpression(call)) {
    call = ts.isPrefixUnaryExpression(call) ? call.operand : call.expression;
  }
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const callee = call.expression.expression;
  const [, name] = call.arguments;
  return (
    ts.isIdentifier(callee) &&
    freeNames.get(callee.text)?.kind === 'hasOwn' &&
    name !== undefined &&
    ts.isStringLiteralLike(name) &&
    !(name.text in Object.prototype)
  );
}

/**
 * What no generated check reads: where in the schema a rule stands, and the surroundings of a value, which Ajv hands
 * from function to function for keywords that users write. A good part of the code.
 */
function isDeadWeight(ts: TypeScript, node: ts.Node): boolean {
  if (ts.isBindingElement(node)) return surroundings.has(node.name.getText());
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return false;
  const name = node.name.getText();
  if (surroundings.has(name)) return ts.isCallExpression(node.parent.parent);
  const beside = node.parent.properties.map((property) => property.name?.getText());
  return (
    name === 'schemaPath' &&
    ['instancePath', 'keyword', 'params'].every((other) => beside.includes(other))
  );
}

const surroundings: ReadonlySet<string> = new Set(['parentData', 'parentDataProperty', 'rootData']);

function replace(
  ts: TypeScript,
  node: ts.Identifier,
  freeName: FreeName,
  module: ModuleUnderConstruction,
  nameOf: (schemaName: string) => string,
): readonly [ts.Node, string] {
  switch (freeName.kind) {
    case 'runtime':
      return [node, module.import('../runtime/keywords.js', freeName.member)];
    case 'format':
      return [node, module.import('../runtime/formats.js', formatMember(freeName.format))];
    case 'hasOwn':
      // Ajv writes `hasOwn.call(…)`.
      return [node.parent, 'Object.hasOwn'];
    case 'pattern':
      return [node, module.constant('pattern', freeName.text)];
    case 'validator':
      return [node, nameOf(freeName.schemaName)];
    case 'schema':
      break;
  }
  const [place, value] = resolvePath(ts, node, freeName.schema);
  return [place, module.constant('values', literal(value).text)];
}

/** Follows `schema0.oneOf[0].properties["a-b"].enum` as far as it is a path in the schema. */
function resolvePath(ts: TypeScript, root: ts.Identifier, schema: Json): readonly [ts.Node, Json] {
  let place: ts.Node = root;
  let value = schema;
  for (;;) {
    const { parent } = place;
    let member: string | undefined;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === place) {
      member = parent.name.text;
    } else if (ts.isElementAccessExpression(parent) && parent.expression === place) {
      const { argumentExpression: index } = parent;
      if (ts.isStringLiteralLike(index) || ts.isNumericLiteral(index)) member = index.text;
    }
    if (member === undefined || typeof value !== 'object' || value === null) break;
    if (!Object.hasOwn(value, member)) break;
    const next: Json | undefined = (value as { readonly [member: string]: Json | undefined })[
      member
    ];
    if (next === undefined) break;
    value = next;
    place = parent;
  }
  return [place, value];
}

function isMemberName(ts: TypeScript, node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node)
  );
}
