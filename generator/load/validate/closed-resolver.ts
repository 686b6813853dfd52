import { BaseResolver, type Source } from '@redocly/openapi-core';

/** A bundled document needs no other file, so none is opened. */
export class ClosedResolver extends BaseResolver {
  override loadExternalRef(path: string): Promise<Source> {
    return Promise.reject(new Error(`\`${path}\` is not part of the document.`));
  }
}
