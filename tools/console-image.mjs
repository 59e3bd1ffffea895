// `node tools/console-image.mjs [FILE]`: makes docs/images/console.png anew from the sample: publishes it in a folder of its
// own, serves the page before it and has a Chromium draw the index that was corrected, with its chain of revisions.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { register } from 'tsx/esm/api'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const INDEX = 'idx_sample_lowport'
/** CSS pixels; the picture is 1.4 times as wide. */
const VIEW = { width: 1180, height: 1290 }

const file = process.argv[2] ?? join(ROOT, 'docs', 'images', 'console.png')
const program = execFileSync(process.execPath, [join(ROOT, 'tools', 'browser', 'ensure.mjs')], {
  encoding: 'utf8',
}).trim()
const given = process.env.TIDEMARK_WAREHOUSE
const home = mkdtempSync(join(tmpdir(), 'tidemark-console-image-'))
register()
try {
  if (given === undefined)
    execFileSync(process.execPath, [join(ROOT, 'cli', 'tidemark.mjs'), 'up', '--once', '--home', home], {
      stdio: 'ignore',
    })
  const service = await serve(given ?? join(home, 'warehouse'))
  await draw(service.url)
  await service.close()
  console.log(`${file} written`)
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function serve(root) {
  const { consoleRoutes } = await import('../api/console/console-routes.ts')
  const { ROUTE_HANDLERS } = await import('../api/routes/handlers.ts')
  const { createApiServer } = await import('../api/server/create-api-server.ts')
  const { attachStream } = await import('../api/stream/attach-stream.ts')
  const { streamProjections } = await import('../api/stream/projections.ts')
  const { openReader } = await import('../warehouse/reader/open-reader.ts')
  const reader = await openReader({ root })
  const extra = await consoleRoutes()
  const app = await createApiServer({ reader, handlers: ROUTE_HANDLERS, environment: 'sample', extra })
  const stream = attachStream({ http_server: app.server, reader, project: streamProjections(reader) })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    async close() {
      await stream.close()
      await app.close()
      await reader.close()
    },
  }
}

async function draw(url) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: program, args })
  try {
    const page = await browser.newPage({ viewport: VIEW, deviceScaleFactor: 1.4, colorScheme: 'light' })
    await page.goto(`${url}/?index=${INDEX}`)
    await page.locator('.connection.is-live').waitFor()
    await page.locator('.plot').focus()
    // To the corrected level: its place is what the chart says of it.
    for (let step = 0; step < 168; step++) {
      await page.keyboard.press('ArrowLeft')
      if ((await page.locator('.plot').getAttribute('aria-valuetext')).includes('revision')) break
    }
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Corrections of this tick' }).getByRole('row').nth(2).waitFor()
    await page.locator('table.constituents').waitFor()
    await page.locator('.plot').blur()
    mkdirSync(dirname(file), { recursive: true })
    await page.screenshot({ path: file })
  } finally {
    await browser.close()
  }
}
