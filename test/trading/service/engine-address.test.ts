import { describe, expect, test } from 'vitest'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import { parseAddress } from '../../../trading/service/engine-server.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'

describe('the link to the engine has no TLS, so it stays on this machine', () => {
  test.each(['127.0.0.1:7300', '127.0.0.2:0', '[::1]:7300', 'localhost:7300'])('%s is an address', (address) => {
    expect(`${parseAddress(address).port}`).toBe(address.slice(address.lastIndexOf(':') + 1))
  })

  test.each(['0.0.0.0:7300', '10.0.0.5:7300', '[::]:7300', 'engine.internal:7300', '127.0.0.1.evil.example:7300'])(
    '%s is refused',
    (address) => {
      expect(() => parseAddress(address)).toThrow(/the link has no TLS; allowed: 127\.0\.0\.1, ::1 or localhost/)
    },
  )

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
