/** Redocly's names for the specifications. */
export type SpecVersion =
  | 'oas3_0'
  | 'oas3_1'
  | 'oas3_2'
  | 'async2'
  | 'async3'
  | 'arazzo1'
  | 'arazzo1_1';
