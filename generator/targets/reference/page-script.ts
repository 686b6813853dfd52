import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import { templateFolder } from '../built-in.ts';

/** The scripts of the page, bundled: one that runs ahead of the first paint, one that runs behind the page. */
export interface PageScripts {
  readonly theme: string;
  readonly main: string;
}

/** Absolute paths of every source of the page's scripts: their own modules, and those of the signing runtime. */
export function scriptSources(): readonly string[] {
  return [...sourcesOf(pageFolder()), ...sourcesOf(signingFolder())];
}

/**
 * Bundles the scripts of the page: the same text for the same sources. The signing runtime is bundled from the source
 * that is published with it, so that the page computes with what clients and receivers run.
 */
export async function bundleScripts(): Promise<PageScripts> {
  const { default: compiler } = await import('typescript');
  const modules = new Map<string, string>();
  const main = bundle(join(pageFolder(), 'main.ts'), modules, compiler);
  const theme = bundle(join(pageFolder(), 'theme.ts'), new Map(), compiler);
  return { main, theme };
}

function bundle(entry: string, modules: Map<string, string>, compiler: typeof ts): string {
  const ids = new Map<string, number>();
  const idOf = (path: string): number => {
    const known = ids.get(path);
    if (known !== undefined) return known;
    const id = ids.size;
    ids.set(path, id);
    const code = toCommonJs(readFileSync(path, 'utf8'), compiler);
    // Compiled modules ask for one another by literal specifiers only; a module that asks for itself in a cycle is found.
    modules.set(
      String(id),
      code.replaceAll(
        /\brequire\("([^"]+)"\)/gu,
        (_, specifier: string) => `require(${idOf(resolveModule(path, specifier))})`,
      ),
    );
    return id;
  };
  idOf(entry);
  const table = Array.from(modules)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([id, code]) => `${id}:(require,exports)=>{${code}\n}`)
    .join(',\n');
  const text = `(()=>{const modules={${table}};const loaded={};const require=(id)=>{if(!loaded[id]){loaded[id]={};modules[id](require,loaded[id]);}return loaded[id];};require(0);})();`;
  if (/<\/script|<!--/iu.test(text))
    throw new TypeError('A script of the page would end its element.');
  return text;
}

function toCommonJs(text: string, compiler: typeof ts): string {
  const { outputText } = compiler.transpileModule(text, {
    compilerOptions: {
      module: compiler.ModuleKind.CommonJS,
      target: compiler.ScriptTarget.ES2022,
      removeComments: true,
      verbatimModuleSyntax: false,
      esModuleInterop: false,
      newLine: compiler.NewLineKind.LineFeed,
    },
  });
  return outputText
    .replace('"use strict";\n', '')
    .replace('Object.defineProperty(exports, "__esModule", { value: true });\n', '')
    .trim();
}

function resolveModule(from: string, specifier: string): string {
  // In a browser `#hmac` is WebCrypto, as the runtime's own manifest has it.
  if (specifier === '#hmac') return join(signingFolder(), 'hmac-web.ts');
  if (specifier === '@countersign/signing') return join(signingFolder(), 'index.ts');
  const internal = /\/signing\/src\/([\w-]+\.ts)$/u.exec(specifier)?.[1];
  return internal === undefined ? join(dirname(from), specifier) : join(signingFolder(), internal);
}

function pageFolder(): string {
  return join(templateFolder('reference'), 'page');
}

function signingFolder(): string {
  return join(
    dirname(fileURLToPath(import.meta.resolve('@countersign/signing/package.json'))),
    'src',
  );
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => join(folder, basename(name)));
}
