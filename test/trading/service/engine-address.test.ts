import { describe, expect, test } from 'vitest'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import { placeText, readAdvertised, readPlace } from '../../../trading/service/link-address.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'

const FIELD = 'TIDEMARK_ENGINE_ADDRESS'
const OF_THIS_MACHINE = ['127.0.0.1:7300', '127.0.0.2:0', '[::1]:7300', 'localhost:7300']
const OF_OTHERS = ['0.0.0.0:7300', '10.0.0.5:7300', '[::]:7300', 'engine.internal:7300', '127.0.0.1.evil.example:7300']

describe('without TLS the link stays on this machine', () => {
  test.each(OF_THIS_MACHINE)('%s is an address', (address) => {
    expect(placeText(readPlace(FIELD, address, false))).toBe(address)
  })

  test.each(OF_OTHERS)('%s is refused, and the settings of TLS are named', (address) => {
    expect(() => readPlace(FIELD, address, false)).toThrow(
      /TIDEMARK_ENGINE_ADDRESS is .+127\.0\.0\.1, ::1 or localhost.+TLS_CERT_FILE, .+TLS_KEY_FILE and .+TLS_CA_FILE/,
    )
    expect(placeText(readPlace(FIELD, address, true))).toBe(address)
  })

  test('an advertised address of others is refused as one that is listened at', () => {
    const bound = { host: '127.0.0.1', port: 7300 }
    expect(() => readAdvertised('10.0.0.5:7300', bound, false)).toThrow(/ADVERTISED_ADDRESS is 10\.0\.0\.5:7300, which/)
  })

  test('a client does not follow a lease to another machine', async () => {
    const lease = { epoch: 1, holder: 'x', address: '10.0.0.5:7300', token: 't', backend_pid: 1, is_free: false }
    const pool = { query: async () => ({ rows: [lease] }) } as unknown as Pool
    const client = connectEngine({ pool, leader_ms: 50 })
    await expect(client.submit({ kind: 'stamp', at: 1 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('not on this machine'),
    })
    await client.close()
  })
})

describe('the address that the leader announces', () => {
  const every = { host: '0.0.0.0', port: 7300 }

  test('is the advertised one, else where it listens', () => {
    expect(readAdvertised('engine.internal:7400', every, true)).toEqual({ host: 'engine.internal', port: 7400 })
    expect(readAdvertised(null, { host: '10.0.0.5', port: 7300 }, true)).toEqual({ host: '10.0.0.5', port: 7300 })
  })

  test.each([every, { host: '::', port: 7300 }])('is needed where the engine listens at $host', (bound) => {
    expect(() => readAdvertised(null, bound, true)).toThrow(/ADVERTISED_ADDRESS is none; needed where .+7300/)
    expect(() => readAdvertised(placeText(bound), bound, true)).toThrow('allowed: HOST:PORT that others reach')
  })
})
