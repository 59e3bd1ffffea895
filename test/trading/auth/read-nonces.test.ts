import { test } from 'vitest'
import { createReadNonces } from '../../../trading/auth/read-nonces.ts'
import { refusal } from '../../support/refusal.ts'

test('a nonce is remembered for two minutes at least, whenever in its period it came', () => {
  for (const taken_ms of [0, 1, 119_999, 120_000, 500_001]) {
    let now_ms = 0
    const nonces = createReadNonces(() => now_ms)
    now_ms = taken_ms
    nonces.take('key_1', 'nonce_01')
    for (const later_ms of [0, 1, 35_000, 119_999]) {
      now_ms = taken_ms + later_ms
      refusal('REPLAY_REQUEST_NONCE_REUSED', () => nonces.take('key_1', 'nonce_01'))
    }
    now_ms = taken_ms + 240_000
    nonces.take('key_1', 'nonce_01')
  }
})

test('nonces are those of a key', () => {
  const nonces = createReadNonces()
  nonces.take('key_1', 'nonce_01')
  nonces.take('key_2', 'nonce_01')
  refusal('REPLAY_REQUEST_NONCE_REUSED', () => nonces.take('key_2', 'nonce_01'))
})

test('what cannot be remembered is not accepted: first by one key, then at all', () => {
  let now_ms = 0
  const nonces = createReadNonces(() => now_ms)
  for (let key = 0; key < 10; key += 1) for (let n = 0; n < 50_000; n += 1) nonces.take(`key_${key}`, `nonce_${n}`)
  refusal('RATE_LIMIT_EXCEEDED', () => nonces.take('key_0', 'one_more'))
  refusal('SERVICE_UNAVAILABLE', () => nonces.take('key_10', 'one_more'))
  refusal('REPLAY_REQUEST_NONCE_REUSED', () => nonces.take('key_3', 'nonce_7'))
  now_ms = 120_000
  nonces.take('key_10', 'one_more')
})
