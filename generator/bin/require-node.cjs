'use strict';

/*
 * Throws where the running Node is older than `engines` of package.json permits. Every entry of the toolkit loads this
 * file before any other. Therefore it is CommonJS and uses only syntax that Node 12 can parse.
 */

var required = require('../package.json').engines.node;
var running = process.versions.node;

if (!satisfies(running, required)) {
  throw new Error(
    'countersign requires Node ' +
      required +
      ', and this is Node ' +
      running +
      '. Install a newer Node (https://nodejs.org), or one for this project alone, `npm install --save-dev node@24`, and try again.',
  );
}

/** Compares a version with a range of `^` and `>=` clauses that are joined by `||`. */
function satisfies(version, range) {
  var actual = toNumbers(version);
  return range.split('||').some(function (clause) {
    var least = toNumbers(clause);
    var isNewer =
      actual[0] > least[0] ||
      (actual[0] === least[0] &&
        (actual[1] > least[1] || (actual[1] === least[1] && actual[2] >= least[2])));
    return isNewer && (clause.indexOf('^') === -1 || actual[0] === least[0]);
  });
}

function toNumbers(text) {
  var match = /(\d+)\.(\d+)\.(\d+)/.exec(text);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}
