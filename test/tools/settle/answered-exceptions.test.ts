import { expect, it } from 'vitest';
import { withoutExceptions } from '../../../generator/tools/settle/answered-exceptions.ts';

const exception = { rule: 'uncited-fact', at: 'openapi#/info', reason: 'Asked.' } as const;
const literal = "{ rule: 'uncited-fact', at: 'openapi#/info', reason: 'Asked.' }";
const path = 'countersign.config.mjs';
const before = `export default { overlays: [], lint: { exceptions: [${literal}] } };\n`;
const after = 'export default { overlays: [], lint: { exceptions: [] } };\n';
const plan = { creates: [], edits: [], settled: [], unchanged: [], contract: {} };
const other = { path: 'answers.yaml', before: 'a', after: 'b' };

it('a plan without exceptions stays as it is', () => {
  expect(withoutExceptions(plan, { path, text: before }, [])).toEqual({ plan, left: [] });
});

it('the configuration loses the exceptions, beside the other changes', () => {
  const { plan: changed, left } = withoutExceptions(
    { ...plan, edits: [other] },
    { path, text: before },
    [exception],
  );
  expect(changed.edits).toEqual([{ path, before, after }, other]);
  expect(left).toEqual([]);
});

it('the configuration that gets an overlay loses them too, in one change', () => {
  const edit = { path, before, after: before.replace('[]', "['answers.yaml']") };
  const { plan: changed } = withoutExceptions(
    { ...plan, edits: [edit, other] },
    { path, text: before },
    [exception],
  );
  expect(changed.edits).toEqual([
    { path, before, after: after.replace('[]', "['answers.yaml']") },
    other,
  ]);
});

it('what the configuration computes is left to somebody', () => {
  const text = 'export default { lint: { exceptions: exceptions() } };\n';
  const edited = { ...plan, edits: [other] };
  expect(withoutExceptions(edited, { path, text }, [exception])).toEqual({
    plan: edited,
    left: [exception],
  });
});
