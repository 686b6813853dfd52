import { listTexts } from '../../diagnostics/list-texts.ts';
import {
  type FrameworkApplication,
  nodeServer,
  servers,
  serving,
} from '../../targets/printing/framework-application.ts';
import { frameworks as packages } from '../../targets/printing/frameworks.ts';

type Texts = Readonly<Record<string, string>>;

/** A framework that `countersign scaffold` supports. */
export interface ScaffoldFramework extends FrameworkApplication {
  readonly name: string;
  /** The display name. */
  readonly title: string;
  /** The target that generates the receiving package. */
  readonly target: string;
  /** The function of that package that creates the receiver of a new application. */
  readonly factory: string;
  /** Version ranges, by package name. */
  readonly dependencies: Texts;
}

/** All frameworks, in the order in which the help lists them: those with a package, then the standards of the Web. */
export const frameworks: readonly ScaffoldFramework[] = [
  ...Object.entries(packages).map(([name, framework]): ScaffoldFramework => {
    const { title, maker, application, peers, optionalPeers, applicationTypes } = framework;
    const { '@types/node': _, ...imported } = { ...peers, ...optionalPeers };
    return {
      ...application,
      name,
      title,
      target: `webhooks-${name}`,
      factory: maker,
      dependencies: { ...newestOf(imported), ...application.dependencies },
      devDependencies: { ...applicationTypes, ...application.devDependencies },
    };
  }),
  {
    ...servers,
    name: 'fetch',
    title: 'the standards of the Web',
    target: 'webhooks',
    factory: 'createWebhooks',
    mount: { code: 'export default { fetch: webhooks.fetch }' },
    files: { ...serving, 'src/app.ts': 'app.fetch.ts' },
    about: {
      'src/app.ts': 'the application: what Deno, Bun and other platforms with `fetch` call',
      'src/main.ts': 'starts it on Node',
      'src/stop.ts': 'ends it',
    },
    dependencies: nodeServer,
  },
];

/** The names of all frameworks, as a sentence lists them: `node, express or fetch`. */
export const frameworkChoices: string = listTexts(
  frameworks.map(({ name }) => name),
  'or',
);

/** The names of the frameworks whose applications can have an inbox. */
export const inboxFrameworkChoices: string = listTexts(
  frameworks.filter(({ withoutInbox }) => withoutInbox === undefined).map(({ name }) => name),
  'or',
);

/** Returns the ranges of the newest major version: the last alternative of each range. */
function newestOf(ranges: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => [name, range.split(' || ').at(-1) ?? range]),
  );
}
