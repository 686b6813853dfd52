import type { SimulatorContext } from '../context.ts';
import type { CheckStep } from '../entry.ts';
import type { Json } from 'countersign/kit';
import type { Parameters } from './decode-parameters.ts';
import { compileSecret } from './equal-secrets.ts';
import type { ReceivedCall } from './received-call.ts';
import { failed, passed } from './scheme-check.ts';

type CheckCredentials = (
  call: ReceivedCall,
  parameters: Parameters,
  body: Json | undefined,
) => readonly CheckStep[];

/** Compiles the check of the credentials that a token request carries. */
export function compileTokenCredentials(
  operation: string,
  { description, credentials }: Pick<SimulatorContext, 'description' | 'credentials'>,
): CheckCredentials {
  const isAuthenticated = description.operations.some(
    ({ name, security }) =>
      name === operation && security.length > 0 && security.every((all) => all.length > 0),
  );
  const sent = description.credentials.flatMap(({ name, sentBy, isPublic }) =>
    sentBy?.operation === operation && isPublic !== true
      ? [{ name, sentBy, isRight: compileSecret(credentials[name] ?? '') }]
      : [],
  );
  const ok = [passed('token', 'The credentials of the token request are right.')];
  return (call, parameters, body) => {
    const credentialValues = sent.map((credential) => {
      const { in: place, name: member } = credential.sentBy;
      const source = place === 'body' ? body : parameters[place];
      const value = memberOf(source, place === 'header' ? member.toLowerCase() : member);
      return { ...credential, value };
    });
    // Of several ways to authenticate a token request, one suffices.
    const mayBeAbsent =
      isAuthenticated || credentialValues.some(({ value }) => value !== undefined);
    const steps = credentialValues.flatMap(({ name, sentBy, isRight, value }) => {
      const { in: place, name: member, isOptional = false } = sentBy;
      if (value === undefined && isOptional && mayBeAbsent) return [];
      if (value !== undefined && isRight(value)) return [];
      if (value !== undefined) call.secrets.add(value);
      const where =
        place === 'body'
          ? `the property \`${member}\` of the body`
          : `the ${place} parameter \`${member}\``;
      return [
        failed(
          'token',
          value === undefined ? 'missing-token-credential' : 'wrong-token-credential',
          value === undefined
            ? `A credential is missing: ${where}.`
            : `The credential in ${where} is not that of the simulator.`,
          `Send the credential \`${name}\`, which the simulator prints at its start, as ${where}.`,
        ),
      ];
    });
    return sent.length === 0 ? [] : steps.length === 0 ? ok : steps;
  };
}

function memberOf(value: Json | undefined, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const member = Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined;
  return member === undefined || typeof member === 'object' ? undefined : String(member);
}
