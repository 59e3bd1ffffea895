import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createKalshiConnector } from '../../../connectors/venues/kalshi/kalshi-connector.ts'
import { kalshiSigner } from '../../../connectors/venues/kalshi/sign-requests.ts'
import { until } from './served-world.ts'

const AT = Date.UTC(2026, 0, 5, 10) * 1000
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

function isSigned(headers: IncomingHttpHeaders, path: string): boolean {
  const signature = Buffer.from(String(headers['kalshi-access-signature']), 'base64')
  const text = Buffer.from(`${AT / 1000}GET${path}`)
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return headers['kalshi-access-key'] === 'key-1' && verify('sha256', text, key, signature)
}

test('requests and handshakes are signed over time, method and path without its query', async () => {
  const seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url!, headers: request.headers })
    response.end('{"cursor":"","trades":[]}')
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (_socket, request) => seen.push({ url: request.url!, headers: request.headers }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { now: () => AT, limits: [], sign: kalshiSigner({ key_id: 'key-1', private_key_pem: PEM }, () => AT) }
  const addresses = { rest: `http://${place}/trade-api/v2`, stream: `ws://${place}/trade-api/ws/v2` }
  const connector = createKalshiConnector(options, addresses)
  try {
    for await (const _item of connector.read('trades', { from: AT - 1_000_000, to: AT }));
    connector.openStreams()
    await until(() => seen.some(({ url }) => url === '/trade-api/ws/v2'))
    for (const { url, headers } of seen) expect(isSigned(headers, url.split('?')[0]!), url).toBe(true)
    expect(seen.some(({ url }) => url.includes('min_ts='))).toBe(true)
  } finally {
    await connector.close()
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
  }
})

test('what is no RSA key is refused without a word of it', () => {
  const secret = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----'
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })
  for (const private_key_pem of [secret, String(elliptic)]) {
    let message = ''
    try {
      kalshiSigner({ key_id: 'key-1', private_key_pem }, () => AT)
    } catch (error) {
      message = JSON.stringify([String(error), error])
    }
    expect(message).toContain('the Kalshi key cannot be read')
    expect(message).not.toMatch(/c2VjcmV0|BEGIN/)
  }
})
