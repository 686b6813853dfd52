import {
  fetchApplication,
  type FrameworkApplication,
  frameworks as packages,
} from 'countersign/companion/frameworks';
import { listTexts } from 'countersign/companion/terminal';

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
    ...fetchApplication,
    name: 'fetch',
    title: 'the standards of the Web',
    target: 'webhooks',
    factory: 'createWebhooks',
  },
];

/** @throws TypeError if there is no framework with this name */
export function frameworkNamed(name: string): ScaffoldFramework {
  const framework = frameworks.find((candidate) => candidate.name === name);
  if (framework === undefined) throw new TypeError(`There is no framework ${name}.`);
  return framework;
}

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

/** The names of the frameworks whose applications can forward to an engine. */
export const forwardFrameworkChoices: string = listTexts(
  frameworks.filter(({ withoutForward }) => withoutForward === undefined).map(({ name }) => name),
  'or',
);

/** Returns the ranges of the newest major version: the last alternative of each range. */
function newestOf(ranges: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => [name, range.split(' || ').at(-1) ?? range]),
  );
}
