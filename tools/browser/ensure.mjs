// Finds a Chromium for the page's tests, or gets one, once, and prints its path. Looked for in turn: $TIDEMARK_CHROMIUM, the
// usual names on the PATH, the system's package `chromium` (where this may install one: root on a Debian), and the one that
// playwright-core downloads to $TIDEMARK_CACHE (default ~/.cache/tidemark)/browsers.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const cache = join(process.env.TIDEMARK_CACHE ?? join(homedir(), '.cache', 'tidemark'), 'browsers')
// Read by playwright-core when it is loaded.
process.env.PLAYWRIGHT_BROWSERS_PATH = cache

/** Ends with the sentence on standard error; 4 = a service is unavailable. */
function fail(sentence) {
  console.error(sentence)
  process.exit(4)
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/** The distribution's own package, where this user may install it. */
function installed() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined
  console.error('installing the package chromium (about a minute)')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const argv of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', 'chromium'],
  ]) {
    if (spawnSync('apt-get', argv, { stdio: ['ignore', 2, 2], env }).status !== 0) return undefined
  }
  return onPath()
}

async function downloaded() {
  const { chromium } = await import('playwright-core')
  const program = chromium.executablePath()
  if (existsSync(program)) return program
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  console.error(`downloading Chromium to ${cache} (about two minutes)`)
  const { status, error } = spawnSync(process.execPath, [cli, 'install', '--no-shell', 'chromium'], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0 || !existsSync(program)) {
    const why = error?.message ?? `exit code ${status}`
    fail(`no Chromium: none of ${NAMES.join(', ')} on the PATH, and its download failed: ${why}; set TIDEMARK_CHROMIUM`)
  }
  return program
}

const named = process.env.TIDEMARK_CHROMIUM
if (named !== undefined && !existsSync(named)) fail(`TIDEMARK_CHROMIUM is ${named}; allowed: the path of a Chromium`)
console.log(named ?? onPath() ?? installed() ?? (await downloaded()))
