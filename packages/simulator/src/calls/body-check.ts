import { essenceOf, isJsonType } from '@countersign/runtime/base';
import type { CheckStep } from '../entry.ts';
import type { Json } from 'countersign/kit';
import type { ServedOperation, Service, Violation } from '../service.ts';
import { compileBody } from './decode-body.ts';
import { findContent, formType } from '../media-type.ts';
import { maxViolations } from '../record.ts';
import type { ReceivedCall } from './received-call.ts';
import { failed, passed } from './scheme-check.ts';

/** The steps of a body's checks, and its value where it has one. */
export interface CheckedBody {
  readonly steps: readonly CheckStep[];
  readonly value?: Json;
}

const problems = {
  'not-utf-8': ['The body is not UTF-8.', 'Encode the body as UTF-8.'],
  'malformed-json': ['The body is not JSON.', 'Serialize the body as JSON.'],
  'malformed-form': [
    'The parts of the body cannot be read.',
    'Send the boundary of `Content-Type` between the parts.',
  ],
} as const;

const formAsJson = `Send the fields as ${formType}, such as \`name=value&other=value\`, and not as JSON.`;

/** Compiles the checks of an operation's body: its presence, media type, syntax and schema. */
export function compileBodyCheck(
  { requestBody }: ServedOperation,
  { checks }: Pick<Service, 'checks'>,
): (call: ReceivedCall) => Promise<CheckedBody> {
  if (requestBody === undefined) return async () => ({ steps: [] });
  const content = requestBody.content.map((media) => ({
    mediaType: media.mediaType,
    essence: essenceOf(media.mediaType),
    decode: compileBody(media),
    check: media.schema === undefined ? undefined : checks.get(media.schema),
  }));
  const declared = content.map(({ essence }) => essence).join(', ');
  const typeOk = passed('media-type', 'The contract declares the media type of the body.');
  const bodyOk = passed('body', 'The body is valid.');
  const fix = `Send \`Content-Type: ${content[0]?.essence ?? 'application/json'}\` and a body of this type.`;

  return async (call) => {
    if (call.body.length === 0)
      return requestBody.required
        ? {
            steps: [
              failed(
                'body',
                'missing-body',
                `The body is missing. The contract declares ${declared}.`,
                fix,
              ),
            ],
          }
        : { steps: [] };
    const contentType = call.headers('content-type')[0] ?? '';
    const essence = essenceOf(contentType);
    const matchingMedia = findContent(content, contentType);
    const coding = call.headers('content-encoding')[0] ?? 'identity';
    if (coding !== 'identity')
      return {
        steps: [
          failed(
            'media-type',
            'encoded-body',
            'The body is compressed.',
            'Send the body without `Content-Encoding`.',
          ),
        ],
      };
    if (matchingMedia === undefined)
      return { steps: [mediaTypeStep(essence, declared, content, fix)] };
    const bytes = Uint8Array.from(call.body);
    const decoded = await matchingMedia.decode(bytes, contentType);
    if ('problem' in decoded) {
      if (decoded.problem === 'json-in-form')
        return {
          steps: [
            typeOk,
            failed(
              'body',
              'form-as-json',
              'The body is JSON, but `Content-Type` is that of a form.',
              formAsJson,
            ),
          ],
        };
      const [message, repair] = problems[decoded.problem];
      return { steps: [typeOk, failed('body', decoded.problem, message, repair)] };
    }
    const { value } = decoded;
    if (matchingMedia.check === undefined || matchingMedia.check.accepts(value))
      return { steps: [typeOk, bodyOk], value };
    return {
      steps: [
        typeOk,
        invalid('body', 'invalid-body', 'The body', matchingMedia.check.violations(value)),
      ],
      value,
    };
  };
}

function mediaTypeStep(
  essence: string,
  declared: string,
  content: readonly { readonly essence: string }[],
  fix: string,
): CheckStep {
  const has = (matches: (mediaType: string) => boolean): boolean =>
    content.some((media) => matches(media.essence));
  if (essence === '')
    return failed('media-type', 'missing-media-type', 'The header `Content-Type` is missing.', fix);
  if (isJsonType(essence) && has((mediaType) => mediaType === formType))
    return failed(
      'media-type',
      'form-as-json',
      'The body is JSON, but the contract declares a form.',
      formAsJson,
    );
  if (essence === formType && has(isJsonType))
    return failed(
      'media-type',
      'json-as-form',
      'The body is a form, but the contract declares JSON.',
      fix,
    );
  return failed(
    'media-type',
    'unknown-media-type',
    `The contract does not declare the media type of the body, only ${declared}.`,
    fix,
  );
}

/** Creates the step of a value that violates its schema. */
export function invalid(
  name: CheckStep['name'],
  code: string,
  subject: string,
  violations: readonly Violation[],
): CheckStep {
  const [first = { pointer: '', message: 'is not valid' }] = violations;
  const where = first.pointer === '' ? subject : `${subject} at \`${first.pointer}\``;
  const more = violations.length > 1 ? ` There are ${violations.length} violations.` : '';
  return {
    ...failed(
      name,
      code,
      `${where} ${first.message}.${more}`,
      'Change the values at the locations of the violations to what the contract states.',
    ),
    violations: violations.slice(0, maxViolations),
  };
}
