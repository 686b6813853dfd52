import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { formats } from '../../../../generator/validators/formats.ts';
import { toMemberName } from '../../../../generator/contract/names.ts';
import type { WebhooksDocument } from './to-overlay.ts';

/** What a validator has against a payload: a keyword and the place of the value. */
export type Objection = `${string} ${string}`;

/**
 * Validates payloads by the document as it is published, with Ajv at run time and nothing of the toolkit's but what it
 * takes the names of formats for: what a receiver refuses and this accepts is refused wrongly.
 */
export class DocumentValidator {
  readonly #validators = new Map<string, () => ValidateFunction>();

  constructor(document: WebhooksDocument) {
    const ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      logger: false,
      inlineRefs: false,
      code: { optimize: false },
    });
    for (const [name, format] of formats) {
      if (format.type === 'string') ajv.addFormat(name, format.expression);
      else ajv.addFormat(name, true);
    }
    for (const name of ['uri-template', 'repo.nwo']) ajv.addFormat(name, true);
    ajv.addSchema(document, 'document');
    for (const webhook of Object.keys(document.webhooks)) {
      const place = ['webhooks', webhook, 'post/requestBody/content/application~1json/schema'];
      const reference = `document#/${place.join('/')}`;
      this.#validators.set(toMemberName(webhook), () => ajv.compile({ $ref: reference }));
    }
  }

  /** What the document's schema of a webhook has against a payload; none where it is valid. */
  objections(kind: string, payload: unknown): readonly Objection[] {
    const compile = this.#validators.get(kind);
    if (compile === undefined) throw new Error(`The document has no webhook ${kind}`);
    const validate = compile();
    this.#validators.set(kind, () => validate);
    validate(payload);
    return (validate.errors ?? []).map(
      ({ instancePath, keyword }): Objection => `${instancePath} ${keyword}`,
    );
  }
}
