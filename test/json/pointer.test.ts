import { describe, expect, it } from 'vitest';
import { pointerMembers, toPointer } from '../../generator/json/pointer.ts';

describe('the members of a pointer', () => {
  it.each([
    ['openapi#', []],
    ['', []],
    ['openapi#/paths/~1token/post', ['paths', '/token', 'post']],
    ['#/a~0b', ['a~b']],
    ['/a#b/c', ['a#b', 'c']],
    [toPointer('asyncapi#', 'a/b', 0, '~'), ['a/b', '0', '~']],
  ])('of %j are %j', (pointer, members) => {
    expect(pointerMembers(pointer)).toEqual(members);
  });
});
