import { BaseResolver, type Source } from '@redocly/openapi-core';

/** Resolves no references to files: a bundled document needs no other file. */
export class ClosedResolver extends BaseResolver {
  override loadExternalRef(path: string): Promise<Source> {
    return Promise.reject(new Error(`\`${path}\` is not part of the document.`));
  }
}
