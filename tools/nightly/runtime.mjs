// `npm run runtime -- LINE [FILE ...]`: runs the fast tests, or those named, on another line of Node (tools/nightly/runtimes.mjs).
// The runtime is a package of the registry; it lies in $TIDEMARK_CACHE (default ~/.cache/tidemark) and is used again when there.
// Exits with the code of the tests; 2 for a wrong line, 4 where the runtime cannot be had.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RUNTIMES } from './runtimes.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const [line, ...files] = process.argv.slice(2)
const version = Object.hasOwn(RUNTIMES, line ?? '') ? RUNTIMES[line] : undefined
if (version === undefined) end(2, `line is ${line}; allowed: ${Object.keys(RUNTIMES).join(', ')}`)

const programs = runtimeFolder(version)
const node = join(programs, 'node')
const found = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
if (found !== `v${version}`) end(4, `the package of Node ${version} has ${found}`)
console.log(`running on Node ${found}`)
// Programs that tests start by name are of the same runtime.
const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` }
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(node, [vitest, 'run', ...files], { cwd: ROOT, env, stdio: 'inherit' })
process.exitCode = status ?? 1

/** Returns the folder of the program `node` of a version; the first call installs it. */
function runtimeFolder(wanted) {
  const cache = process.env.TIDEMARK_CACHE ?? join(homedir(), '.cache', 'tidemark')
  const home = join(cache, `node-${wanted}`)
  const inside = (folder) => join(folder, 'node_modules/node/bin')
  if (existsSync(join(inside(home), 'node'))) return inside(home)
  // Under another name until it is whole: an interrupted run is not mistaken for a finished one.
  const unfinished = `${home}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  // Its script of installation fetches the program for this machine from the registry.
  const install = ['install', '--prefix', unfinished, '--no-audit', '--no-fund', '--no-save', `node@${wanted}`]
  const { status, stderr } = spawnSync('npm', install, { encoding: 'utf8' })
  if (status !== 0) end(4, `Node ${wanted} cannot be installed: ${stderr.trim().split('\n').at(-1)}`)
  rmSync(home, { recursive: true, force: true })
  renameSync(unfinished, home)
  return inside(home)
}

function end(code, sentence) {
  console.error(`error: ${sentence}`)
  process.exit(code)
}
