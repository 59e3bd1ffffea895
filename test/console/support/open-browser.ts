import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ROOT } from '../../support/source-files.ts'

/** Bound for a browser that hangs: on a busy machine it takes many times what it takes alone. */
const LAUNCH_MS = 200_000

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
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: stdout.trim(), args, timeout: LAUNCH_MS })
}
