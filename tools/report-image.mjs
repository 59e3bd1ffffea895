// `node tools/report-image.mjs [FILE]`: makes docs/images/replay-report.png anew from the sample: makes it in a folder of its
// own, writes the report of a replay of its corrected index and has a Chromium on the PATH draw the first screen of the page. The
// browser is no dependency of the project: without one this writes nothing and says so.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const INDEX = 'idx_sample_lowport'
const RANGE = ['--from', '2025-12-01T00:00:00Z', '--to', '2025-12-08T00:00:00Z']
/** CSS pixels; the picture is 1400 wide. */
const VIEW = { width: 1000, height: 1136, scale: 1.4 }
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']

const file = process.argv[2] ?? join(ROOT, 'docs', 'images', 'replay-report.png')
const browser = BROWSERS.find(isThere)
if (browser === undefined) {
  console.error(`no browser found; looked for ${BROWSERS.join(', ')} on the PATH`)
  process.exitCode = 4
} else {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-image-'))
  try {
    draw(browser, makeReport(home), home)
    console.log(`${file} written`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function makeReport(home) {
  const report = join(home, 'report.html')
  tidemark(home, 'up', '--once')
  tidemark(home, 'index', 'replay', INDEX, ...RANGE, '--report', report)
  return report
}

function tidemark(home, ...words) {
  const environment = { ...process.env, TIDEMARK_HOME: home }
  execFileSync(process.execPath, [join(ROOT, 'cli', 'tidemark.mjs'), ...words], { stdio: 'ignore', env: environment })
}

function draw(program, report, home) {
  mkdirSync(dirname(file), { recursive: true })
  const { width, height, scale } = VIEW
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    `--user-data-dir=${join(home, 'browser')}`,
  ]
  const size = [`--window-size=${width},${height}`, `--force-device-scale-factor=${scale}`, `--screenshot=${file}`]
  execFileSync(program, [...flags, ...size, pathToFileURL(report).href], { stdio: 'ignore' })
}

function isThere(program) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
