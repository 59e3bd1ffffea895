import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { checkedEoaSignature, type EoaSignature } from '../../../trading/auth/eoa-signature.ts'
import { bytesOf } from '../../../trading/auth/keccak.ts'
import { createRecoverPool } from '../../../trading/auth/recover-pool.ts'
import type { Recovery } from '../../../trading/auth/recovery.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { VECTOR } from '../../support/trading/signing-world.ts'

const digest = bytesOf(VECTOR.digest)
const signature = checkedEoaSignature(VECTOR.signature) as EoaSignature
const signer = VECTOR.signer.toLowerCase()
const nobody: Recovery = { recover: async () => 'fallback', close: async () => undefined }

test('each of many at once gets its own answer', async () => {
  const pool = createRecoverPool(2, nobody)
  const digests = Array.from({ length: 500 }, (_, n) =>
    n % 3 === 0 ? digest : Uint8Array.from(digest, (byte) => byte ^ (n % 255)),
  )
  const answers = await Promise.all(digests.map((one) => pool.recover(one, signature)))
  const alone = []
  for (const one of digests.slice(0, 20)) alone.push(await pool.recover(one, signature))
  expect(answers.slice(0, 20)).toEqual(alone)
  expect(answers.map((address) => address === signer)).toEqual(
    digests.map((one) => one === digest || Buffer.compare(one, digest) === 0),
  )
  await pool.close()
})

test('if a thread fails, the fallback answers its tasks and a new thread the next ones', async () => {
  const script = join(tempFolder(), 'thread.mjs')
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (job) => job[0] === 0 ? process.exit() : parentPort.postMessage(new Uint8Array(21 * job.length / 97)))`,
  )
  const pool = createRecoverPool(1, nobody, { script: pathToFileURL(script) })
  expect(await pool.recover(digest, signature)).toBeNull()
  const failed = Array.from({ length: 10 }, () => pool.recover(new Uint8Array(32), signature))
  expect(await Promise.all(failed)).toEqual(Array(10).fill('fallback'))
  expect(await pool.recover(digest, signature)).toBeNull()
  await pool.close()
})

test('a closed pool accepts no task and leaves none waiting', async () => {
  const pool = createRecoverPool(1, nobody)
  const waiting = Promise.allSettled(Array.from({ length: 300 }, () => pool.recover(digest, signature)))
  await new Promise((resolve) => setImmediate(resolve))
  await pool.close()
  const outcomes = await waiting
  expect(outcomes.every(({ status }) => status === 'fulfilled' || status === 'rejected')).toBe(true)
  await expect(pool.recover(digest, signature)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('a task beyond the queue is rejected at once', async () => {
  const pool = createRecoverPool(1, nobody)
  const asked = Array.from({ length: 20_001 }, () => pool.recover(digest, signature))
  const outcomes = Promise.allSettled(asked)
  await expect(asked.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await pool.close()
  await outcomes
})

test('a single task runs in this thread, several at once run in another', async () => {
  const alone: Uint8Array[] = []
  const ofOne = (asked: Uint8Array) => {
    alone.push(asked)
    return asked === digest ? Buffer.from(signer.slice(2), 'hex') : null
  }
  const pool = createRecoverPool(1, nobody, { ofOne })
  expect(await pool.recover(digest, signature)).toBe(signer)
  expect(await pool.recover(new Uint8Array(32), signature)).toBeNull()
  expect(alone.length).toBe(2)
  expect(await Promise.all([0, 1].map(() => pool.recover(digest, signature)))).toEqual([signer, signer])
  expect(alone.length).toBe(2)
  await pool.close()
})

test('waiting tasks and tasks that arrive in the turn of an answer share one job', async () => {
  const script = join(tempFolder(), 'thread.mjs')
  // Each answer names, as an address, how many tasks its job had.
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'
    const answerOf = (tasks) => Uint8Array.from({ length: 21 * tasks }, (_, at) => at % 21 === 0 ? 1 : at % 21 === 20 ? tasks : 0)
    parentPort.on('message', (job) => parentPort.postMessage(answerOf(job.length / 97)))`,
  )
  const pool = createRecoverPool(1, nobody, { script: pathToFileURL(script) })
  const first = pool.recover(digest, signature)
  await new Promise((resolve) => setImmediate(resolve))
  const waiting = pool.recover(digest, signature)
  const jobOf = (tasks: number) => `0x${tasks.toString(16).padStart(40, '0')}`
  expect(await first).toBe(jobOf(1))
  const coming = pool.recover(digest, signature)
  expect(await Promise.all([waiting, coming])).toEqual([jobOf(2), jobOf(2)])
  await pool.close()
})
