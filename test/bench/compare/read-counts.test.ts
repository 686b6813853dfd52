import { expect, test } from 'vitest';
import { countLogs, countSystemCalls } from '../../../bench/compare/read-counts.ts';

const main = `module "node:fs"
module "file:///repository/generator/dist/cli.js"
module "file:///repository/node_modules/a%20b/node_modules/yaml/dist/index.js"
module "file:///repository/node_modules/yaml/dist/index.js"
module "file:///repository/node_modules/@oxfmt/binding-linux-x64-gnu/index.node"
module "file:///bench/compare/probe.mjs"
read "/folder/a"
look "/folder/a"
look "/folder/b"
write "/folder/c"
calls "7 file:///repository/generator/dist/cli.js"
calls "8 file:///repository/generator/dist/generate.js"
calls "100 file:///repository/node_modules/yaml/dist/index.js"
calls "100 file:///bench/compare/probe.mjs"
calls "100 node:internal/main"
`;
const thread = `module "file:///repository/node_modules/@redocly/ajv/lib/ajv.js"
read "/folder/a"
change "/folder/d"
`;

test('modules, libraries and calls are counted by the kind of thread', () => {
  const logs = [
    { isMain: true, text: main },
    { isMain: false, text: thread },
    { isMain: false, text: '' },
  ];
  expect(countLogs(logs, '/bench/compare/', () => 10)).toEqual({
    'modules, main thread': 5,
    'bytes of modules, main thread': 40,
    'own modules, main thread': 1,
    'modules of libraries, main thread': 3,
    'libraries that the main thread loads': ['@oxfmt/binding', 'yaml'],
    threads: 2,
    'modules, threads': 1,
    'bytes of modules, threads': 10,
    'own modules, threads': 0,
    'modules of libraries, threads': 1,
    'libraries that the threads load': ['@redocly/ajv'],
    'calls of own functions, main thread': 15,
    'files and folders read': 2,
    'files and folders looked up': 2,
    'files written': 1,
    'other changes of files': 1,
  });
});

test('system calls are counted in the log of strace, with those that another interrupts once', () => {
  const log = `101 openat(AT_FDCWD, "/a", O_RDONLY) = 3
102 statx(AT_FDCWD, "/b", 0 <unfinished ...>
101 getdents64(3, 0x55 /* 2 entries */, 32768) = 48
102 <... statx resumed>, 0x7f) = 0
101 newfstatat(AT_FDCWD, "/c", 0x7f, 0) = -1 ENOENT (No such file or directory)
101 +++ exited with 0 +++
`;
  expect(countSystemCalls(log)).toEqual({
    'system calls, open': 1,
    'system calls, stat': 2,
    'other system calls for files': 1,
  });
});
