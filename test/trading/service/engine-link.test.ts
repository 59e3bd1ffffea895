import { expect, test } from 'vitest'
import { ENGINE } from '../../../protocol/limits.ts'
import type { Answer, Submission } from '../../../trading/engine/submission.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { listenForSubmissions } from '../../../trading/service/engine-server.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'

/** An engine whose answer to a stamp is as long as the stamp's number, and which never stops. */
const LONG: EngineClient = {
  submit: async (submission) => ({
    ...{ status: 200, error: null, location: null, replayed: false },
    data: JSON.stringify('x'.repeat((submission as Extract<Submission, { kind: 'stamp' }>).at)),
  }),
  status: () => ({
    phase: 'leading',
    epoch: 1,
    engine_sequence: 0,
    queued: 0,
    poisoned_submissions: 0,
    queue_refused: 0,
  }),
  close: async () => undefined,
}

test('an answer that is too long for the link fails its request alone, and says that it was carried out', async () => {
  const token = 'of this test'
  const server = await listenForSubmissions({ address: '127.0.0.1:0' }, token, LONG)
  const lease = { holder: 'test', epoch: 1, address: server.address, token }
  const client = connectEngine({ pool: { query: async () => ({ rows: [lease] }) } as unknown as Pool })
  const ask = (length: number): Promise<Answer> => client.submit({ kind: 'stamp', at: length })
  const [fits, long, later] = await Promise.allSettled([
    ask(ENGINE.message_bytes_max - 1_000),
    ask(ENGINE.message_bytes_max),
    ask(10),
  ])
  expect([fits.status, later.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(long).toMatchObject({ status: 'rejected', reason: { code: 'INTERNAL_ERROR' } })
  expect(String((long as PromiseRejectedResult).reason)).toContain('was carried out')
  expect((await ask(10)).status).toBe(200)
  await client.close()
  await server.close()
})

test('an address that is taken is refused with its cause, and what is allowed', async () => {
  const first = await listenForSubmissions({ address: '127.0.0.1:0' }, 'first', LONG)
  const { address } = first
  const port = address.split(':')[1]!
  await expect(listenForSubmissions({ address }, 'second', LONG)).rejects.toMatchObject({
    code: 'VALIDATION_USAGE_INVALID',
    message: `TIDEMARK_ENGINE_ADDRESS is ${port} at 127.0.0.1: another process listens there; allowed: a free port of an address of this machine (--address 127.0.0.1:0 finds one)`,
  })
  await first.close()
})
