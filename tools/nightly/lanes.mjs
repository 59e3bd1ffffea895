import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { reliabilityLanes } from '../reliability/lanes.mjs'
import { RUNTIMES } from './runtimes.mjs'

const BENCH = fileURLToPath(new URL('../../bench', import.meta.url))

/** Options of a bench that is only tried; those without days ignore them. */
const SHORT = ['--days', '2']
/** Tests that show whether a runtime works at all. */
const FIRST_TESTS = ['test/primitives', 'test/service/configuration.test.ts']

/**
 * Returns everything that is too slow for `npm test`, in the order in which it runs: the slow tests, the packages that it
 * is made of, the fast tests on other lines of Node, the reliability lanes, every bench.
 * @param quick  short counts for the reliability lanes and few days for the benches of a year, to try the lanes themselves
 */
export function nightlyLanes(quick) {
  const npm = (script, options) => [
    'npm',
    'run',
    '--silent',
    script,
    ...(options.length === 0 ? [] : ['--', ...options]),
  ]
  return [
    { name: 'test:slow', command: npm('test:slow', []) },
    { name: 'sbom', command: npm('sbom', []) },
    { name: 'audit:packages', command: npm('audit:packages', []) },
    ...Object.keys(RUNTIMES).map((line) => ({
      name: `runtime:${line}`,
      command: npm('runtime', [line, ...(quick ? FIRST_TESTS : [])]),
    })),
    { name: 'topology:drill', command: npm('topology:drill', ['--minutes', quick ? '1' : '60']) },
    ...reliabilityLanes(quick).map(({ name, script, options }) => ({ name, command: npm(script, options) })),
    ...benches().map((name) => ({ name: `bench:${name}`, command: npm('bench', [name, ...(quick ? SHORT : [])]) })),
  ]
}

/** A missed goal of one bench must not stop the next one, so each is a lane. */
function benches() {
  const ending = '.bench.ts'
  const files = readdirSync(BENCH).filter((name) => name.endsWith(ending))
  return files.map((name) => name.slice(0, -ending.length)).sort()
}
