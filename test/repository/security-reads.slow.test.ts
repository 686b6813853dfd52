import { relative, sep } from 'node:path';
import { ts } from 'ts-morph';
import { expect, it } from 'vitest';
import { root } from './tree-files.ts';

/** The rooms that decide what security means, compare it, or show it as the contract has it. */
const readers = /^generator\/(?:contract|rules|tools\/explain)\/|^packages\/(?:diff|reference)\//u;

/** Returns the files of the toolkit that read `security` of an operation or a notification of the model. */
function readSecurity(): readonly string[] {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) =>
    ts.sys.readFile(path),
  ) as {
    config: object;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = fileNames.filter((path) => /^(?:generator|packages)\//u.test(nameOf(path)));
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const reads = (node: ts.Node): boolean =>
    isOfModel(
      ts.isPropertyAccessExpression(node) && node.name.text === 'security'
        ? checker.getSymbolAtLocation(node.name)
        : ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'security'
          ? checker.getTypeAtLocation(node.parent).getProperty('security')
          : undefined,
    ) || ts.forEachChild(node, (child) => reads(child) || undefined) === true;
  return files.filter((path) => {
    const file = program.getSourceFile(path);
    return file !== undefined && reads(file);
  });
}

function isOfModel(symbol: ts.Symbol | undefined): boolean {
  return (symbol?.declarations ?? []).some(
    ({ parent }) =>
      ts.isInterfaceDeclaration(parent) &&
      ['Operation', 'Notification'].includes(parent.name.text) &&
      nameOf(parent.getSourceFile().fileName) === 'generator/contract/contract.ts',
  );
}

function nameOf(path: string): string {
  return relative(root, path).split(sep).join('/');
}

it('what a call or a notification requires is decided in contract/, and read as a fact elsewhere', () => {
  const names = readSecurity().map(nameOf);
  // Otherwise, the search has found nothing, and proves nothing.
  expect(names).toContain('generator/contract/authentication.ts');
  expect(names.filter((name) => !readers.test(name))).toEqual([]);
});
