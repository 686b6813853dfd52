import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';

/** A position in a document, counted from 0. */
interface Position {
  readonly line: number;
  readonly character: number;
}

/** A client of yaml-language-server for one document. */
export interface LanguageServer {
  /** Continues with another document of the folder. */
  readonly open: (file: string) => void;
  /** Replaces the text, and returns the messages of what is wrong with it. */
  readonly check: (text: string) => Promise<readonly string[]>;
  /** Returns the labels of what can be written at a position. */
  readonly complete: (position: Position) => Promise<readonly string[]>;
  /** Returns the description at a position, as Markdown. */
  readonly describe: (position: Position) => Promise<string>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

interface Diagnostics {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly { readonly message: string }[];
}

/**
 * Starts yaml-language-server for a document of a folder, as an editor does, over stdio. It may neither use SchemaStore
 * nor the network.
 * @param settings the settings of the editor, as members of `yaml`
 */
export async function startLanguageServer(
  folder: string,
  file: string,
  settings: object = {},
): Promise<LanguageServer> {
  const manifest = createRequire(import.meta.url).resolve('yaml-language-server/package.json');
  const script = join(dirname(manifest), 'bin/yaml-language-server');
  const server = spawn(process.execPath, [script, '--stdio'], {
    cwd: folder,
    // A request to the network fails at once.
    env: { ...process.env, HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' },
  });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  let uri = pathToFileURL(join(folder, file)).href;
  const opened = new Set<string>();
  const yaml = {
    validate: true,
    completion: true,
    hover: true,
    schemaStore: { enable: false },
    http: { proxy: 'http://127.0.0.1:9', proxyStrictSSL: false },
    ...settings,
  };
  connection.onRequest(
    'workspace/configuration',
    ({ items }: { readonly items: readonly { readonly section?: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? yaml : section === 'http' ? yaml.http : {})),
  );
  connection.onRequest('client/registerCapability', () => null);
  const waiting = new Map<number, (messages: readonly string[]) => void>();
  let version = 0;
  connection.onNotification('textDocument/publishDiagnostics', (published: Diagnostics) => {
    if (published.uri !== uri) return;
    waiting.get(published.version ?? version)?.(
      published.diagnostics.map(({ message }) => message),
    );
  });
  connection.listen();
  const root = pathToFileURL(folder).href;
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: root,
    workspaceFolders: [{ uri: root, name: 'project' }],
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      textDocument: { hover: { contentFormat: ['markdown'] }, completion: {} },
    },
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('workspace/didChangeConfiguration', { settings: { yaml } });
  return {
    open: (next) => {
      uri = pathToFileURL(join(folder, next)).href;
    },
    check: async (text) => {
      version += 1;
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      waiting.set(version, resolve);
      const isNew = !opened.has(uri);
      opened.add(uri);
      if (isNew)
        await connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri, languageId: 'yaml', version, text },
        });
      else
        await connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
      return await promise;
    },
    complete: async (position) => {
      const result = await connection.sendRequest<
        | readonly { readonly label: string }[]
        | { readonly items: readonly { readonly label: string }[] }
      >('textDocument/completion', { textDocument: { uri }, position });
      const items = 'items' in result ? result.items : result;
      return items.map(({ label }) => label);
    },
    describe: async (position) => {
      const hover = await connection.sendRequest<{
        readonly contents: { readonly value: string };
      } | null>('textDocument/hover', { textDocument: { uri }, position });
      return hover?.contents.value ?? '';
    },
    [Symbol.asyncDispose]: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      connection.dispose();
      server.kill();
    },
  };
}
