import { readPointer } from '../json-path.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification } from '../service.ts';
import { encodeForm } from './encode-form.ts';

/** Returns the query with the data of a notification, with its question mark; empty if the data is in the body. */
export function dataQuery({ encoding }: ServedNotification, payload: Json | undefined): string {
  const query = encoding === 'query' && payload !== undefined ? encodeForm(payload) : '';
  return query === '' ? '' : `?${query}`;
}

/**
 * Returns the path of a notification's label.
 * @param payload where parameters with a pointer have their values
 * @param parameterValues values of parameters, instead of those in the payload
 */
export function labelPath(
  { label }: Pick<ServedNotification, 'label'>,
  payload: Json | undefined,
  parameterValues: Readonly<Record<string, string>> = {},
): string {
  const { path, parameters } = label ?? { path: '', parameters: [] };
  return path.replaceAll(/\{([^{}]+)\}/gu, (_, name: string) => {
    const pointer = parameters.find((parameter) => parameter.name === name)?.inPayload;
    const payloadValue =
      pointer === undefined || payload === undefined ? undefined : readPointer(payload, pointer);
    const value = Object.hasOwn(parameterValues, name) ? parameterValues[name] : payloadValue;
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // A URL parser removes the segments `.` and `..`.
    return encodeURIComponent(
      (text === '' || text === '.' || text === '..' ? name : text).toWellFormed(),
    );
  });
}
