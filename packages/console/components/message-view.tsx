import type { JSX } from 'preact';
import { CodeText } from './code-text.tsx';
import { Copyable } from './copyable.tsx';
import { prettyJson, visibleText } from './visible-text.ts';

/** A body as a console shows it. */
export interface ShownBody {
  /** `base64` where the bytes are not UTF-8. */
  readonly encoding: 'utf-8' | 'base64';
  /** The body, or its first part. */
  readonly text: string;
  /** The number of bytes of the whole body. */
  readonly size: number;
}

/** What a value violates, and where. */
export interface ShownViolation {
  readonly pointer: string | undefined;
  readonly keyword: string;
  readonly message: string;
}

/** The headers of a request or a response. */
export function HeaderTable(props: {
  readonly headers: readonly (readonly [name: string, value: string])[];
}): JSX.Element | undefined {
  if (props.headers.length === 0) return undefined;
  return (
    <table class="header-table">
      <tbody>
        {props.headers.map(([name, value], index) => (
          <tr key={index}>
            <th scope="row">{visibleText(name)}</th>
            <td>
              <code>{visibleText(value)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A body, with what it violates beside it. */
export function BodyView(props: {
  readonly caption: string;
  readonly body: ShownBody;
  readonly violations?: readonly ShownViolation[];
}): JSX.Element | undefined {
  const { body, caption, violations = [] } = props;
  if (body.size === 0) return undefined;
  const text = body.encoding === 'base64' ? body.text : prettyJson(body.text);
  const size = `${body.size.toLocaleString('en')} bytes${body.encoding === 'base64' ? ', in Base64' : ''}`;
  const payload = <Copyable caption={`${caption}, ${size}`} text={text} />;
  if (violations.length === 0) return payload;
  return (
    <div class="beside">
      {payload}
      <ViolationList violations={violations} />
    </div>
  );
}

/** What a value violates. */
export function ViolationList(props: {
  readonly violations: readonly ShownViolation[];
  /** The number of further ones. */
  readonly omitted?: number;
}): JSX.Element {
  const { violations, omitted = 0 } = props;
  return (
    <ul class="violations" aria-label="Violations">
      {violations.map(({ pointer, keyword, message }, index) => (
        <li key={index}>
          {pointer !== undefined && (
            <code>{visibleText(pointer === '' ? '(the whole payload)' : pointer)}</code>
          )}
          <span>
            <CodeText text={message} /> <i class="keyword">{keyword}</i>
          </span>
        </li>
      ))}
      {omitted > 0 && <li>{omitted} more</li>}
    </ul>
  );
}
