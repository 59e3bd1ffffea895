import { createHash } from 'node:crypto'
import { cpSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asset, bundleConsole, type ConsoleBundle } from '../../api/console/bundle-console.ts'
import { consoleRoutes } from '../../api/console/console-routes.ts'
import { createApiServer } from '../../api/server/create-api-server.ts'
import { fakeHandlers } from '../support/fake-handlers.ts'
import { fakeReader } from '../support/fake-reader.ts'
import { assertIsError } from '../support/match-schema.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The page is read before its numbers are: more than this makes it slow where the network is. */
const SCRIPT_GZIP_BYTES_MAX = 28 * 1024
/** Charts, events, governance, proofs, books, tickets, signing and its debugger; the page itself waits for none of it. */
const LATER_GZIP_BYTES_MAX = 176 * 1024
/** A view that few open has to be as small as the page. */
const LATER_PART_GZIP_BYTES_MAX = 28 * 1024

let bundle: ConsoleBundle
let app: FastifyInstance

beforeAll(async () => {
  bundle = await bundleConsole()
  const extra = await consoleRoutes(bundle)
  app = await createApiServer({ reader: fakeReader(), handlers: fakeHandlers(), environment: 'test', extra })
})
afterAll(() => app.close())

describe('the page', () => {
  test('names its script and style with their digests and has no inline code', async () => {
    const { body, headers, statusCode } = await app.inject({ url: '/?index=idx_a&as_of=2026-01-01T00:00:00Z' })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const { path, content } of [bundle.script, ...bundle.shared, bundle.style]) {
      const digest = createHash('sha384').update(content).digest('base64')
      expect(body).toContain(`"${path}" integrity="sha384-${digest}"`)
    }
    expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|https?:\/\//)
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('no-cache')
  })

  test('answers 304 to who has it', async () => {
    const { headers } = await app.inject({ url: '/' })
    const again = await app.inject({ url: '/', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('has the refusals of the service around it', async () => {
    const other = await app.inject({ method: 'POST', url: '/' })
    expect([other.statusCode, other.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const missing = await app.inject({ url: '/assets/main-OLD.js' })
    expect(missing.statusCode).toBe(404)
    assertIsError(missing.json())
  })
})

describe('its files', () => {
  test('are kept for ever under a name of their content, compressed for who takes it', async () => {
    const { path, content } = bundle.script
    expect(path).toMatch(/^\/assets\/main-[A-Z0-9]{8}\.js$/)
    const plain = await app.inject({ url: path })
    expect(plain.rawPayload.equals(content)).toBe(true)
    const packed = await app.inject({ url: path, headers: { 'accept-encoding': 'br, gzip' } })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    })
    expect(gunzipSync(packed.rawPayload).equals(content)).toBe(true)
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
    const refused = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip;q=0' } })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('are small: what every view needs, and apart from it what few open', async () => {
    const bytes = async (assets: readonly Asset[]) => {
      const headers = { 'accept-encoding': 'gzip' }
      const answers = await Promise.all(assets.map(({ path }) => app.inject({ url: path, headers })))
      return answers.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)
    }
    expect(await bytes([bundle.script, ...bundle.shared])).toBeLessThan(SCRIPT_GZIP_BYTES_MAX)
    expect(await bytes(bundle.later)).toBeLessThan(LATER_GZIP_BYTES_MAX)
    for (const part of bundle.later) expect(await bytes([part]), part.path).toBeLessThan(LATER_PART_GZIP_BYTES_MAX)
    const at_once = [bundle.script, ...bundle.shared].map(({ content }) => content.toString()).join()
    expect(at_once).not.toMatch(/secp256k1|uplot/)
  })

  test('are made alike twice, and name no other host', async () => {
    const again = await bundleConsole()
    expect(again.script.path).toBe(bundle.script.path)
    const scripts = [bundle.script, ...bundle.shared, ...bundle.later].map(({ content }) => content.toString())
    const addresses = scripts.join().match(/https?:\/\/[\w.]+/g) ?? []
    // Names that nobody fetches: of XML namespaces, and of pages that errors of viem point to.
    const names = ['http://www.w3.org', 'https://viem.sh']
    expect(addresses.filter((address) => !names.includes(address))).toEqual([])
    expect(bundle.style.content.toString()).not.toMatch(/url\((?!data:)/)
  })
})

/** Copies what the page is made of to where npm installs the server's archive, and returns its console/. */
function installedConsole(): string {
  const folder = realpathSync(tempFolder())
  const root = join(folder, 'node_modules/tidemark')
  for (const name of ['client', 'console', 'primitives', 'protocol', 'vocabulary'])
    cpSync(join(ROOT, name), join(root, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return join(root, 'console')
}

test('the page of an installed archive has the scripts of that of a checkout, and imports none of its sources', async () => {
  const installed = await bundleConsole(installedConsole())
  const scripts = (of: ConsoleBundle) => [of.script, ...of.shared, ...of.later]
  const names = (of: ConsoleBundle) => scripts(of).map(({ path }) => path.replace(/-[A-Z0-9]{8}\.js$/, ''))
  expect(names(installed).sort()).toEqual(names(bundle).sort())
  for (const { content } of scripts(installed)) expect(content.toString()).not.toMatch(/import\("[^"]+\.ts"\)/)
})
