/**
 * The configured type for strings of one format. A PascalCase name creates a branded string of that name. A template
 * literal type, with its backticks, is used as it is. `type` is imported from the module `from`; it must be a type that
 * strings can have.
 */
export type FormatSetting = string | { readonly type: string; readonly from: string };
