import { expect, it } from 'vitest';
import { completeContract } from '../../../../generator/contract/complete.ts';
import {
  planApplication,
  renderApplication,
} from '../../../../packages/create/src/scaffold/application.ts';
import { authenticationChoices } from '../../../../packages/create/src/scaffold/authentication.ts';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { hostileContract } from '../../../targets/webhooks/hostile-contract.ts';
import { rendererFor } from '../../../../packages/create/src/templates.ts';

const render = await rendererFor('scaffold');

/** Names of headers that RFC 9110 allows, and that a shell or a command line reads as something else. */
const names = ['x&calc', 'x|whoami', '`whoami`', '$HOME', '%PATH%', "x'y", '--import', '^x', '*x'];

/** Returns the commands of an application's scripts and README. */
function commandsOf(name: string, authentication: string): readonly string[] {
  const base = hostileContract('sign');
  const security = base.security.map((scheme) => ({
    ...scheme,
    id: scheme.id === 'sign' ? name : scheme.id,
    ...(scheme.signature && {
      signature: {
        ...scheme.signature,
        over: [`$request.header.${name}`, '$request.body'],
      },
    }),
  }));
  const renamed = { ...base, security };
  const contract = completeContract(renamed);
  expect(authenticationChoices(contract)).toContain(authentication);
  return frameworks.flatMap((framework) => {
    const application = planApplication(contract, {
      framework,
      folder: 'receiver',
      scope: '@trade',
      packageVersions: { [framework.target]: '1.2.3', webhooks: '1.2.3', simulator: '1.2.3' },
      packages: '../generated',
      hasSimulator: true,
      configuration: '../countersign.config.ts',
      authentication,
      answers: new Map([['question', 'sign']]),
    });
    const texts = new Map(
      renderApplication(application, render).map(({ path, text }) => [path, text]),
    );
    const manifest = JSON.parse(texts.get('package.json') ?? '') as {
      readonly scripts: Readonly<Record<string, string>>;
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(manifest.dependencies).toMatchObject({
      [`@trade/${framework.target}`]: `file:../generated/${framework.target}`,
    });
    const blocks = (texts.get('README.md') ?? '').matchAll(/```sh\n([^]*?)```/gu);
    return [...Object.values(manifest.scripts), ...Array.from(blocks, ([, block = '']) => block)];
  });
}

it('commands of an application have a name of the contract if every shell reads it as a word', () => {
  expect(commandsOf('x-name', 'x-name').join('\n')).toContain('--header-env x-name=');
});

it.each(names)('no command of an application has the name %j', (name) => {
  for (const authentication of [name, 'shared-secret'])
    for (const command of commandsOf(name, authentication)) expect(command).not.toContain(name);
});

it.each(['secret', 'public-key'])(
  'a signed header named %j is not sent with the secret of that name',
  (name) => {
    const commands = commandsOf(name, name).filter((command) => command.includes('--header-env'));
    expect(commands).not.toEqual([]);
    const variables = commands.join(' ').matchAll(/--header-env \S+=(\S+)/gu);
    for (const [, variable = ''] of variables) expect(variable).toMatch(/^WEBHOOK_HEADER_/u);
  },
);
