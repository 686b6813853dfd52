import { describe, expect, it } from 'vitest';
import { NodeGroups } from '../../generator/schema/node-groups.ts';
import { SchemaNode } from '../../generator/schema/node.ts';

const [text, short, number] = [{ type: 'string' }, { maxLength: 3 }, { type: 'number' }] as const;

describe('numbering groups of schemas', () => {
  it('groups of the same schemas have the same number, in any order', () => {
    const groups = new NodeGroups();
    expect(groups.numberOf([new SchemaNode(text), new SchemaNode(short)])).toBe(0);
    expect(groups.numberOf([new SchemaNode(number)])).toBe(1);
    expect(groups.numberOf([new SchemaNode(short), new SchemaNode(text)])).toBe(0);
  });

  it('an equal schema at another location is another one', () => {
    const groups = new NodeGroups();
    groups.numberOf([new SchemaNode(text)]);
    expect(groups.numberOf([new SchemaNode({ ...text })])).toBe(1);
  });

  it('a group of no schema is a group', () => {
    const groups = new NodeGroups();
    expect(groups.numberOf([])).toBe(0);
    expect([...groups]).toEqual([[]]);
  });

  it('an iteration includes the groups that it adds, each once', () => {
    const groups = new NodeGroups();
    groups.numberOf([new SchemaNode(text)]);
    const seen: number[] = [];
    for (const group of groups) {
      seen.push(groups.numberOf(group));
      groups.numberOf([new SchemaNode(short)]);
      groups.numberOf([new SchemaNode(text)]);
    }
    expect(seen).toEqual([0, 1]);
  });
});
