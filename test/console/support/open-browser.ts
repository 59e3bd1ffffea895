import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ROOT } from '../../support/source-files.ts'

/**
 * A headless Chromium of this machine, or one that is downloaded into the cache, or null with a printed reason. With CI=true its
 * absence is an error.
 */
export async function openBrowser(): Promise<Browser | null> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/browser/ensure.mjs')], {
    encoding: 'utf8',
  })
  if (status === 0) {
    // Chromium's sandbox refuses the superuser, who runs tests in containers.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    return chromium.launch({ executablePath: stdout.trim(), args })
  }
  const reason = `the page cannot be tried: ${stderr.trim().split('\n').at(-1)}`
  if (process.env.CI === 'true') throw new Error(reason)
  console.warn(`SKIPPED: ${reason}`)
  return null
}
