import type { SimulatorContext } from '../context.ts';
import type { CheckStep } from '../entry.ts';
import type { AccessToken, OrUnstated } from 'countersign/kit';
import type { ServedScheme } from '../service.ts';
import type { AccessTokens, TokenState } from './access-tokens.ts';
import { placeOf, readApiKeys } from './api-key-check.ts';
import { failed, passed, type SchemeCheck } from './scheme-check.ts';

/** Compiles the check of access tokens that an operation of the contract issues. */
export function compileToken(
  scheme: ServedScheme,
  accessToken: AccessToken,
  tokens: AccessTokens,
  context: Pick<SimulatorContext, 'settle' | 'description'>,
): SchemeCheck {
  const template = context.settle(accessToken.value);
  const [before = '', after = ''] = template.split('{token}');
  const place = placeOf(scheme);
  const issuing = context.description.operations.find(({ id }) => id === accessToken.operation);
  const obtain = `Call \`${issuing?.name ?? accessToken.operation}\` and send the token of its response.`;
  const ok = [passed('token', 'The access token is valid.')];
  const fail = (code: string, message: string, fix: string): readonly CheckStep[] => [
    failed('token', code, message, fix),
  ];
  return {
    rank: 2,
    ...(before.toLowerCase().startsWith('bearer') ? { challenge: 'Bearer' } : {}),
    isPresent: (call) => readApiKeys(call, scheme).length > 0,
    check(call) {
      const values = readApiKeys(call, scheme);
      const [value = ''] = values;
      for (const sentSecret of values)
        call.secrets.add(sentSecret).add(sentSecret.replace(/^\S+ +/u, ''));
      if (value === '')
        return fail('missing-token', `The access token is missing from ${place}.`, obtain);
      if (values.length > 1)
        return fail('repeated-token', `There is more than one access token in ${place}.`, obtain);
      if (value.startsWith(before) && value.endsWith(after)) {
        const token = value.slice(before.length, value.length - after.length);
        const state = tokens.stateOf(scheme.id, token);
        if (state.kind === 'valid') return ok;
        const other = otherForm(value, template, accessToken.value, context);
        return other === undefined
          ? fail(`${state.kind}-token`, describe(state), obtain)
          : fail(other.code, other.message, other.fix);
      }
      const { code, message, fix } = otherForm(value, template, accessToken.value, context) ?? {
        code: 'token-form',
        message: `The access token in ${place} is not written as \`${template}\`.`,
        fix: `Write it as \`${template}\`.`,
      };
      return fail(code, message, fix);
    },
  };
}

function describe(state: TokenState): string {
  switch (state.kind) {
    case 'expired':
      return `The lifetime of the access token ended ${state.secondsAgo} s ago.`;
    case 'revoked':
      return 'The access token was revoked.';
    default:
      return 'The simulator did not issue this access token.';
  }
}

/** Returns the failure of a token that is written with the word Bearer where the contract has it without, or reversed. */
function otherForm(
  value: string,
  template: string,
  stated: OrUnstated<string>,
  { description }: Pick<SimulatorContext, 'description'>,
): { readonly code: string; readonly message: string; readonly fix: string } | undefined {
  const hasWord = /^bearer /iu.test(value);
  const wantsWord = /^bearer /iu.test(template);
  if (hasWord === wantsWord && !(hasWord && !value.startsWith('Bearer '))) return undefined;
  const question =
    typeof stated === 'object'
      ? description.unstated.find(({ id }) => id === stated.unstated)
      : undefined;
  const choice = question?.choices.find(
    ({ value: form }) => typeof form === 'string' && /^bearer /iu.test(form) === hasWord,
  );
  const answer =
    question === undefined || choice === undefined || hasWord === wantsWord
      ? ''
      : ` If the service accepts it, answer the open question: \`--answer ${question.id}=${choice.name}\`.`;
  return {
    code: hasWord ? (wantsWord ? 'token-form' : 'token-with-bearer') : 'token-without-bearer',
    message: hasWord
      ? `The access token follows the word Bearer, but the header is \`${template}\`.`
      : `The access token is alone, but the header is \`${template}\`.`,
    fix: `Write the header's value as \`${template}\`.${answer}`,
  };
}
