#!/usr/bin/env node
'use strict';

/*
 * The command. It is committed, because npm links no command whose file is missing when it installs a clone. Like
 * require-node.cjs, it uses only syntax that Node 12 can parse.
 */

var fs = require('fs');
var path = require('path');

try {
  require('./require-node.cjs');
} catch (error) {
  process.stderr.write(error.message + '\n');
  process.exit(1);
}

// A clone runs from source. The published package has only what was built.
var isClone = fs.existsSync(path.join(__dirname, '../cli.ts'));
void import(isClone ? '../cli.ts' : '../dist/cli.js');
