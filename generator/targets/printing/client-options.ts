import { oneOf, type SettingCheck } from '../../diagnostics/setting-checks.ts';

/** How an array of scalars inside `deepObject` is written: `tags[0]=a`, `tags[]=a` or repeated `tags=a`. */
export type NestedArrays = (typeof nestedArrays)[number];

const nestedArrays = ['indices', 'brackets', 'repeat'] as const;

/** The options of the target `client`. */
export interface ClientOptions {
  /**
   * How clients write an array of scalars inside a `deepObject` parameter or form property; default `indices`. OpenAPI
   * does not define it. Arrays that hold objects or arrays always have indices.
   */
  readonly nestedArrays?: NestedArrays;
}

/** The checks of the options of the target `client`. */
export const clientOptions: Readonly<Record<keyof ClientOptions, SettingCheck>> = {
  nestedArrays: oneOf(...nestedArrays),
};

/** Returns the option `nestedArrays` of the first target that has it, given the options of targets. */
export function nestedArraysOf(...options: readonly (object | undefined)[]): NestedArrays {
  const values = options.map((of): unknown => of !== undefined && Reflect.get(of, 'nestedArrays'));
  return nestedArrays.find((choice) => choice === values.find(Boolean)) ?? 'indices';
}
