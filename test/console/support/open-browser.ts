import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ROOT } from '../../support/source-files.ts'

/** Bound for a browser that hangs: on a busy machine it takes many times what it takes alone. */
const LAUNCH_MS = 200_000

/** One process for all pages of a context: a new one for each address took a fourth of what the tests of pages take of the processor. */
const ONE_PROCESS = ['--renderer-process-limit=1', '--process-per-site', '--disable-site-isolation-trials']

/**
 * Opens a headless Chromium: one of this machine, or one downloaded into the cache.
 * @throws if there is none and none can be had
 */
export async function openBrowser(): Promise<Browser> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/browser/ensure.mjs')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the console cannot be tested: ${stderr.trim().split('\n').at(-1)}`)
  // Chromium's sandbox refuses the superuser, who runs tests in containers.
  const args = process.getuid?.() === 0 ? [...ONE_PROCESS, '--no-sandbox'] : ONE_PROCESS
  return chromium.launch({ executablePath: stdout.trim(), args, timeout: LAUNCH_MS })
}
