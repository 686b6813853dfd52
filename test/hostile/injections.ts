import { marked } from 'marked';
import { parse, parseFragment, type DefaultTreeAdapterMap } from 'parse5';
import ts from 'typescript';

/**
 * What of a text acts in a generated file, by the file's kind: an identifier or a module name in code, a key of a
 * manifest, a tag or an attribute of a page. Comments and literals do not act. A file that does not parse is said too.
 * @param isPayload whether a name is one that only the text has
 * @throws Error for a kind of file that nothing here reads
 */
export function injectionsIn(
  path: string,
  text: string,
  isPayload: (name: string) => boolean,
): readonly string[] {
  const kind = /\.(\w+)$/u.exec(path)?.[1] ?? path.slice(path.lastIndexOf('/') + 1);
  switch (kind) {
    case 'ts':
    case 'js':
    case 'mjs':
      return injectionsInCode(path, text, isPayload);
    case 'json':
      return injectionsInJson(path, text, isPayload);
    case 'md':
      return injectionsInMarkdown(text, isPayload);
    case 'html':
      return injectionsInPage(parse(text), isPayload);
    case 'LICENSE':
      return [];
    default:
      throw new Error(`Nothing reads ${path}`);
  }
}

type IsPayload = (name: string) => boolean;

/** Comments that TypeScript obeys; it keeps what it found in members that it does not publish. */
interface Directives {
  readonly parseDiagnostics: readonly { readonly messageText: unknown }[];
  readonly commentDirectives?: readonly unknown[];
  readonly checkJsDirective?: unknown;
}

function injectionsInCode(path: string, text: string, isPayload: IsPayload): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const { parseDiagnostics, commentDirectives, checkJsDirective } = file as unknown as Directives;
  const injections = parseDiagnostics.map(({ messageText }) => `syntax: ${String(messageText)}`);
  if ((commentDirectives?.length ?? 0) > 0 || checkJsDirective !== undefined)
    injections.push('a comment that TypeScript obeys');
  for (const { fileName } of [
    ...file.referencedFiles,
    ...file.typeReferenceDirectives,
    ...file.libReferenceDirectives,
  ])
    injections.push(`reference: ${fileName}`);
  const visit = (node: ts.Node): void => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && isPayload(node.text))
      injections.push(node.text);
    const specifier = specifierOf(node);
    if (specifier !== undefined && isPayload(specifier.getText(file)))
      injections.push(`module: ${specifier.getText(file)}`);
    if (evaluates(node)) injections.push(`evaluates: ${node.getText(file)}`);
    for (const tag of ts.getJSDocTags(node))
      if (isPayload(tag.tagName.text)) injections.push(`tag: ${tag.tagName.text}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return injections;
}

/** What names a module, in every form of import. */
function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.argument;
  if (!ts.isCallExpression(node)) return undefined;
  const isImport =
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(node.expression) && node.expression.text === 'require');
  return isImport ? node.arguments[0] : undefined;
}

/** Whether text becomes code when the program runs. */
function evaluates(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const { expression } = node;
  return ts.isIdentifier(expression) && ['eval', 'Function'].includes(expression.text);
}

/** Members of a `package.json` that are text for people. */
const proseOfManifest = ['description', 'license', 'keywords'];

function injectionsInJson(path: string, text: string, isPayload: IsPayload): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return [`syntax: ${String(error)}`];
  }
  const isSettings = /(?:^|\/)(?:package|tsconfig[\w.]*)\.json$/u.test(path);
  if (!isSettings || typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([member]) => !proseOfManifest.includes(member))
    .filter((entry) => isPayload(JSON.stringify(entry)))
    .map(([member]) => `setting: ${member}`);
}

function injectionsInMarkdown(text: string, isPayload: IsPayload): readonly string[] {
  const injections: string[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'html') {
      // Whose text it is does not matter: generated pages hold no markup but the comment they begin with.
      const isNotice = /^<!--[^<>]*-->\s*$/u.test(token.raw) && !isPayload(token.raw);
      if (!isNotice) injections.push(`markup: ${token.raw}`);
    } else if (token.type === 'link' || token.type === 'image') {
      const href = String(token['href']);
      if (!/^(?:https?:\/\/|mailto:|#|\.{0,2}\/?[\w./-]*$)/u.test(href))
        injections.push(`link: ${href}`);
    } else if (token.type === 'code') {
      const language = String(token['lang'] ?? '');
      const code = String(token['text']);
      if (/^(?:ts|js)$/u.test(language))
        injections.push(...injectionsInCode(`example.${language}`, code, isPayload));
      if (/^(?:sh|bash|console)$/u.test(language) && isPayload(code))
        injections.push(`shell: ${code}`);
    }
  });
  return injections;
}

type Node = DefaultTreeAdapterMap['node'];

/** Data that a page keeps for its scripts, by the type of the element. */
const dataTypes = new Set(['application/json', 'text/html']);

function injectionsInPage(root: Node, isPayload: IsPayload): readonly string[] {
  const injections: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeName === '#comment' && 'data' in node && isPayload(node.data))
      injections.push(`comment: ${node.data}`);
    if ('tagName' in node) injections.push(...injectionsInElement(node, isPayload));
    if ('content' in node) visit(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(root);
  return injections;
}

function injectionsInElement(
  element: DefaultTreeAdapterMap['element'],
  isPayload: IsPayload,
): readonly string[] {
  const injections: string[] = [];
  const { tagName, attrs } = element;
  if (isPayload(tagName)) injections.push(`tag: ${tagName}`);
  for (const { name, value } of attrs) {
    if (isPayload(name) || name.startsWith('on') || name === 'style')
      injections.push(`attribute: ${name}`);
    const leads = ['href', 'src', 'action', 'formaction', 'srcdoc'].includes(name);
    if (leads && !value.startsWith('#')) injections.push(`leads to: ${value}`);
  }
  const inside = element.childNodes
    .map((child) => (child.nodeName === '#text' && 'value' in child ? child.value : ''))
    .join('');
  if (tagName === 'style' && isPayload(inside)) injections.push('style');
  if (tagName === 'script') {
    const type = attrs.find(({ name }) => name === 'type')?.value ?? '';
    if (type === 'text/html')
      injections.push(...injectionsInPage(parseFragment(inside), isPayload));
    else if (type === 'application/json')
      injections.push(...injectionsInJson('data', inside, isPayload));
    else if (!dataTypes.has(type))
      injections.push(...injectionsInCode('page.js', inside, isPayload));
  }
  return injections;
}
