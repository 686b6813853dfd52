import { Node, Project, type ObjectLiteralExpression, type PropertyAssignment } from 'ts-morph';
import type { ContractFiles } from '../../load/contract-files.ts';
import { insert, isPureInsertion } from './insertion.ts';
import { insertElements } from './list-insertion.ts';
import { isJson, syntaxErrors } from './syntax-errors.ts';

/**
 * Returns the text of a configuration with further overlays for one of its contracts; only insertions change it. Returns
 * `undefined` if the text does not have the contract's files as literals in exactly one place.
 * @param name the name of the file, whose extension is that of its language
 */
export function addOverlays(
  name: string,
  text: string,
  contract: ContractFiles,
  overlays: readonly string[],
): string | undefined {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const before = text.slice(mark.length);
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const file = project.createSourceFile(`/${name}`, before);
  const [literal, ...rest] = file
    .getDescendants()
    .filter(Node.isObjectLiteralExpression)
    .filter((candidate) => isContract(candidate, contract));
  if (literal === undefined || rest.length > 0) return undefined;
  const insertions = insertionsInto(literal, overlays);
  if (insertions === undefined) return undefined;
  const after = insert(before, insertions);
  const isRead = name.endsWith('.json') ? isJson(after) : syntaxErrors(name, after).length === 0;
  return isRead && isPureInsertion(before, after, insertions) ? mark + after : undefined;
}

function insertionsInto(
  literal: ObjectLiteralExpression,
  overlays: readonly string[],
): ReturnType<typeof insertElements> | undefined {
  const [file] = ['openapi', 'asyncapi'].flatMap((member) => assignmentOf(literal, member) ?? []);
  const quote = file?.getInitializer()?.getText().charAt(0) === '"' ? '"' : "'";
  const paths = overlays.map((path) =>
    quote === '"' ? JSON.stringify(path) : `'${path.replaceAll(/['\\]/gu, String.raw`\$&`)}'`,
  );
  const property = literal.getProperty((candidate) => nameOf(candidate) === 'overlays');
  if (property === undefined) {
    const isQuoted = Node.isStringLiteral(file?.getNameNode());
    const key = isQuoted ? `${quote}overlays${quote}` : 'overlays';
    return insertElements(literal, [`${key}: [${paths.join(', ')}]`]);
  }
  const list = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  return Node.isArrayLiteralExpression(list) ? insertElements(list, paths) : undefined;
}

/** Returns whether an object literal names the documents of a contract. */
function isContract(literal: ObjectLiteralExpression, contract: ContractFiles): boolean {
  return (['openapi', 'asyncapi'] as const).every((member) => {
    const value = assignmentOf(literal, member)?.getInitializer();
    const path =
      Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value)
        ? value.getLiteralText()
        : undefined;
    return path === contract[member];
  });
}

function assignmentOf(
  literal: ObjectLiteralExpression,
  member: string,
): PropertyAssignment | undefined {
  return literal
    .getProperties()
    .filter(Node.isPropertyAssignment)
    .find((property) => nameOf(property) === member);
}

/** Returns the name of a property that is written as an identifier or a string. */
function nameOf(property: Node): string | undefined {
  if (!Node.isPropertyAssignment(property) && !Node.isShorthandPropertyAssignment(property))
    return undefined;
  const name = property.getNameNode();
  if (Node.isStringLiteral(name)) return name.getLiteralText();
  return Node.isIdentifier(name) ? name.getText() : undefined;
}
