import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { newKeyMaterial } from '../../../trading/auth/new-key-material.ts'
import { keyEncryptionKey, newKeyEncryptionKey, sealSecret, unsealSecret } from '../../../trading/auth/seal-secret.ts'
import { refusal } from '../../support/refusal.ts'

const sealing = keyEncryptionKey(newKeyEncryptionKey(), 'test')
const secret = Buffer.from('5a'.repeat(32), 'hex')

test('a sealed secret opens for its key alone, and looks another way each time', () => {
  const [one, two] = [sealSecret(sealing, 'key_1', secret), sealSecret(sealing, 'key_1', secret)]
  expect(one).not.toBe(two)
  expect(one).not.toContain(secret.toString('hex'))
  expect(unsealSecret(sealing, 'key_1', one)).toEqual(secret)
  const other = keyEncryptionKey(newKeyEncryptionKey(), 'test')
  for (const [key, key_id] of [
    [sealing, 'key_2'],
    [other, 'key_1'],
  ] as const) {
    // An operator gave the service another key: no fault of the code, and not for good.
    const { message } = refusal('SERVICE_UNAVAILABLE', () => unsealSecret(key, key_id, one))
    expect(message).toMatch(/^the secret of key_. was not sealed with this service's key-encryption key; its operator /)
  }
})

test('a sealed secret with any byte changed or left out does not open', () => {
  const sealed = Buffer.from(sealSecret(sealing, 'key_1', secret), 'hex')
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => unsealSecret(sealing, 'key_1', changed.toString('hex'))).toThrow()
    expect(() => unsealSecret(sealing, 'key_1', sealed.subarray(0, at).toString('hex'))).toThrow()
  }
})

test('a key-encryption key is 32 bytes; what is none is not told', () => {
  expect(keyEncryptionKey(` ${'ab'.repeat(32)}\n`, 'file')).toHaveLength(32)
  for (const text of ['', 'hunter2', 'ab'.repeat(31), `${'ab'.repeat(32)}ab`]) {
    const error = refusal('VALIDATION_USAGE_INVALID', () => keyEncryptionKey(text, 'TIDEMARK_KEY'))
    expect(error.message).toContain('TIDEMARK_KEY')
    if (text !== '') expect(error.message).not.toContain(text)
  }
})

test('a new HMAC key has a secret of 32 random bytes, which is stored sealed; an Ed25519 key has none', () => {
  const key = { key_id: 'key_1', algorithm: 'hmac-sha256', public_key: null } as const
  const { material, secret: shown } = newKeyMaterial(key, sealing)
  expect(shown).toMatch(/^[0-9a-f]{64}$/)
  expect(unsealSecret(sealing, 'key_1', material).toString('hex')).toBe(shown)
  expect(newKeyMaterial(key, sealing).secret).not.toBe(shown)
  const public_key = 'ab'.repeat(32)
  const ed25519 = { key_id: 'key_1', algorithm: 'ed25519', public_key } as const
  expect(newKeyMaterial(ed25519, sealing)).toEqual({ material: public_key, secret: null })
  refusal('VALIDATION_BODY_INVALID', () => newKeyMaterial({ ...ed25519, public_key: null }, sealing))
  refusal('VALIDATION_BODY_INVALID', () => newKeyMaterial({ ...ed25519, public_key: 'AB'.repeat(32) }, sealing))
  refusal('VALIDATION_BODY_INVALID', () => newKeyMaterial({ ...key, public_key }, sealing))
})

test('a public key under which anybody can sign is refused', () => {
  const spki = (raw: string) => Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(raw, 'hex')])
  /** Without a secret: R is the public key's own point or the neutral one, S is 0. */
  const isForged = (public_key: string, text: string) =>
    [public_key, `01${'00'.repeat(31)}`].some((point) =>
      verify(
        null,
        Buffer.from(text),
        createPublicKey({ key: spki(public_key), format: 'der', type: 'spki' }),
        Buffer.from(point + '00'.repeat(32), 'hex'),
      ),
    )
  const neutral = `01${'00'.repeat(31)}`
  expect(isForged(neutral, 'any text')).toBe(true)
  for (const public_key of [neutral, '00'.repeat(32), `ec${'ff'.repeat(30)}7f`, `00${'00'.repeat(30)}80`]) {
    const key = { key_id: 'key_1', algorithm: 'ed25519', public_key } as const
    refusal('VALIDATION_BODY_INVALID', () => newKeyMaterial(key, sealing))
  }
})
