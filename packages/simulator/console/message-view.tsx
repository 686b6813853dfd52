import type { JSX } from 'preact';
import { Copyable } from './copyable.tsx';
import type { RecordedBody, RecordedRequest, Violation } from './types.ts';
import { prettyJson, visibleText } from './visible-text.ts';

/** The headers of a request or a response. */
export function HeaderTable(props: {
  readonly headers: RecordedRequest['headers'];
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
  readonly body: RecordedBody;
  readonly violations?: readonly Violation[];
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
export function ViolationList(props: { readonly violations: readonly Violation[] }): JSX.Element {
  return (
    <ul class="violations" aria-label="Violations">
      {props.violations.map(({ pointer, keyword, message }, index) => (
        <li key={index}>
          <code>{visibleText(pointer === '' ? '(the whole payload)' : pointer)}</code>
          <span>
            {visibleText(message)} <i class="keyword">{keyword}</i>
          </span>
        </li>
      ))}
    </ul>
  );
}
